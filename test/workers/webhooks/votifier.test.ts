// Votes to game servers by Votifier, against a receiver that was written from the protocol's description, and against
// far ends that break it.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { createVotifierKeys, listenTcp, startVotifierReceiver } from '../../support/votifier-receiver.ts'
import { createWorld } from './support.ts'

const world = await createWorld()
const SOON = { timeout: 20_000, interval: 30 }
/** Retries after 50 ms, 3 s, 18 s … */
const QUICK = { WEBHOOK_RETRY_SCALE: '0.01', PUBLIC_BASE_URL: 'http://directory.example' }
/** Never within a test. */
const ONCE = { WEBHOOK_RETRY_SCALE: '10', PUBLIC_BASE_URL: 'http://directory.example' }
const keys = createVotifierKeys()

/** @returns why the first attempt failed */
async function errorOf(id: string): Promise<string | null | undefined> {
  await expect.poll(async () => (await world.attempts(id)).length, SOON).toBeGreaterThan(0)
  return (await world.attempts(id))[0]?.error
}

describe('a vote by protocol 2', () => {
  it('is accepted with the name in any script, signed over the challenge, without the voter’s address', async () => {
    const receiver = await startVotifierReceiver()
    const id = await world.addVotifier('votifier2', receiver.port, receiver.token)
    await world.startWorker(QUICK)
    const deliveries = [
      await world.queue(id, { username: 'Steve', streak: 7 }),
      await world.queue(id, { username: 'Зоя_ünï✓𝒳' }),
    ]
    for (const delivery of deliveries)
      await expect.poll(() => world.delivery(delivery), SOON).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(receiver.refusals).toEqual([])
    expect(receiver.votes).toMatchObject([
      {
        protocol: 2,
        serviceName: 'directory.example',
        username: 'Steve',
        address: '0.0.0.0',
        additionalData: '{"streak":7}',
      },
      { username: 'Зоя_ünï✓𝒳' },
    ])
    expect(Number(receiver.votes[0]?.timestamp)).toBeGreaterThan(Date.now() - 60_000)
    const [attempt] = await world.attempts(deliveries[0] ?? '')
    expect(attempt).toMatchObject({ status: null, error: null, response: expect.stringContaining('{"status":"ok"}') })
  })

  it('can have a token of its own for this directory', async () => {
    const receiver = await startVotifierReceiver({ tokens: { 'directory.example': 'its own' } })
    const id = await world.addVotifier('votifier2', receiver.port, 'its own')
    await world.startWorker(QUICK)
    const delivery = await world.queue(id, { username: 'Steve' })
    await expect.poll(() => world.delivery(delivery), SOON).toMatchObject({ status: 'delivered' })
  })

  it.each([
    ['', 'the voter gave no player name'],
    ['ABCDEFGHIJKLMNOPQ', 'the player name has more than 16 characters, which Votifier refuses'],
  ])('of %j is refused at once, without a dead letter, and holds up nothing', async (username, error) => {
    const receiver = await startVotifierReceiver()
    const id = await world.addVotifier('votifier2', receiver.port, receiver.token)
    const refused = await world.queue(id, { username })
    const next = await world.queue(id, { username: 'ABCDEFGHIJKLMNOP' })
    await world.startWorker(ONCE)
    await expect.poll(() => world.delivery(next), SOON).toMatchObject({ status: 'delivered' })
    expect(await world.delivery(refused)).toMatchObject({ status: 'dead', attempts: 1 })
    expect(await errorOf(refused)).toBe(error)
    expect(receiver.votes.map((vote) => vote.username)).toEqual(['ABCDEFGHIJKLMNOP'])
    expect(await world.endpoint(id)).toMatchObject({ isFailing: false })
    const { rows } = await world.pool.query(
      `select from pgboss.job where name = 'webhook-dead' and data->>'endpointId' = $1`,
      [id],
    )
    expect(rows).toEqual([])
  })

  it('that the plugin rejects for a reason of its own is tried again by itself, and holds up nothing', async () => {
    let isTaken = false
    const receiver = await startVotifierReceiver({
      reaction: ({ username }) => (username === 'odd' && !isTaken ? 'reject' : 'accept'),
    })
    const id = await world.addVotifier('votifier2', receiver.port, receiver.token)
    const odd = await world.queue(id, { username: 'odd' })
    const next = await world.queue(id, { username: 'next' })
    const { stop } = await world.startWorker(ONCE)
    await expect.poll(() => world.delivery(next), SOON).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(await errorOf(odd)).toBe('the game server refused the vote: not taken by the plugin')
    const later = await world.queue(id, { username: 'later' })
    await expect.poll(() => world.delivery(later), SOON).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(await world.delivery(odd)).toMatchObject({ status: 'pending', attempts: 1, dueIn: expect.closeTo(50, -2) })
    expect(await world.endpoint(id)).toMatchObject({ isFailing: false, isSlow: false })
    await stop()

    isTaken = true
    await world.pool.query('update endpoint_deliveries set due_at = now() where id = $1', [odd])
    await world.startWorker(QUICK)
    await world.queue(id, { username: 'last' })
    await expect.poll(() => world.delivery(odd), SOON).toMatchObject({ status: 'delivered', attempts: 2 })
  })

  it('that is the only one, and rejected, is tried again at its time, and shows that the endpoint fails', async () => {
    let attempts = 0
    const receiver = await startVotifierReceiver({ reaction: () => (++attempts < 3 ? 'reject' : 'accept') })
    const id = await world.addVotifier('votifier2', receiver.port, receiver.token)
    await world.startWorker(QUICK)
    const odd = await world.queue(id, { username: 'odd' })
    await expect.poll(async () => (await world.attempts(odd)).length, SOON).toBeGreaterThan(1)
    expect(await world.endpoint(id)).toMatchObject({ isFailing: true, isSlow: false })
    await expect.poll(() => world.delivery(odd), SOON).toMatchObject({ status: 'delivered', attempts: 3 })
    expect(await world.endpoint(id)).toMatchObject({ isFailing: false })
  })

  it('that was refused for its token or is not understood says so in the log', async () => {
    const receiver = await startVotifierReceiver()
    const old = await startVotifierReceiver({ protocol: 1, keys })
    const wrong = await world.addVotifier('votifier2', receiver.port, 'another token')
    const older = await world.addVotifier('votifier2', old.port, 'a token')
    await world.startWorker(ONCE)
    expect(await errorOf(await world.queue(wrong, { username: 'Steve' }))).toBe('the token does not match')
    expect(await errorOf(await world.queue(older, { username: 'Steve' }))).toContain('speaks Votifier 1 only')
    expect(old.votes).toEqual([])
    expect(await world.endpoint(wrong)).toMatchObject({ isFailing: true })
  })
})

