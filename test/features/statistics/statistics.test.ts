// The directory's totals by game and country: now, and in the last 24 hours.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteOldTotals, findTotals, insertTotals } from '../../../src/features/history/index.ts'
import { startTestApi } from '../../support/api.ts'
import { insertServer, putStatus, setDeleted } from '../directory/rows-in-database.ts'
import { DAY, HOUR, MINUTE } from '../history/samples.ts'

const NOON = Date.UTC(2026, 10, 20, 12)
let now = NOON + 20 * MINUTE
const api = await startTestApi({ clock: () => now, settings: { DIRECTORY_MAX_STALENESS_SECONDS: '30' } })
const { pool } = api.database

interface Totals {
  servers: number
  players: number
  playersByHour: (number | null)[]
}
interface Reply extends Totals {
  hours: string[]
  onlineServers: number
  games: (Totals & { game: string; gameName: string })[]
  countries: (Totals & { country: string })[]
}

const get = (etag = '') => api.request('/api/stats', { headers: etag ? { 'If-None-Match': etag } : {} })
const read = async () => (await (await get()).json()) as Reply
const hoursAgo = (hours: number) => new Date(NOON - hours * HOUR)
const addTotals = () => insertTotals(pool, new Date(now))

/** One rolled-up hour of a server: polls, of them answered, and the sum of their players. */
const rollUp = (id: string, hour: Date, [polls, answered, sum]: [number, number, number]) =>
  pool.query(
    `insert into player_history_hours (server_id, hour, polls, answered, players_sum, players_max, max_players)
     values ($1, $2, $3, $4, $5, 99, 100)`,
    [id, hour, polls, answered, sum],
  )

let isle = ''
let rust = ''
let hidden = ''

beforeAll(async () => {
  isle = await insertServer(pool, { game: 'ase' })
  rust = await insertServer(pool, { game: 'rust' })
  const second = await insertServer(pool, { game: 'rust' })
  hidden = await insertServer(pool, { game: 'csgo' })
  for (const [id, currentPlayers] of [
    [isle, 7],
    [rust, 20],
    [second, 5],
    [hidden, 1000],
  ] as const)
    await putStatus(pool, id, { currentPlayers, isOnline: id !== second })
  await pool.query(`update server_status set country = 'DE' where server_id = any($1)`, [[isle, rust, hidden]])
  await setDeleted(pool, hidden, true)
  await api.directory.refresh()

  await pool.query('update player_history_progress set rolled_to = $1', [new Date(NOON)])
  for (const id of [isle, hidden]) await rollUp(id, hoursAgo(1), [60, 60, 600]) // 10 players
  await rollUp(rust, hoursAgo(1), [4, 2, 8]) // 4 players for half of the hour
  await rollUp(second, hoursAgo(1), [60, 60, 60])
  await rollUp(rust, hoursAgo(3), [60, 0, 0]) // polled, and offline all the time
  await rollUp(rust, hoursAgo(24), [60, 60, 3600])
  await rollUp(rust, hoursAgo(25), [60, 60, 6000])
})

