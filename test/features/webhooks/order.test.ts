// In which order an endpoint gets events whose transactions interleave (docs/decisions/0007).
import { v7 as uuidv7 } from 'uuid'
import { expect, it } from 'vitest'
import { announceStatusChanges } from '../../../src/features/events/index.ts'
import { createVoteEffects, type VoteEffects } from '../../../src/features/votes/vote-effects.ts'
import { createVoting } from '../../../src/features/votes/votes.service.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { type Received, startReceiver } from '../../workers/webhooks/support.ts'
import { createWebhookWorld, startTestWorker } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const { jobs } = api.deps
const world = createWebhookWorld(api)
const SOON = { timeout: 20_000, interval: 30 }
const effects = createVoteEffects(jobs)

async function addOwnWebhook() {
  const receiver = await startReceiver()
  const events = ['vote.created', 'server.offline']
  return { receiver, ...(await world.addWebhook({ url: receiver.url, events })) }
}

function voteFor(serverId: string, visitorId: string, applyEffects: VoteEffects = effects) {
  const vote = createVoting({ pool, votesPerAddress: 0, applyEffects, refreshSoon: async () => {} })
  return vote({
    id: uuidv7(),
    serverId,
    visitorId,
    username: '',
    gamePlatformId: '',
    addressKey: visitorId,
    senderId: null,
  })
}

/** A step of a transaction that has been reached and waits until it may continue. */
function createStop() {
  const [reached, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  return {
    reached: reached.promise,
    leave: left.resolve,
    wait() {
      reached.resolve()
      return left.promise
    },
  }
}

const payloads = (received: Received[]) =>
  received.map(({ body }) => JSON.parse(body) as { type: string; timestamp: string; data: { totalVotes?: number } })

it('votes arrive in the order in which they count: a later one waits for the transaction of the earlier', async () => {
  const { id, receiver } = await addOwnWebhook()
  const stop = createStop()
  const first = voteFor(id, 'visitor of the first vote', async (tx, vote, outcome) => {
    await stop.wait()
    return await effects(tx, vote, outcome)
  })
  await stop.reached
  const second = voteFor(id, 'visitor of the second vote')
  await expect.poll(() => countLockWaits(pool), SOON).toBe(1)
  stop.leave()
  expect(await Promise.all([first, second])).toMatchObject([{ webhookSent: true }, { webhookSent: true }])
  await startTestWorker(api)
  await expect.poll(() => receiver.received.length, SOON).toBe(2)
  expect(payloads(receiver.received).map(({ data }) => data.totalVotes)).toEqual([1, 2])
})

it('a vote does not wait for a batch of polls that commits later, whose event arrives after it with its earlier time', async () => {
  const { id, receiver } = await addOwnWebhook()
  await startTestWorker(api)
  const stop = createStop()
  const polls = inTransaction(pool, async (tx) => {
    const change = { serverId: id, isOnline: false, players: 0, maxPlayers: 10, appliedAt: new Date() }
    await announceStatusChanges(tx, jobs, [change])
    await stop.wait()
  })
  await stop.reached
  expect(await voteFor(id, 'visitor of a vote')).toMatchObject({ webhookSent: true })
  await expect.poll(() => receiver.received.length, SOON).toBe(1)
  stop.leave()
  await polls
  await expect.poll(() => receiver.received.length, SOON).toBe(2)
  const [vote, offline] = payloads(receiver.received)
  expect([vote?.type, offline?.type]).toEqual(['vote.created', 'server.offline'])
  expect(Date.parse(offline?.timestamp ?? '')).toBeLessThanOrEqual(Date.parse(vote?.timestamp ?? ''))
})
