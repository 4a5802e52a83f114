// The order by score and a server's own numbers: through decades, and the same from every source of rows.
import { beforeAll, describe, expect, it } from 'vitest'
import { createSnapshot } from '../../../src/features/directory/engine/snapshot.ts'
import { startTestApi } from '../../support/api.ts'
import { countersRow, modelServer, serverRow, uptimeRow } from './model.ts'
import { insertServer, putUptime, putVotes, setDeleted } from './rows-in-database.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const YEAR_HOURS = 8_766
const START_HOUR = (NOW - Date.UTC(2024, 0, 1)) / 3_600_000

const weightOf = (hour: number) => BigInt(Math.round(2 ** (20 + (hour % 240) / 240))) << BigInt(Math.floor(hour / 240))

describe('the order by score', () => {
  it.each([10, 50])('is exact in %i years: a vote decides between thousands, and old votes do not count', (years) => {
    const snapshot = createSnapshot(NOW)
    const now = Math.floor(START_HOUR + years * YEAR_HOURS)
    const scores = [
      ['a vote more', 10_001n * weightOf(now)],
      ['many', 10_000n * weightOf(now)],
      ['ten days ago', 10_000n * weightOf(now - 240)],
      ['one', weightOf(now)],
      ['a million a year ago', 1_000_000n * weightOf(now - YEAR_HOURS)],
      ['a million ten years ago', 1_000_000n * weightOf(now - 10 * YEAR_HOURS)],
      ['none', 0n],
    ] as const
    // Read in another order than that of the scores.
    for (const [n, [name, score]] of [...scores].reverse().entries()) {
      const id = `00000000-0000-7000-8000-00000000000${n}`
      const server = modelServer({ id, name, voteScore: String(score) })
      snapshot.applyServer(serverRow(server, 1))
      snapshot.applyCounters(countersRow(server, 1))
    }
    const sorted = Array.from(snapshot.orders.sorted('score', 'desc'), (slot) => snapshot.names.at(slot))
    expect(sorted).toEqual(scores.map(([name]) => name))
  })

  it('is the same whichever row comes first: counters or uptime', () => {
    const rows = [
      modelServer({
        id: '00000000-0000-7000-8000-000000000001',
        voteScore: '900',
        uptime: { day: 0.5, week: 1, month: 1 },
      }),
      modelServer({ id: '00000000-0000-7000-8000-000000000002', voteScore: '500' }),
    ]
    const [one, other] = [createSnapshot(NOW), createSnapshot(NOW)]
    for (const server of rows) for (const snapshot of [one, other]) snapshot.applyServer(serverRow(server, 1))
    for (const server of rows) {
      one.applyCounters(countersRow(server, 2))
      one.orders.sorted('score', 'desc')
      one.applyUptime(uptimeRow(server, 2))
      other.applyUptime(uptimeRow(server, 2))
      other.applyCounters(countersRow(server, 2))
    }
    const ids = [one, other].map((snapshot) => Array.from(snapshot.orders.sorted('score', 'desc'), snapshot.idOf))
    expect(ids[0]).toEqual([rows[1]?.id, rows[0]?.id])
    expect(ids[1]).toEqual(ids[0])
  })
})

const api = await startTestApi({ clock: () => NOW })
const { pool } = api.database
let first = ''
let second = ''
let rust = ''
let none = ''

const rankOf = async (id: string) => {
  const response = await api.request(`/api/servers/${id}/rank`)
  return { status: response.status, ...((await response.json()) as object) }
}

beforeAll(async () => {
  const createdAt = new Date('2026-02-01T00:00:00Z')
  none = await insertServer(pool, { name: 'None' })
  first = await insertServer(pool, { name: 'First', createdAt })
  second = await insertServer(pool, { name: 'Second', createdAt })
  rust = await insertServer(pool, { name: 'Rust', game: 'rust', createdAt })
  const addWeight = (id: string, votes: number, days: number, played = 0) =>
    pool.query(
      `update server_counters set vote_score = vote_score + $2 * vote_weight($3), play_score = play_score + $4 * vote_weight($5)
       where server_id = $1`,
      [id, votes, new Date(NOW - days * 86_400_000), played, new Date(NOW)],
    )
  for (const id of [first, second, rust]) await putVotes(pool, id, 212)
  await addWeight(first, 40, 0, 2)
  await addWeight(first, 40, 10)
  await addWeight(second, 100, 0)
  await addWeight(rust, 50, 0)
  await putUptime(pool, second, 0.5, 0.9, 0.9)
  await api.directory.refresh()
})

describe('GET /servers/{id}/rank', () => {
  it('has the numbers of the formula and the places', async () => {
    expect(await rankOf(first)).toEqual({
      status: 200,
      place: 1,
      servers: 4,
      placeInGame: 1,
      serversOfGame: 3,
      totalVotes: 212,
      countedVotes: 60,
      playing: 2,
      availability: 1,
      score: 62,
    })
    expect(await rankOf(second)).toMatchObject({
      place: 3,
      placeInGame: 2,
      countedVotes: 100,
      availability: 0.45,
      score: 45,
    })
    expect(await rankOf(rust)).toMatchObject({ place: 2, placeInGame: 1, serversOfGame: 1, score: 50 })
    expect(await rankOf(none)).toMatchObject({ place: 4, placeInGame: 3, countedVotes: 0, score: 0 })
  })

  it('agrees with the list by score, which can be filtered, walked and turned around', async () => {
    const list = async (query: string) => {
      const response = await api.request(`/api/servers?fields=name&sortBy=score${query}`)
      const { servers, nextCursor } = (await response.json()) as { servers: { name: string }[]; nextCursor: string }
      return { names: servers.map(({ name }) => name), nextCursor }
    }
    expect((await list('')).names).toEqual(['First', 'Rust', 'Second', 'None'])
    expect((await list('&sortOrder=asc')).names).toEqual(['None', 'Second', 'Rust', 'First'])
    expect((await list('&game=ase')).names).toEqual(['First', 'Second', 'None'])
    const { names, nextCursor } = await list('&limit=2')
    expect(names).toEqual(['First', 'Rust'])
    expect((await list(`&limit=2&cursor=${nextCursor}`)).names).toEqual(['Second', 'None'])
  })

  it('has the score that list and detail show', async () => {
    const list = await (await api.request('/api/servers?sortBy=score')).json()
    expect(list).toMatchObject({ servers: [{ score: 62 }, { score: 50 }, { score: 45 }, { score: 0 }] })
    expect(await (await api.request(`/api/servers/${second}`)).json()).toMatchObject({ score: 45 })
  })

  it('is 404 for a server that is not listed', async () => {
    await setDeleted(pool, none, true)
    await api.directory.refresh()
    expect(await rankOf(none)).toMatchObject({ status: 404 })
    expect(await rankOf('nonsense')).toMatchObject({ status: 404 })
    expect(await rankOf(first)).toMatchObject({ servers: 3 })
  })
})
