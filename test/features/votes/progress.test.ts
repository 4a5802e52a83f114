// What a vote brings, as its voter follows it: delivered and rewarded, and nothing about other votes.
import net from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { RewardOutcome } from '../../../src/features/rewards/outcomes.ts'
import { completeReward as completeRewardOf } from '../../../src/features/rewards/rewards.sql.ts'
import { startTestApi } from '../../support/api.ts'
import { addServer, newVisitor, voteOnce } from './support.ts'

const api = await startTestApi()
const { pool } = api.database

/** Adds endpoints that get votes. @param kinds such as `standard` */
async function addEndpoints(serverId: string, ...kinds: string[]): Promise<void> {
  for (const kind of kinds)
    await pool.query(
      `insert into endpoints (id, server_id, kind, url, events, secret) values (gen_random_uuid(), $1, $2, 'url', '{vote.created}', 'secret')`,
      [serverId, kind],
    )
}

/** The events of a visitor's stream, one after the other. */
async function follow(serverId: string, visitorId: string) {
  const response = await fetch(
    `${api.url}/api/servers/${serverId}/vote/progress?visitorId=${encodeURIComponent(visitorId)}`,
  )
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  return {
    async next(): Promise<unknown> {
      const { done, value } = await reader.read()
      return done
        ? 'the end'
        : JSON.parse(/^event: progress\ndata: (.*)\n\n$/.exec(decoder.decode(value))?.[1] ?? 'null')
    },
    close: () => reader.cancel(),
  }
}

/** The stream of a vote whose reward waits, and how a worker ends that reward. */
async function followRewarded() {
  const [serverId, visitorId] = [await addServer(pool), newVisitor()]
  await voteOnce(api, serverId, { visitorId })
  const { rows } = await pool.query<{ voteId: string }>(
    'insert into vote_rewards (vote_id, server_id) select id, server_id from votes where server_id = $1 returning vote_id as "voteId"',
    [serverId],
  )
  const [reward] = rows
  if (!reward) throw new Error('no reward')
  const stream = await follow(serverId, visitorId)
  expect(await stream.next()).toEqual({ delivered: null, rewarded: false, isOver: false })
  const completeReward = (outcome: RewardOutcome) =>
    completeRewardOf(api.deps.pool, { ...reward, outcome, commandsRun: 1, answer: null })
  return { stream, completeReward }
}

const settle = (serverId: string, status: string) =>
  pool.query(
    'update endpoint_deliveries set status = $2 from endpoints where endpoints.id = endpoint_id and server_id = $1',
    [serverId, status],
  )

describe('the stream of a vote', () => {
  test('says when all endpoints of the server have it, and then ends', async () => {
    const [serverId, visitorId] = [await addServer(pool), newVisitor()]
    await addEndpoints(serverId, 'standard', 'votifier2', 'discord')
    await voteOnce(api, serverId, { visitorId })
    const stream = await follow(serverId, visitorId)
    expect(await stream.next()).toEqual({ delivered: false, rewarded: null, isOver: false })
    await settle(serverId, 'delivered')
    expect(await stream.next()).toEqual({ delivered: true, rewarded: null, isOver: true })
    expect(await stream.next()).toBe('the end')
  })

  test('says when the reward has run', async () => {
    const { stream, completeReward } = await followRewarded()
    await completeReward('answered')
    expect(await stream.next()).toEqual({ delivered: null, rewarded: true, isOver: true })
  })

  test('does not say that a reward has failed', async () => {
    const { stream, completeReward } = await followRewarded()
    await completeReward('wrong_password')
    expect(await stream.next()).toEqual({ delivered: null, rewarded: null, isOver: true })
  })

  test('tells others nothing: without a vote, of another visitor, and of what failed', async () => {
    const [serverId, visitorId] = [await addServer(pool), newVisitor()]
    await addEndpoints(serverId, 'standard')
    await voteOnce(api, serverId, { visitorId })
    const nothing = { delivered: null, rewarded: null, isOver: true }
    expect(await (await follow(serverId, newVisitor())).next()).toEqual(nothing)
    await settle(serverId, 'dead')
    expect(await (await follow(serverId, visitorId)).next()).toEqual(nothing)
    const unknown = await api.request(
      `/api/servers/01890000-0000-7000-8000-000000000000/vote/progress?visitorId=${visitorId}`,
    )
    expect(unknown.status).toBe(404)
  })

  test('ends once, also while an earlier reply of its connection is open', async () => {
    const [serverId, visitorId] = [await addServer(pool), newVisitor()]
    await addEndpoints(serverId, 'standard')
    const path = `/api/servers/${serverId}/vote/progress?visitorId=${encodeURIComponent(visitorId)}`
    const socket = net.connect(Number(new URL(api.url).port))
    onTestFinished(() => void socket.destroy())
    const head = 'HTTP/1.1\r\nHost: localhost\r\n\r\n'
    socket.write(`GET /api/servers/stream ${head}GET ${path} ${head}`)
    const looked = async () => void (await (await follow(serverId, newVisitor())).next())
    for (let look = 0; look < 3; look++) await looked() // the second reply is over, and waits for the first to be read
    await voteOnce(api, serverId, { visitorId })
    for (let look = 0; look < 2; look++) await looked()
    const stream = await follow(serverId, visitorId)
    expect(await stream.next()).toEqual({ delivered: false, rewarded: null, isOver: false })
    await stream.close()
  })

  test('is refused to a client that follows five votes', async () => {
    const [serverId, visitorId] = [await addServer(pool), newVisitor()]
    await addEndpoints(serverId, 'standard')
    await voteOnce(api, serverId, { visitorId })
    const streams = await Promise.all([1, 2, 3, 4, 5].map(() => follow(serverId, visitorId)))
    const path = `/api/servers/${serverId}/vote/progress?visitorId=${encodeURIComponent(visitorId)}`
    expect((await api.request(path)).status).toBe(503)
    await Promise.all(streams.map((stream) => stream.close()))
  })
})
