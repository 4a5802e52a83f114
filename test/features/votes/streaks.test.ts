// Streaks: days in a row with a vote of the same player for the same server (docs/decisions/0064).
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { findCooldown } from '../../../src/features/votes/cooldowns.sql.ts'
import { clearEndedStreaks, clearOldCooldowns } from '../../../src/features/votes/upkeep.service.ts'
import { createVoting } from '../../../src/features/votes/votes.service.ts'
import { startTestApi } from '../../support/api.ts'
import { rounds } from '../../support/rounds.ts'
import { addServer, age, canVote, newVisitor, voteOnce } from './support.ts'

const api = await startTestApi()
const { pool } = api.database

const HOUR = 3_600_000
const DAY = 24 * HOUR

let clock = 0
const now = () => new Date(clock)
const newVoting = () =>
  createVoting({ pool, now, votesPerAddress: 0, refreshSoon: async () => undefined, applyEffects: async () => true })
const vote = newVoting()

/** Who votes, each from two browsers, and whose streak that is. */
const VOTERS = [
  { key: 'Ann', username: 'Ann', gamePlatformId: '' },
  { key: 'Ann', username: 'ANN', gamePlatformId: '' },
  { key: '76561197960270419', username: 'Ann', gamePlatformId: '76561197960270419' },
  { key: '76561197960270419', username: '', gamePlatformId: '[U:1:4691]' },
  { key: 'browser', username: '', gamePlatformId: '' },
].flatMap((voter) => [1, 2].map((browser) => ({ ...voter, visitorId: `browser ${browser} of ${voter.key}` })))
const keyOf = ({ key, visitorId }: (typeof VOTERS)[number]) => (key === 'browser' ? visitorId : key)

/**
 * The definition: a vote keeps the streak of the 48 hours before, and is of the next day 24 hours after
 * the first of the last.
 */
function streakOf(votes: readonly number[]): number {
  let [days, dayFrom, last] = [0, 0, 0]
  for (const at of votes) {
    if (days === 0 || at - last > 2 * DAY) [days, dayFrom] = [1, at]
    else if (at - dayFrom >= DAY) [days, dayFrom] = [days + 1, at]
    last = at
  }
  return days
}

type Step =
  | { do: 'pass'; ms: number }
  | { do: 'vote'; voter: number }
  | { do: 'delete'; vote: number }
  | { do: 'upkeep' }
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(
        fc.nat({ max: 30 * HOUR }),
        fc.constantFrom(1, DAY - 1, DAY, DAY + 1, 2 * DAY - 1, 2 * DAY, 2 * DAY + 1),
      ),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('vote' as const), voter: fc.nat({ max: VOTERS.length - 1 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), vote: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('upkeep' as const) }) },
)

test('over time are as the definition says, in the result and in the status, also after votes are deleted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      clock = Date.parse('2026-03-01T00:00:00.000Z')
      const serverId = await addServer(pool)
      let votes: { id: string; key: string; at: number }[] = []
      const lastOf = new Map<string, { key: string; at: number }>()
      const streakOfKey = (key: string) => streakOf(votes.filter((one) => one.key === key).map(({ at }) => at))

      for (const next of steps) {
        if (next.do === 'pass') clock += next.ms
        else if (next.do === 'upkeep') {
          await clearOldCooldowns(pool, { now: now(), limit: 1 })
          await clearEndedStreaks(pool, { now: now(), limit: 1 })
        } else if (next.do === 'delete') {
          const removed = votes[next.vote % votes.length]
          votes = votes.filter((one) => one !== removed)
          await pool.query('delete from votes where id = $1', [removed?.id])
        } else {
          const voter = VOTERS[next.voter]
          if (!voter) continue
          const { visitorId, username, gamePlatformId } = voter
          const last = lastOf.get(visitorId)
          if (last && clock - last.at < DAY) continue
          const [id, key] = [uuidv7(), keyOf(voter)]
          const answer = await vote({
            id,
            serverId,
            visitorId,
            username,
            gamePlatformId,
            addressKey: '',
            senderId: null,
          })
          votes.push({ id, key, at: clock })
          lastOf.set(visitorId, { key, at: clock })
          expect(answer.streak).toBe(streakOfKey(key))
        }
        for (const [visitorId, { key, at }] of lastOf) {
          const newest = Math.max(...votes.filter((one) => one.key === key).map((one) => one.at))
          const lives = clock - Math.min(newest, at) <= 2 * DAY
          const status = await findCooldown(pool, { serverId, visitorId }, now())
          expect(status?.streak).toBe(lives ? streakOfKey(key) : 0)
        }
      }
    }),
    { numRuns: rounds(60) },
  )
})

test('of one player’s votes that come at once from many browsers, through two processes, count one day', async () => {
  const serverId = await addServer(pool)
  const others = [vote, newVoting()]
  const voteFrom = (n: number) =>
    others[n % 2]?.({
      id: uuidv7(),
      serverId,
      visitorId: randomUUID(),
      username: 'Zoe',
      gamePlatformId: '',
      addressKey: '',
      senderId: null,
    })
  for (const day of [1, 2, 3]) {
    clock = Date.parse('2026-03-01T00:00:00.000Z') + day * DAY
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => voteFrom(n)))
    expect(new Set(answers.map((answer) => answer?.streak))).toEqual(new Set([day]))
  }
  const { rows } = await pool.query('select days from vote_streaks where server_id = $1', [serverId])
  expect(rows).toEqual([{ days: 3 }])
})

describe('over HTTP', () => {
  test('a vote within 48 hours of the last continues, a later one starts again', async () => {
    const [server, visitorId] = [await addServer(pool), newVisitor()]
    const streaks: unknown[] = []
    for (const later of ['0 hours', '24 hours', '48 hours -1 minute', '48 hours 1 minute']) {
      await age(pool, server, later)
      const before = await canVote(api, server, visitorId)
      streaks.push([before.streak, (await voteOnce(api, server, { visitorId })).streak])
    }
    expect(streaks).toEqual([
      [0, 1],
      [1, 2],
      [2, 3],
      [0, 1],
    ])
  })

  test('a streak is one server’s', async () => {
    const [server, other] = [await addServer(pool), await addServer(pool)]
    await voteOnce(api, server, { username: 'Ann' })
    await age(pool, server, '1 day')
    expect(await voteOnce(api, other, { username: 'Ann' })).toMatchObject({ streak: 1 })
    expect(await voteOnce(api, server, { username: 'Ann' })).toMatchObject({ streak: 2 })
  })
})
