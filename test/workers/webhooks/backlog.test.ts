// An endpoint with many pending deliveries, after many that were delivered: what a lease reads.
import { expect, it } from 'vitest'
import { findDue } from '../../../src/features/webhooks/leases.sql.ts'
import type { Db } from '../../../src/platform/db/pool.ts'
import { createWorld } from './support.ts'

const world = await createWorld()
const { pool } = world

async function addDeliveries(endpointId: string, count: number, values: { status: string; dueAt: string | null }) {
  const body = JSON.stringify({ type: 'vote.created', timestamp: new Date().toISOString(), data: { username: 'Ann' } })
  await pool.query(
    `insert into endpoint_deliveries (id, endpoint_id, type, body, status, due_at, created_at)
     select gen_random_uuid(), $1, 'vote.created', $2, $3, $4::timestamptz, now() - interval '1 day' from generate_series(1, $5)`,
    [endpointId, body, values.status, values.dueAt, count],
  )
}

it.each([true, false])(
  'a lease reads no delivery that is settled (isOrdered: %s)',
  async (isOrdered) => {
    const { serverId: id } = await world.addEndpoint('https://owner.example/')
    await addDeliveries(id, 40_000, { status: 'delivered', dueAt: null })
    await addDeliveries(id, 4_000, { status: 'pending', dueAt: '2026-01-01' })
    await pool.query('analyze endpoint_deliveries')
    const asked = [{ id, isOrdered }]
    expect(await findDue(pool, asked, 32)).toHaveLength(32)
    const statements: { text: string; values: unknown[] }[] = []
    const noting = { query: async (one: (typeof statements)[number]) => ({ rows: statements.push(one) && [] }) }
    await findDue(noting as unknown as Db, asked, 32)
    const [{ text, values } = { text: '', values: [] }] = statements
    const { rows } = await pool.query(`explain (analyze) ${text}`, values)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Rows Removed by Filter')
  },
  60_000,
)