describe('a vote by protocol 1', () => {
  it.each([1, 2] as const)('is taken by a game server that greets with version %i', async (protocol) => {
    const receiver = await startVotifierReceiver({ protocol, keys })
    const id = await world.addVotifier('votifier1', receiver.port, receiver.publicKey)
    await world.startWorker(QUICK)
    const delivery = await world.queue(id, { username: 'Зоя' })
    await expect.poll(() => world.delivery(delivery), SOON).toMatchObject({ status: 'delivered', attempts: 1 })
    expect(receiver.votes).toMatchObject([
      { protocol: 1, serviceName: 'directory.example', username: 'Зоя', address: '0.0.0.0' },
    ])
  })

  it('with another key is reported where the game server says so; a name that does not fit is refused', async () => {
    const receiver = await startVotifierReceiver({ keys })
    const { publicKey } = createVotifierKeys()
    const other = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
    const id = await world.addVotifier('votifier1', receiver.port, other)
    await world.startWorker(ONCE)
    expect(await errorOf(await world.queue(id, { username: 'Steve' }))).toBe('the public key does not match')
    const long = await world.addVotifier('votifier1', receiver.port, receiver.publicKey)
    expect(await errorOf(await world.queue(long, { username: '𝒳'.repeat(50) }))).toBe(
      'the player name is too long for Votifier 1',
    )
    expect(receiver.votes).toEqual([])
  })
})

