// Game servers that answer a vote by Votifier late, byte by byte or never: an attempt ends in its time,
// in the owner's words.
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { kindOf } from '../../../src/features/webhooks/index.ts'
import { createSender } from '../../../workers/webhooks/send.ts'
import { listenTcp } from '../../support/votifier-receiver.ts'

const TIMEOUT_MS = 500
const GREETING = 'VOTIFIER 2 challenge\n'
const NO_GREETING = 'connected, but no Votifier greeting came: is this the port of the Votifier plugin?'

const sender = createSender({ allowPrivate: true, requireHttps: false, timeoutMs: TIMEOUT_MS })
afterAll(() => sender.close())

const delivery = {
  id: 'evt_1',
  type: 'webhook.test' as const,
  body: '{"type":"webhook.test","timestamp":"2026-11-20T12:00:00.000Z","data":{}}',
}

/** Writes one byte at a time, always well within the time for an attempt. */
async function drip(socket: Socket, text: string): Promise<void> {
  for (const byte of text) {
    if (socket.destroyed) return
    socket.write(byte)
    await sleep(TIMEOUT_MS / 8)
  }
}

it.each<[string, (socket: Socket) => void, string]>([
  ['never greets', () => undefined, NO_GREETING],
  ['greets too late', (socket) => setTimeout(() => socket.write(GREETING), 2 * TIMEOUT_MS), NO_GREETING],
  ['greets byte by byte', (socket) => void drip(socket, GREETING), NO_GREETING],
  [
    'greets, and does not answer the vote',
    (socket) => socket.write(GREETING),
    'the vote was sent, but the game server did not answer in time',
  ],
  [
    'answers the vote byte by byte',
    (socket) => {
      socket.write(GREETING)
      socket.once('data', () => void drip(socket, '{"status":"ok"}\r\n'))
    },
    'the vote was sent, but the game server did not answer in time',
  ],
])('a game server that %s', async (_, talk, error) => {
  const server = await listenTcp(talk)
  const kind = kindOf('votifier2')
  const target = { url: `votifier://127.0.0.1:${server.port}`, secrets: ['token'] }
  const message = kind.prepare(delivery, target, { now: Date.now(), baseUrl: 'http://directory.example' })
  const answer = await kind.send(message, sender, new AbortController().signal)
  expect(answer.error).toBe(error)
  expect(kind.classify(answer)).toEqual({ outcome: 'failed' })
})
