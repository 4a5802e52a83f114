// Heads of replies whose lines are made once. `writeHead` checks all headers of each reply again, a tenth of a list
// page's CPU time (docs/decisions/0003).
import type { ServerResponse } from 'node:http'
import { validateHeaderName, validateHeaderValue } from '../node-http.ts'
import type { FlatHeaders } from './security-headers.ts'

/** Lines of headers whose values a client can't choose, or that were checked before: they are not checked again. */
export function uncheckedHeaderLines(headers: FlatHeaders): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`
  return lines
}

/** @throws TypeError for a name or a value that HTTP does not allow */
export function headerLines(headers: FlatHeaders): string {
  for (let at = 0; at < headers.length; at += 2) {
    const [name, value] = headers.slice(at, at + 2) as [string, string]
    validateHeaderName(name)
    validateHeaderValue(name, value)
  }
  return uncheckedHeaderLines(headers)
}

const linesByHeaders = new WeakMap<FlatHeaders, string>()

/** Like `headerLines`, for a list that many replies share and that never changes. */
export function cachedHeaderLines(headers: FlatHeaders): string {
  const known = linesByHeaders.get(headers)
  if (known !== undefined) return known
  const lines = headerLines(headers)
  linesByHeaders.set(headers, lines)
  return lines
}

/**
 * Writes the head of a 200 reply. Node adds what depends on the connection: the date, and whether it stays open.
 * @param lines of its headers, but for `Content-Length`
 * @throws Error if a head was written before, as `writeHead` does, or if headers were set, which would be lost
 */
export function writeHeadWith(res: ServerResponse, lines: string, contentLength: number): void {
  if (res.headersSent) throw new Error('a head was written before')
  if (res.getHeaderNames().length > 0) throw new Error('headers were set before the head')
  // What `writeHead` ends with: it takes the status line, and headers to check and join.
  const { _storeHeader: storeHeader } = res as unknown as { _storeHeader(firstLines: string, headers: string[]): void }
  storeHeader.call(res, `HTTP/1.1 200 OK\r\n${lines}`, ['Content-Length', String(contentLength)])
}
