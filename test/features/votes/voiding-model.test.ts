// Votes, voidings, restores and turns of months in any order: what counts is as if the voided votes had never been
// (docs/decisions/0075).
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { archiveVoteMonths, rankVoteMonths } from '../../../src/features/votes/upkeep.service.ts'
import type { VoteSelection } from '../../../src/features/votes/voiding/voiding.schema.ts'
import { runVoteVoiding } from '../../../src/features/votes/voiding/voiding.service.ts'
import { beginRestoring, findVoiding, insertVoiding } from '../../../src/features/votes/voiding/voidings.sql.ts'
import { createVoting } from '../../../src/features/votes/votes.service.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { rounds } from '../../support/rounds.ts'
import { addServer } from './support.ts'

const { deps } = await startTestApi()
const { pool } = deps
const { id: adminId } = await addPerson(pool)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NAMES = ['Ann', 'Bea', 'Bob', 'b%b']
const NETWORKS = ['network-one', 'network-two']

let clock = 0
const now = () => new Date(clock)
const vote = createVoting({
  pool,
  now,
  votesPerAddress: 0,
  refreshSoon: async () => undefined,
  applyEffects: async () => true,
})
const monthOf = (at: number) => new Date(at).toISOString().slice(0, 7)

interface ModelVote {
  server: number
  at: number
  name: string
  network: string
  voiding: string | null
}

type Selected = { server?: number; name?: string; network?: string; hours?: number }
type Step =
  | { do: 'pass'; ms: number }
  | { do: 'turn' }
  | { do: 'vote'; server: number; name: number; network: number }
  | { do: 'void'; selected: Selected; killedAfter: number }
  | { do: 'restore'; voiding: number; killedAfter: number }
  | { do: 'archive' }

const server = fc.nat({ max: 1 })
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined })
const killedAfter = fc.nat({ max: 6 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.oneof(fc.nat({ max: 30 * HOUR }), fc.constantFrom(1, DAY, DAY + 1, 2 * DAY, 2 * DAY + 1, 9 * DAY)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('turn' as const) }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('vote' as const),
      server,
      name: fc.nat({ max: 3 }),
      network: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('void' as const),
      selected: fc.record({
        server: optional(server),
        name: optional(fc.constantFrom('ann', 'b*', '*B', 'b%b', '*')),
        network: optional(fc.constantFrom(...NETWORKS)),
        hours: fc.constantFrom(1, 30, 100, 10_000),
      }) as fc.Arbitrary<Selected>,
      killedAfter,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('restore' as const), voiding: fc.nat(), killedAfter }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('archive' as const) }) },
)

/** The job, whose worker dies after some batches; another one continues. */
async function runJob(voidingId: string, batches: number) {
  let left = batches
  const dying = {
    throwIfAborted() {
      if (left-- === 0) throw new Error('killed')
    },
  } as AbortSignal
  await runVoteVoiding(deps, { voidingId }, dying, { limit: 2, now: now() }).catch((error: Error) =>
    expect(error.message).toBe('killed'),
  )
  await runVoteVoiding(deps, { voidingId }, undefined, { limit: 3, now: now() })
}

const matches = (pattern: string | undefined, name: string) =>
  pattern === undefined ||
  new RegExp(
    `^${pattern
      .split('*')
      .map((part) => RegExp.escape(part))
      .join('.*')}$`,
    'i',
  ).test(name)

/** The days in a row of the last run of votes. */
function streakOf(times: readonly number[]): number {
  let [days, dayFrom, last] = [0, 0, 0]
  for (const at of times) {
    if (days === 0 || at - last > 2 * DAY) [days, dayFrom] = [1, at]
    else if (at - dayFrom >= DAY) [days, dayFrom] = [days + 1, at]
    last = at
  }
  return days
}

async function whatCounts(serverId: string) {
  const { rows } = await pool.query<Record<string, unknown>>(
    `select total_votes - voided_votes as total, vote_score::text as score,
       (select coalesce(json_object_agg(month, votes), '{}') from (
          select to_char(month, 'YYYY-MM') as month, sum(votes) as votes from (
            select month, votes from server_vote_months where server_id = $1
            union all
            select votes_month, monthly_votes from server_counters where server_id = $1) as counted
          group by 1
          having sum(votes) > 0) as every) as months,
       (select coalesce(json_object_agg(username, days), '{}') from vote_streaks join (
          select distinct voter_key, username from votes where server_id = $1) as voter using (voter_key)
        where server_id = $1 and last_voted_at >= $2::timestamptz - interval '48 hours') as streaks
     from server_counters where server_id = $1`,
    [serverId, now()],
  )
  return rows[0]
}

