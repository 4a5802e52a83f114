// A model of votes over time that the service must agree with: cooldowns, the cap of an address, months, late
// and interrupted resets.
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { createServers } from '../../../src/features/servers/index.ts'
import { findCooldown } from '../../../src/features/votes/cooldowns.sql.ts'
import {
  archiveVoteMonths,
  clearOldCooldowns,
  clearOldVoteAddresses,
} from '../../../src/features/votes/upkeep.service.ts'
import { archiveMonths } from '../../../src/features/votes/upkeep.sql.ts'
import { findVoter, redeemVotes } from '../../../src/features/votes/voters.sql.ts'
import { createVoting } from '../../../src/features/votes/votes.service.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { ApiError } from '../../../src/platform/http/errors.ts'
import { createTestDatabase } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'

const { pool } = await createTestDatabase()
const servers = createServers({ pool })
const { id: ownerId } = await addPerson(pool)
const { id: strangerId } = await addPerson(pool)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const VISITORS = ['visitor-one-1', 'visitor-two-2', 'visitor-three', 'visitor-four']
const NAMES = ['Ann', 'Bea', '']
/** The third vote of an address for one server in 24 hours is refused. */
const CAP = 2
const ADDRESSES = ['address-1', 'address-2']
/** The address stands for nothing when the owner's key sends the vote. */
type Origin = 'owner' | 0 | 1

let clock = 0
const now = () => new Date(clock)
const recordVote = createVoting({
  pool,
  now,
  votesPerAddress: CAP,
  refreshSoon: async () => undefined,
  applyEffects: async () => true,
})

function nextMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7)

interface ModelVote {
  at: number
  name: string
  from: Origin
  isClaimed: boolean
}

class Model {
  readonly votes: ModelVote[][] = [[], []]
  readonly last = new Map<string, number>()

  vote(server: number, visitor: number, from: Origin, at: number): 'accepted' | { cooldown: number } | { cap: number } {
    const key = `${server} ${visitor}`
    const last = this.last.get(key)
    if (last !== undefined && at < last + DAY) return { cooldown: last + DAY - at }
    const [, blocking] = (this.votes[server] ?? [])
      .filter((vote) => from !== 'owner' && vote.from === from && vote.at > at - DAY)
      .map((vote) => vote.at)
      .sort((a, b) => b - a)
    if (blocking !== undefined) return { cap: blocking + DAY - at }
    this.last.set(key, at)
    this.votes[server]?.push({ at, name: NAMES[visitor] ?? '', from, isClaimed: false })
    return 'accepted'
  }

  ofMonth(server: number, month: string): number {
    return (this.votes[server] ?? []).filter(({ at }) => monthOf(at) === month).length
  }
}

type Step =
  | { do: 'pass' | 'pass into the next month'; ms: number }
  | { do: 'vote' | 'late vote'; server: number; visitor: number; from: Origin }
  | { do: 'claim'; server: number; name: string }
  | { do: 'reset' | 'broken off reset' | 'upkeep' }

const server = fc.nat({ max: 1 })
const visitor = fc.nat({ max: VISITORS.length - 1 })
const from = fc.constantFrom<Origin>(0, 0, 0, 1, 'owner')
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.nat({ max: 2 * DAY }), fc.constantFrom(1, DAY - 1, DAY, DAY + 1, 28 * DAY, 31 * DAY, 70 * DAY)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('pass into the next month' as const), ms: fc.nat({ max: HOUR - 1 }) }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('vote' as const), server, visitor, from }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('late vote' as const), server, visitor, from }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('claim' as const), server, name: fc.constantFrom('Ann', 'Bea') }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('reset' as const, 'broken off reset' as const, 'upkeep' as const) }),
  },
)
/** Just before the ends of months of 28, 29, 30 and 31 days, a leap day's and a year's. */
const start = fc.constantFrom(
  '2026-02-28T23:00:00.000Z',
  '2028-02-28T23:59:59.999Z',
  '2028-02-29T12:00:00.000Z',
  '2026-04-30T23:59:00.000Z',
  '2026-12-31T23:59:59.000Z',
  '2100-02-28T20:00:00.000Z',
)

let port = 30_000
const addServer = () => servers.add({ name: 'A server', ipAddress: '192.0.2.9', gamePort: port, queryPort: port++ })

async function countersOf(serverId: string) {
  const { rows } = await pool.query<{ total: number; monthly: number; month: string }>(
    `select total_votes as total, monthly_votes as monthly, to_char(votes_month, 'YYYY-MM') as month
     from server_counters where server_id = $1`,
    [serverId],
  )
  return rows[0]
}

/** Votes by month, of the counter and the archive together. */
async function monthsOf(serverId: string): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ month: string; votes: number }>(
    `select to_char(month, 'YYYY-MM') as month, sum(votes)::integer as votes from (
       select month, votes from server_vote_months where server_id = $1
       union all
       select votes_month, monthly_votes from server_counters where server_id = $1 and monthly_votes > 0) as every
     group by 1 order by 1`,
    [serverId],
  )
  return Object.fromEntries(rows.map(({ month, votes: n }) => [month, n]))
}

