// The end of a month under votes: its standings are right from the first moment on, and no vote is
// lost or in two months.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, it } from 'vitest'
import { createServers } from '../../../src/features/servers/index.ts'
import { findPlacesOfMonth, rankVoteMonths, recordVotes } from '../../../src/features/votes/index.ts'
import { archiveVoteMonths } from '../../../src/features/votes/upkeep.service.ts'
import { startTestApi } from '../../support/api.ts'

const END = Date.UTC(2026, 11, 1)
const MINUTE = 60_000
/** After the end, as the API sees it. */
let now = END + MINUTE
const api = await startTestApi({ clock: () => now })
const { pool } = api.database

/** Also from the API's memory: its pages have a hundred places. */
async function removeServers(): Promise<void> {
  await pool.query('update servers set deleted_at = now()')
  await api.directory.refresh()
  await pool.query('delete from servers')
}

async function addServers(games: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const [n, game] of games.entries()) {
    const { id } = await createServers({ pool }).add({
      name: `Server ${n}`,
      ipAddress: '192.0.2.9',
      gamePort: 7_000,
      queryPort: 7_000 + n,
      game,
    })
    ids.push(id)
  }
  await pool.query(`update server_counters set votes_month = '2026-11-01'`)
  return ids
}

const vote = (serverId: string, at: number) =>
  recordVotes(
    pool,
    [
      {
        id: uuidv7(),
        serverId,
        visitorId: randomUUID(),
        username: '',
        gamePlatformId: '',
        addressKey: '',
        senderId: null,
      },
    ],
    { now: new Date(at), onlyWithoutEffects: false, milestones: [], votesPerAddress: 0 },
  )

interface Reply {
  isRunning: boolean
  standings: { place: number; previousPlace: number | null; votes: number; server: { id: string } | null }[]
}

/** @returns votes by server id */
async function standingsOf(query: string): Promise<Reply> {
  now += 2 * MINUTE // pages of finished months are kept for a minute
  await api.directory.refresh()
  const response = await api.request(`/api/standings?limit=100&${query}`)
  expect(response.status).toBe(200)
  return (await response.json()) as Reply
}
const sumOf = ({ standings }: Reply) => standings.reduce((sum, { votes }) => sum + votes, 0)
const placesOf = ({ standings }: Reply) => standings.map(({ place, votes }) => `${place}: ${votes}`)

describe('the end of a month', () => {
  it('shows the finished month before, while and after it is archived, and places in it beside the new month', async () => {
    await removeServers()
    const [first = '', second = '', third = ''] = await addServers(['ase', 'rust', 'ase'])
    for (const id of [first, first, first, second, second, third]) await vote(id, END - MINUTE)
    for (const id of [second, second, first]) await vote(id, END)
    const check = async () => {
      expect(placesOf(await standingsOf('month=2026-11'))).toEqual(['1: 3', '2: 2', '3: 1'])
      expect(placesOf(await standingsOf('month=2026-11&game=ase'))).toEqual(['1: 3', '2: 1'])
      const running = await standingsOf('month=2026-12')
      expect(running.isRunning).toBe(true)
      expect(running.standings).toMatchObject([
        { place: 1, previousPlace: 2, votes: 2, server: { id: second } },
        { place: 2, previousPlace: 1, votes: 1, server: { id: first } },
      ])
    }
    await check() // of two servers the votes moved with the next ones, of the third they are in its counter
    await archiveVoteMonths(pool, { now: new Date(END), limit: 1 })
    await check()
    await rankVoteMonths(pool, new Date(END))
    await check()
    await vote(third, END - 1) // it waited for the lock while the month ended
    expect(placesOf(await standingsOf('month=2026-11'))).toEqual(['1: 3', '2: 2', '2: 2'])
  })

  it('has no places before all its votes are archived, also if votes are voided meanwhile', async () => {
    await removeServers()
    const [most = '', least = ''] = await addServers(['ase', 'ase'])
    for (const id of [most, most, least]) await vote(id, END - MINUTE)
    await vote(least, END) // archives its votes of the month that has ended
    const places = () => findPlacesOfMonth(pool, { month: '2026-11', after: null, limit: 10 })
    await rankVoteMonths(pool, new Date(END)) // as the voiding of votes does
    expect(await places()).toEqual([])
    await archiveVoteMonths(pool, { now: new Date(END) })
    await rankVoteMonths(pool, new Date(END))
    expect(await places()).toMatchObject([
      { serverId: most, place: 1 },
      { serverId: least, place: 2 },
    ])
  })

  it('counts each vote once, in its month, whatever runs at the same time', { timeout: 120_000 }, async () => {
    const offsets = fc.array(fc.tuple(fc.nat(3), fc.integer({ min: -20, max: 20 })), { minLength: 8, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(offsets, fc.nat(3), async (votes, archivers) => {
        await removeServers()
        const ids = await addServers(['ase', 'ase', 'rust', 'rust'])
        const sent = votes.map(([server, offset]) => ({ id: ids[server] ?? '', at: END + offset * 1_000 }))
        const before = sent.filter(({ at }) => at < END)
        // Reads never show more than was voted, nor less than an earlier read.
        const reads = async () => {
          let least = 0
          for (let n = 0; n < 4; n++) {
            const sum = sumOf(await standingsOf('month=2026-11'))
            expect(sum).toBeGreaterThanOrEqual(least)
            expect(sum).toBeLessThanOrEqual(before.length)
            least = sum
          }
        }
        const end = new Date(END + MINUTE)
        await Promise.all([
          ...sent.map(({ id, at }) => vote(id, at)),
          ...Array.from({ length: archivers }, async () => {
            await archiveVoteMonths(pool, { now: end, limit: 1 })
            await rankVoteMonths(pool, end)
          }),
          reads(),
        ])
        const expected = (of: typeof sent) =>
          ids.map((id) => of.filter((vote) => vote.id === id).length).filter((count) => count > 0)
        const shown = async (query: string) => (await standingsOf(query)).standings.map(({ votes }) => votes)
        const descending = (counts: number[]) => counts.toSorted((a, b) => b - a)
        expect(await shown('month=2026-11')).toEqual(descending(expected(before)))
        expect(await shown('month=2026-12')).toEqual(descending(expected(sent.filter(({ at }) => at >= END))))
        await archiveVoteMonths(pool, { now: end })
        await rankVoteMonths(pool, end)
        expect(await shown('month=2026-11')).toEqual(descending(expected(before)))
        const { rows } = await pool.query<{ total: number; votes: number }>(
          'select (select sum(total_votes) from server_counters)::integer as total, (select count(*) from votes)::integer as votes',
        )
        expect(rows[0]).toEqual({ total: sent.length, votes: sent.length })
      }),
      { numRuns: 12, endOnFailure: true },
    )
  })
})
