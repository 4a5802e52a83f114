// A small HTTP server on a free port of this machine, for tests that bring their own remote end.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface LoopbackRequest {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
  /** The request's body, if any. */
  form: URLSearchParams
}

/** @returns its origin; closes after the file's tests */
export async function startLoopbackServer(
  answer: (request: LoopbackRequest, res: ServerResponse) => void,
): Promise<{ origin: string; close(): Promise<void> }> {
  const server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += String(chunk)
    const url = new URL(req.url ?? '/', 'http://loopback')
    answer({ method: req.method ?? '', url, headers: req.headers, body, form: new URLSearchParams(body) }, res)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
    return closed
  }
  afterAll(close)
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
