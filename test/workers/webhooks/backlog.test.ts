// An endpoint with many pending deliveries, after many that were delivered: what a lease reads, and
// what an attempt writes.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { acquireLeases, applyResults, type FinishedAttempt } from '../../../src/features/webhooks/index.ts'
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
    expect(await findDue(pool, asked, { perEndpoint: 32 })).toHaveLength(32)
    const statements: { text: string; values: unknown[] }[] = []
    const noting = { query: async (one: (typeof statements)[number]) => ({ rows: statements.push(one) && [] }) }
    await findDue(noting as unknown as Db, asked, { perEndpoint: 32 })
    const [{ text, values } = { text: '', values: [] }] = statements
    const { rows } = await pool.query(`explain (analyze) ${text}`, values)
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toContain('Rows Removed by Filter')
  },
  60_000,
)

it('an attempt at an ordered endpoint writes as many rows if thousands wait, and a success makes them follow', async () => {
  const endpointId = await world.addDiscord('https://discord.com/api/webhooks/1/token')
  const waitUntil = new Date(Date.now() + 3_600_000).toISOString()
  await addDeliveries(endpointId, 2, { status: 'pending', dueAt: '2026-01-01' })
  await addDeliveries(endpointId, 2_000, { status: 'pending', dueAt: waitUntil })
  const leaseId = randomUUID()
  const lease = async () => (await acquireLeases(world, { endpointIds: [endpointId], leaseId, slowToo: true }))[0]
  const rescheduled = async () => {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*) from endpoint_deliveries where endpoint_id = $1 and status = 'pending' and due_at <> $2`,
      [endpointId, waitUntil],
    )
    return rows[0]?.count
  }
  const first = await lease()
  const attemptOf = (place: number, verdict: FinishedAttempt['verdict']): FinishedAttempt => ({
    deliveryId: first?.deliveries[place]?.id ?? '',
    endpointId,
    storedUrl: first?.storedUrl ?? '',
    number: 1,
    attemptedAt: new Date(),
    queuedAt: first?.deliveries[place]?.createdAt ?? new Date(),
    isOrdered: true,
    latencyMs: 1,
    response: '',
    verdict,
  })
  await applyResults(world, {
    attempts: [attemptOf(0, { outcome: 'delivered' }), attemptOf(1, { outcome: 'delivered' })],
    released: [endpointId],
    leaseId,
  })
  expect(await rescheduled()).toBe(1)
  const second = await lease()
  expect(second?.deliveries.map(({ id }) => id).slice(0, 30)).toEqual(first?.deliveries.slice(2).map(({ id }) => id))
  await applyResults(world, { attempts: [attemptOf(2, { outcome: 'failed' })], released: [endpointId], leaseId })
  expect(await rescheduled()).toBeLessThanOrEqual(2)
  expect((await lease())?.deliveries).toEqual([])
})
