// What playing adds to scores: each finished hour once, however often, concurrently and interrupted it is added.
import { beforeEach, expect, test } from 'vitest'
import { playedVotes } from '../../../src/features/votes/index.ts'
import { addPlayedHours } from '../../../src/features/votes/playing.service.ts'
import { addPlayed } from '../../../src/features/votes/playing.sql.ts'
import { createTestDatabase, emptyTables } from '../../support/database.ts'
import { addServer } from './support.ts'

const { pool } = await createTestDatabase()
const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 20, 12)
const hour = (n: number) => new Date(NOON + n * HOUR_MS)

/** The players of an hour, from polls each minute. */
const rollUp = (serverId: string, of: Date, players: number) =>
  pool.query(
    `insert into player_history_hours (server_id, hour, polls, answered, players_sum, players_max, max_players)
     values ($1, $2, 60, 60, 60 * $3::integer, $3, 500)`,
    [serverId, of, players],
  )
const finishHours = (to: Date) => pool.query('update player_history_progress set rolled_to = $1', [to])

/** What playing counts at noon, in votes. */
async function playedOf(serverId: string): Promise<number> {
  const { rows } = await pool.query<{ votes: number }>(
    'select (play_score / vote_weight($2))::float8 as votes from server_counters where server_id = $1',
    [serverId, hour(0)],
  )
  return rows[0]?.votes ?? -1
}

/** An hour's players, that many hours after noon. */
const worth = (players: number, n: number) => playedVotes(players) * 2 ** (n / 240)

let full = ''
let small = ''
let empty = ''
beforeEach(async () => {
  await pool.query('delete from servers')
  await emptyTables(pool, 'player_history_hours')
  ;[full, small, empty] = [await addServer(pool), await addServer(pool), await addServer(pool)]
  for (const n of [0, 1, 2]) {
    await rollUp(full, hour(n), 100_000)
    await rollUp(small, hour(n), n)
    await rollUp(empty, hour(n), 0)
  }
})

test('a finished hour adds a little for its players, the same from 255 on, and nothing without', async () => {
  await finishHours(hour(1))
  expect(await addPlayedHours(pool)).toBe(1)
  expect(await playedOf(full)).toBeCloseTo(8 / 48, 5)
  expect([await playedOf(small), await playedOf(empty)]).toEqual([0, 0])
  await finishHours(hour(3))
  await addPlayedHours(pool)
  expect(await playedOf(full)).toBeCloseTo(worth(255, 0) + worth(255, 1) + worth(255, 2), 5)
  expect(await playedOf(small)).toBeCloseTo(worth(1, 1) + worth(2, 2), 5)
})

test('hours count once if they are added again, at once by several workers, and in batches of one', async () => {
  await finishHours(hour(3))
  await Promise.all([addPlayedHours(pool), addPlayedHours(pool, 1), addPlayedHours(pool), addPlayedHours(pool, 1)])
  expect(await addPlayedHours(pool)).toBe(0)
  expect(await playedOf(full)).toBeCloseTo(worth(255, 0) + worth(255, 1) + worth(255, 2), 5)
  expect(await playedOf(small)).toBeCloseTo(worth(1, 1) + worth(2, 2), 5)
})

test('after a run that was killed in the middle of an hour, the other servers get that hour too', async () => {
  await finishHours(hour(3))
  for (const n of [0, 1, 2]) await addPlayed(pool, hour(n), [{ serverId: full, votes: playedVotes(255) }])
  await pool.query('update server_counters set play_score = 0, played_to = $2 where server_id = $1', [small, hour(2)])
  expect(await addPlayedHours(pool)).toBe(1)
  expect(await playedOf(small)).toBeCloseTo(worth(2, 2), 5)
})

test('without finished hours nothing is added', async () => {
  await pool.query('update player_history_progress set rolled_to = null')
  expect(await addPlayedHours(pool)).toBe(0)
})