describe('votes while the game server is down', () => {
  it.each(['votifier2', 'votifier1'] as const)('arrive once it is up, in order, once (%s)', async (kind) => {
    const token = randomBytes(8).toString('hex')
    const before = await startVotifierReceiver({ token, keys })
    const secret = kind === 'votifier2' ? token : before.publicKey
    const id = await world.addVotifier(kind, before.port, secret)
    await world.startWorker(QUICK)
    const first = await world.queue(id, { username: 'first' })
    await expect.poll(() => world.delivery(first), SOON).toMatchObject({ status: 'delivered' })
    await before.close()

    const names = Array.from({ length: 40 }, (_, n) => `player${n}`)
    const waiting: string[] = []
    for (const username of names) waiting.push(await world.queue(id, { username }))
    expect(await errorOf(waiting[0] ?? '')).toContain('refused the connection')
    const receiver = await startVotifierReceiver({ token, keys, port: before.port })
    for (const delivery of waiting)
      await expect.poll(() => world.delivery(delivery), SOON).toMatchObject({ status: 'delivered' })
    expect(receiver.votes.map(({ username }) => username)).toEqual(names)
    expect(receiver.connections.mostAtOnce).toBe(1)
    expect(await world.endpoint(id)).toMatchObject({ isFailing: false })
  })

  it('do not end the life of the first: it is tried at the ages of the schedule, however often others are queued', async () => {
    const { port, close } = await listenTcp(() => undefined)
    await close()
    const id = await world.addVotifier('votifier2', port, 'a token')
    await world.startWorker(ONCE)
    const first = await world.queue(id, { username: 'first' })
    await errorOf(first)
    for (let n = 1; n <= 12; n++) {
      await world.queue(id, { username: `player${n}` })
      await expect.poll(async () => (await world.delivery(first)).attempts, SOON).toBeGreaterThan(n)
    }
    expect(await world.delivery(first)).toMatchObject({ status: 'pending', dueIn: expect.closeTo(50, -2) })
  })
})

describe('a far end that breaks the protocol', () => {
  const flood = (text: string) => (socket: Socket) => {
    socket.write(text)
    const more = () => {
      while (!socket.destroyed && socket.write('x'.repeat(65_536)));
    }
    socket.on('drain', more)
    more()
  }
  const greeting = 'VOTIFIER 2 challenge\n'

  it.each<[string, (socket: Socket) => void, RegExp]>([
    [
      'another protocol',
      (socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'),
      /not Votifier’s: “SSH-2\.0-OpenSSH_9\.6”/,
    ],
    ['an endless greeting', flood('VOTIFIER 2 '), /greeting is not Votifier’s/],
    ['endless zeros', (socket) => socket.write(Buffer.alloc(100_000)), /greeting is not Votifier’s: it does not end/],
    ['a greeting without a challenge', (socket) => socket.write('VOTIFIER 2\n'), /speaks Votifier 1 only/],
    ['a greeting of version 3', (socket) => socket.write('VOTIFIER 3 abc\n'), /not Votifier’s: “VOTIFIER 3 abc”/],
    ['an end before the greeting', (socket) => socket.end(), /closed the connection before a Votifier greeting/],
    ['a reset', (socket) => socket.resetAndDestroy(), /closed the connection/],
    ['an end after the greeting', (socket) => socket.end(greeting), /closed the connection/],
    ['an endless answer', flood(greeting), /answer is not Votifier’s/],
    [
      'an answer of garbage',
      (socket) => {
        socket.write(greeting)
        socket.once('data', () => socket.end(randomBytes(300)))
      },
      /answer is not Votifier’s/,
    ],
    [
      'no answer',
      (socket) => {
        socket.write(greeting)
        socket.once('data', () => socket.end())
      },
      /closed the connection without an answer/,
    ],
    [
      'another error',
      (socket) => {
        socket.write(greeting)
        socket.once('data', () => socket.end('{"status":"error","cause":"X","errorMessage":"no such service"}\r\n'))
      },
      /^the game server refused the vote: no such service$/,
    ],
  ])('%s', async (_what, serve, words) => {
    const { port } = await listenTcp(serve)
    const id = await world.addVotifier('votifier2', port, 'a token')
    await world.startWorker(ONCE)
    const delivery = await world.queue(id, { username: 'Steve' })
    expect(await errorOf(delivery)).toMatch(words)
    expect(await world.delivery(delivery)).toMatchObject({ status: 'pending', attempts: 1 })
    const [attempt] = await world.attempts(delivery)
    expect(Buffer.byteLength(attempt?.response ?? '')).toBeLessThanOrEqual(3 * 1_024)
  })
})