describe('GET /api/stats', () => {
  it('has only gaps before the first hour is summed up', async () => {
    const { hours, playersByHour } = await read()
    expect(hours).toHaveLength(24)
    expect([hours[0], hours[23]]).toEqual(['2026-11-19T12:00:00.000Z', '2026-11-20T11:00:00.000Z'])
    expect(playersByHour).toEqual(Array.from({ length: 24 }, () => null))
  })

  it('adds up the means of listed servers by hour, game and country; an hour without polls is a gap, one without answers 0', async () => {
    expect(await addTotals()).toBe(6)
    expect(await addTotals()).toBe(0)
    now += MINUTE + 1
    await api.directory.refresh()
    const { games, countries, hours: _hours, ...all } = await read()
    const curve = (values: Record<number, number>) =>
      Array.from({ length: 24 }, (_, index) => values[24 - index] ?? null)
    expect(all).toEqual({ servers: 3, onlineServers: 2, players: 32, playersByHour: curve({ 24: 60, 3: 0, 1: 13 }) })
    expect(games).toEqual([
      { game: 'rust', gameName: 'Rust', servers: 2, players: 25, playersByHour: curve({ 24: 60, 3: 0, 1: 3 }) },
      { game: 'ase', gameName: 'Ark: Survival Evolved', servers: 1, players: 7, playersByHour: curve({ 1: 10 }) },
    ])
    expect(countries).toEqual([
      { country: 'DE', servers: 2, players: 27, playersByHour: curve({ 24: 60, 3: 0, 1: 12 }) },
    ])
  })

  it('is made once a minute, with an ETag that any page may use', async () => {
    const response = await get()
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    const etag = response.headers.get('etag') ?? ''
    expect((await get(etag)).status).toBe(304)
    await putStatus(pool, isle, { currentPlayers: 70 })
    await api.directory.refresh()
    expect((await get(etag)).status).toBe(304)
    now += MINUTE + 1
    await api.directory.refresh()
    expect((await get(etag)).status).toBe(200)
    expect((await read()).games[0]).toMatchObject({ game: 'ase', players: 70 })
  })

  it('catches up with an hour that is rolled up late', async () => {
    await rollUp(isle, hoursAgo(5), [1, 1, 3])
    expect(await addTotals()).toBe(1)
    now += MINUTE + 1
    await api.directory.refresh()
    expect((await read()).playersByHour[24 - 5]).toBe(3)
  })

  it('is not there while the directory is old, although it was made before', async () => {
    now += HOUR
    const late = await get()
    expect([late.status, await late.json()]).toEqual([503, expect.objectContaining({ error: 'unavailable' })])
    now -= HOUR
  })
})

describe('hourly totals', () => {
  it('are kept for 32 days', async () => {
    const all = () => findTotals(pool, new Date(NOON - 99 * DAY), new Date(NOON + 99 * DAY))
    const before = (await all()).length
    expect(await deleteOldTotals(pool, new Date(NOON + 30 * DAY))).toBe(0)
    expect(await all()).toHaveLength(before)
    await deleteOldTotals(pool, new Date(NOON + 32 * DAY - 90 * MINUTE))
    expect((await all()).map(({ hour }) => hour)).toEqual(Array.from({ length: 5 }, () => hoursAgo(1)))
  })

  it('are read from one range of the index', async () => {
    await pool.query(
      `insert into player_history_totals
       select $1::timestamptz - n * interval '1 hour', 'game ' || game, '', 1, 1, 1
       from generate_series(100, 700) as n, generate_series(1, 40) as game`,
      [hoursAgo(0)],
    )
    await pool.query('analyze player_history_totals')
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `explain select hour, game, country, sum(players) from player_history_totals where hour >= $1 and hour < $2
       group by grouping sets ((hour), (hour, game), (hour, country))`,
      [hoursAgo(24), hoursAgo(0)],
    )
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('player_history_totals_pkey')
    expect(plan).not.toContain('Seq Scan')
  })

  it('of an hour that is not rolled up completely are not summed up yet', async () => {
    await rollUp(rust, new Date(NOON), [1, 1, 3])
    await insertTotals(pool, new Date(NOON + HOUR))
    expect(await findTotals(pool, new Date(NOON), new Date(NOON + HOUR))).toEqual([])
    await pool.query('delete from player_history_hours where hour = $1', [new Date(NOON)])
  })

  it('of many servers are summed up once when two workers do it at the same time', async () => {
    const ids = Array.from({ length: 300 }, () => randomUUID())
    await pool.query(
      `insert into servers (id, game, name, ip_address, game_port, query_port)
       select id, 'mbe', 'Many', '10.0.0.' || place, 7777, place + 20000 from unnest($1::uuid[]) with ordinality as many (id, place)`,
      [ids],
    )
    await pool.query('insert into server_status (server_id) select unnest($1::uuid[])', [ids])
    await pool.query(
      `insert into player_history_hours select id, $2, 60, 60, 120, 2, 9 from unnest($1::uuid[]) as id`,
      [ids, hoursAgo(2)],
    )
    await Promise.all([addTotals(), addTotals()])
    const totals = await findTotals(pool, hoursAgo(2), hoursAgo(1))
    expect(totals).toHaveLength(3)
    expect(totals).toEqual(
      expect.arrayContaining([
        { hour: hoursAgo(2), game: 'mbe', country: null, players: 600 },
        { hour: hoursAgo(2), game: null, country: '', players: 600 },
        { hour: hoursAgo(2), game: null, country: null, players: 600 },
      ]),
    )
  })
})
