// What alerts cost each poll of a large directory, of which nearly no server has any.

import { expect, test } from 'vitest'
import { findWatched, followPolls } from '../../../src/features/alerts/alerts.sql.ts'
import type { Db } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'

const SERVERS = 20_000
/** One server in fifty has ten alerts. */
const ALERTS_EVERY = 50
const BATCH = 200

test('a batch of polls finds its alerts by index, and reads no others', async () => {
  const { pool } = await createTestDatabase()
  await pool.query(
    `insert into servers (id, game, name, ip_address, game_port, query_port, changed_in)
     select md5('server' || n)::uuid, 'ase', 'Server ' || n, '10.0.' || n / 200 || '.1', 1, 1 + n % 200, pg_current_xact_id() from generate_series(1, $1::integer) n`,
    [SERVERS],
  )
  await pool.query(
    `insert into users (id, username) select md5('user' || n)::uuid, 'Fan' from generate_series(1, 10) n`,
  )
  await pool.query(
    `insert into favorites (id, user_id, server_id)
     select gen_random_uuid(), md5('user' || fan)::uuid, md5('server' || n)::uuid
     from generate_series(1, 10) fan, generate_series(1, $1::integer, $2) n`,
    [SERVERS, ALERTS_EVERY],
  )
  await pool.query(
    `insert into favorite_alerts (id, user_id, server_id, kind, threshold, away_since)
     select gen_random_uuid(), user_id, server_id, 'playersAtLeast', 20, now() - interval '1 hour' from favorites`,
  )
  await pool.query('analyze')
  const { rows } = await pool.query<{ serverId: string }>(
    `select md5('server' || n)::uuid as "serverId" from generate_series(1, $1::integer) n`,
    [BATCH],
  )
  const polled = rows.map(({ serverId }) => ({ serverId, answered: true, isOnline: true, players: 5, maxPlayers: 70 }))
  const watched = await findWatched(
    pool,
    polled.map(({ serverId }) => serverId),
  )
  expect(watched.size).toBe(BATCH / ALERTS_EVERY)

  for (const statement of [
    await statementOf((db) =>
      findWatched(
        db,
        polled.map(({ serverId }) => serverId),
      ),
    ),
    await statementOf((db) =>
      followPolls(
        db,
        polled.filter(({ serverId }) => watched.has(serverId)),
      ),
    ),
  ]) {
    const { rows: lines } = await pool.query(`explain (analyze, buffers) ${statement.text}`, statement.values)
    const plan = lines.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).not.toContain('Seq Scan')
  }
}, 120_000)

interface Statement {
  text: string
  values: unknown[]
}

/** What a function would run. */
async function statementOf(run: (db: Db) => Promise<unknown>): Promise<Statement> {
  const statements: Statement[] = []
  await run({ query: async (one: Statement) => ({ rows: statements.push(one) && [] }) } as unknown as Db)
  const [only] = statements
  if (!only) throw new Error('no statement')
  return only
}
