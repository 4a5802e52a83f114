// When replies to requests that arrive together are ended.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Response } from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { createReplyBatch } from '../../../src/platform/http/fast-path/reply-batch.ts'

/**
 * Sends five requests at once, on as many connections.
 * @param handledForMs how long each seems to have been handled
 * @returns what the server did, and the replies
 */
async function sendTogether({ handledForMs }: { handledForMs: number }) {
  const steps: string[] = []
  const batch = createReplyBatch({ maxWaitMs: 60_000, onEnded: () => steps.push('ended') })
  const server = createServer((_req, res) => {
    steps.push('handled')
    const startedAt = performance.now() - handledForMs
    batch.end({ res: res as Response, body: Buffer.from('done'), startedAt })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const sockets: Socket[] = []
  while (sockets.length < 5) {
    const accepted = once(server, 'connection')
    sockets.push(connect((server.address() as AddressInfo).port, '127.0.0.1'))
    await accepted
  }
  const replies = sockets.map((socket) => socket.toArray())
  for (const socket of sockets) socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  const bodies = (await Promise.all(replies)).map((chunks) => String(Buffer.concat(chunks)).split('\r\n\r\n')[1])
  return { steps, bodies }
}

const five = <T>(value: T): T[] => Array.from({ length: 5 }, () => value)

it('replies to requests that arrive together are ended when all are handled', async () => {
  const { steps, bodies } = await sendTogether({ handledForMs: 0 })
  expect(steps).toEqual([...five('handled'), ...five('ended')])
  expect(bodies).toEqual(five('done'))
})

it('a reply that took too long ends at once', async () => {
  const { steps, bodies } = await sendTogether({ handledForMs: 120_000 })
  expect(steps).toEqual(five(['handled', 'ended']).flat())
  expect(bodies).toEqual(five('done'))
})