test('votes over time are as the model says', async () => {
  await fc.assert(
    fc.asyncProperty(start, fc.array(step, { minLength: 5, maxLength: 40 }), async (begin, steps) => {
      clock = Date.parse(begin)
      const model = new Model()
      const ids = [(await addServer()).id, (await addServer()).id]
      await pool.query(
        `update server_counters set votes_month = date_trunc('month', $2::timestamptz at time zone 'utc')::date where server_id = any($1)`,
        [ids, new Date(clock)],
      )
      await pool.query('update servers set owner_id = $2 where id = any($1)', [ids, ownerId])
      const idOf = (n: number) => ids[n] ?? ''

      async function vote(n: number, who: number, source: Origin): Promise<void> {
        const expected = model.last.get(`${n} ${who}`)
        const voter = { serverId: idOf(n), visitorId: VISITORS[who] ?? '' }
        const cooldown = await findCooldown(pool, voter, now())
        const remaining = expected === undefined ? 0 : Math.max(0, expected + DAY - clock)
        expect([cooldown?.lastVotedAt === null, cooldown?.remainingMs ?? 0]).toEqual([remaining === 0, remaining])
        const outcome = model.vote(n, who, source, clock)
        const origin =
          source === 'owner'
            ? { addressKey: ADDRESSES[0] ?? '', senderId: ownerId }
            : { addressKey: ADDRESSES[source] ?? '', senderId: source === 1 ? strangerId : null }
        const input = { id: uuidv7(), ...voter, username: NAMES[who] ?? '', gamePlatformId: '', ...origin }
        const answer = await recordVote(input).catch((error: unknown) => error)
        if (outcome === 'accepted') expect(answer).toMatchObject({ success: true, nextVoteAt: new Date(clock + DAY) })
        else if (!(answer instanceof ApiError)) throw new Error('the vote was counted')
        else if ('cap' in outcome) {
          expect([answer.code, answer.fields]).toEqual(['rate_limited', {}])
          expect(answer.headers).toEqual({ 'Retry-After': String(Math.ceil(outcome.cap / 1000)) })
        } else {
          expect(answer.fields).toEqual({
            cooldownRemaining: outcome.cooldown,
            nextVoteAt: new Date(clock + outcome.cooldown).toISOString(),
          })
        }
      }

      for (const next of steps) {
        if (next.do === 'pass') clock += next.ms
        else if (next.do === 'pass into the next month') clock = nextMonth(clock) + next.ms
        else if (next.do === 'vote') await vote(next.server, next.visitor, next.from)
        else if (next.do === 'late vote') {
          // Began up to an hour ago, when it may have been another month, and gets the lock only now.
          clock -= HOUR
          const before = model.last.get(`${next.server} ${next.visitor}`)
          if (before === undefined || before <= clock) await vote(next.server, next.visitor, next.from)
          clock += HOUR
        } else if (next.do === 'claim') {
          const due = (model.votes[next.server] ?? []).filter(({ name, isClaimed }) => name === next.name && !isClaimed)
          const ids = await redeemVotes(pool, idOf(next.server), { username: next.name }, { now: now() })
          expect([ids.length, new Set(ids).size]).toEqual([due.length, due.length])
          for (const claimedVote of due) claimedVote.isClaimed = true
        } else if (next.do === 'upkeep') {
          await clearOldCooldowns(pool, { now: new Date(clock), limit: 1 })
          await clearOldVoteAddresses(pool, { now: new Date(clock), limit: 1 })
        } else if (next.do === 'reset') await archiveVoteMonths(pool, { now: new Date(clock), limit: 1 })
        else {
          // One batch goes through; the next is under way when the worker dies.
          await archiveMonths(pool, { now: new Date(clock), limit: 1 })
          await expect(
            inTransaction(pool, async (tx) => {
              await archiveMonths(tx, { now: new Date(clock), limit: 1 })
              throw new Error('killed')
            }),
          ).rejects.toThrow('killed')
        }
      }

      for (const [n, id] of ids.entries()) {
        const all = model.votes[n] ?? []
        const months = [...new Set(all.map(({ at }) => monthOf(at)))].sort()
        expect(await monthsOf(id)).toEqual(Object.fromEntries(months.map((month) => [month, model.ofMonth(n, month)])))
        const counters = await countersOf(id)
        expect(counters?.total).toBe(all.length)
        if (counters?.month === monthOf(clock)) expect(counters.monthly).toBe(model.ofMonth(n, monthOf(clock)))
        else expect(model.ofMonth(n, monthOf(clock))).toBe(0)
        const { rows } = await pool.query<{ number: number; at: Date; claimed: boolean; byOwner: boolean }>(
          `select number, voted_at as at, claimed_at is not null as claimed, is_by_owner as "byOwner" from votes where server_id = $1 order by number`,
          [id],
        )
        expect(rows).toEqual(
          all.map(({ at, from, isClaimed }, index) => ({
            number: index + 1,
            at: new Date(at),
            claimed: isClaimed,
            byOwner: from === 'owner',
          })),
        )
        for (const name of ['Ann', 'Bea']) {
          const theirs = all.filter((given) => given.name === name)
          const last = Math.max(...theirs.map(({ at }) => at))
          const recent = theirs.filter(({ at }) => at > clock - DAY)
          expect(await findVoter(pool, id, { username: name }, now())).toEqual({
            redeemed: theirs.filter(({ isClaimed }) => isClaimed).length,
            unredeemed: theirs.filter(({ isClaimed }) => !isClaimed).length,
            lastVotedAt: last > clock - DAY ? new Date(last) : null,
            hasUnredeemed: recent.length ? recent.some(({ isClaimed }) => !isClaimed) : null,
          })
        }
      }
    }),
    { numRuns: rounds(160) },
  )
})