async function weightOf(times: readonly number[]): Promise<string> {
  const { rows } = await pool.query<{ sum: string }>(
    'select coalesce(sum(vote_weight(at)), 0)::text as sum from unnest($1::timestamptz[]) as at',
    [times.map((at) => new Date(at))],
  )
  return rows[0]?.sum ?? ''
}

function standingsOf(votes: readonly ModelVote[], month: string, servers: readonly string[]) {
  const counts = servers.map((_, n) => votes.filter((one) => one.server === n && monthOf(one.at) === month).length)
  return servers.flatMap((id, n) => {
    const own = counts[n] ?? 0
    return own === 0 ? [] : [{ id, votes: own, place: 1 + counts.filter((count) => count > own).length }]
  })
}

test('counters, months, standings, scores and streaks are as if voided votes had never been', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      clock = Date.parse('2025-01-30T20:00:00.000Z')
      await pool.query('delete from servers')
      const servers = [await addServer(pool), await addServer(pool)].sort()
      await pool.query("update server_counters set votes_month = '2025-01-01'")
      const votes: ModelVote[] = []
      const voidings: { id: string; isRestored: boolean }[] = []

      for (const next of steps) {
        if (next.do === 'pass') clock += next.ms
        else if (next.do === 'turn') {
          const at = new Date(clock)
          clock = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
        } else if (next.do === 'archive') await archiveVoteMonths(pool, { now: now() })
        else if (next.do === 'vote') {
          const [name, network] = [NAMES[next.name] ?? '', NETWORKS[next.network] ?? '']
          const voter = { visitorId: `visitor ${next.network} of ${name}`, username: name, gamePlatformId: '' }
          const origin = { networkKey: network, networkOwner: null, fromPage: true }
          const sent = {
            id: uuidv7(),
            serverId: servers[next.server] ?? '',
            ...voter,
            addressKey: '',
            senderId: null,
            origin,
          }
          const counted = await vote(sent).catch(() => undefined)
          if (counted) votes.push({ server: next.server, at: clock, name, network, voiding: null })
        } else if (next.do === 'void') {
          const { server: n, name, network, hours = 0 } = next.selected
          const from = new Date(clock - hours * HOUR)
          const selection: VoteSelection = { from: from.toISOString() }
          if (n !== undefined) selection.serverId = servers[n]
          if (name !== undefined) selection.name = name
          if (network !== undefined) selection.networks = network
          const id = uuidv7()
          await insertVoiding(pool, { id, createdBy: adminId, byModerator: false, reason: 'Because.', selection })
          await runJob(id, next.killedAfter)
          const selected = votes.filter(
            (one) =>
              one.voiding === null &&
              (n === undefined || one.server === n) &&
              one.at >= from.getTime() &&
              (network === undefined || one.network === network) &&
              matches(name, one.name),
          )
          for (const one of selected) one.voiding = id
          voidings.push({ id, isRestored: false })
          expect(await findVoiding(pool, id)).toMatchObject({ status: 'voided', votes: selected.length })
        } else {
          const voiding = voidings[next.voiding % voidings.length]
          if (!voiding || voiding.isRestored) continue
          voiding.isRestored = true
          await beginRestoring(pool, voiding.id, adminId)
          await runJob(voiding.id, next.killedAfter)
          const restored = votes.filter((one) => one.voiding === voiding.id)
          for (const one of restored) one.voiding = null
          expect(await findVoiding(pool, voiding.id)).toMatchObject({
            status: 'restored',
            restoredVotes: restored.length,
          })
        }
      }

      const counting = votes.filter(({ voiding }) => voiding === null)
      for (const [n, id] of servers.entries()) {
        const own = counting.filter((one) => one.server === n)
        const months = [...new Set(own.map(({ at }) => monthOf(at)))]
        const streaks = NAMES.map((name) => [name, own.filter((one) => one.name === name).map(({ at }) => at)] as const)
        expect(await whatCounts(id)).toEqual({
          total: own.length,
          score: await weightOf(own.map(({ at }) => at)),
          months: Object.fromEntries(
            months.map((month) => [month, own.filter(({ at }) => monthOf(at) === month).length]),
          ),
          streaks: Object.fromEntries(
            streaks
              .filter(([, times]) => (times.at(-1) ?? 0) >= clock - 2 * DAY)
              .map(([name, times]) => [name, streakOf(times)]),
          ),
        })
      }
      clock += 62 * DAY
      await archiveVoteMonths(pool, { now: now() })
      await rankVoteMonths(pool, now())
      for (const month of new Set(votes.map(({ at }) => monthOf(at)))) {
        const { rows } = await pool.query(
          'select server_id as id, votes, place from server_vote_months where month = $1 and place is not null order by server_id',
          [`${month}-01`],
        )
        expect(rows).toEqual(standingsOf(counting, month, servers))
      }
    }),
    { numRuns: rounds(60) },
  )
})
