// A banned owner's webhook: pending deliveries are canceled, none is queued until the ban ends.
import { expect, it } from 'vitest'
import { acquireLeases, findExpiredLeases } from '../../../src/features/webhooks/index.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { createWebhookWorld, type Owned } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)
const admin = await addPerson(pool, { isAdmin: true })

async function ban({ owner }: Owned, banned: boolean): Promise<void> {
  expect((await world.call(admin, 'PATCH', `/admin/users/${owner.id}`, { banned })).status).toBe(200)
}

async function statusesOf({ id }: Owned): Promise<string[]> {
  const { rows } = await pool.query<{ status: string }>(
    'select status from endpoint_deliveries where endpoint_id = $1 order by number',
    [id],
  )
  return rows.map(({ status }) => status)
}

const takes = async ({ id }: Owned) =>
  (await acquireLeases(api.deps, { endpointIds: [id], leaseId: crypto.randomUUID(), slowToo: true })).length

it('pending deliveries are canceled at the ban, none is queued until it ends, and later events are queued again', async () => {
  const owned = await world.addWebhook()
  const other = await world.addWebhook()
  await world.queue(world.event(owned.id), world.event(other.id))
  await ban(owned, true)
  expect(await statusesOf(owned)).toEqual(['canceled'])
  expect(await statusesOf(other)).toEqual(['pending'])
  expect(await world.queue(world.event(owned.id), world.event(other.id))).toEqual(new Set([other.id]))
  expect(await takes(owned)).toBe(0)
  await ban(owned, false)
  expect(await statusesOf(owned)).toEqual(['canceled'])
  expect(await world.queue(world.event(owned.id))).toEqual(new Set([owned.id]))
  expect(await takes(owned)).toBe(1)
})

it('an expired lease of a banned owner or on a paused endpoint takes no place from those that can be leased', async () => {
  const [banned, paused, other] = [await world.addWebhook(), await world.addWebhook(), await world.addWebhook()]
  for (const owned of [banned, paused, other]) expect(await takes(owned)).toBe(1)
  await ban(banned, true)
  await pool.query(`update endpoints set paused_until = now() + interval '1 hour' where server_id = $1`, [paused.id])
  await pool.query(
    `update endpoints set leased_until = now() - make_interval(mins => array_position($1::uuid[], server_id))
     where server_id = any($1)`,
    [[other.id, paused.id, banned.id]],
  )
  expect(await findExpiredLeases(pool, 2)).toEqual([other.id])
})

it('an event that is being queued while the ban commits is not sent, neither during the ban nor after it', async () => {
  const owned = await world.addWebhook()
  const queued = Promise.all(Array.from({ length: 8 }, () => world.queue(world.event(owned.id))))
  await Promise.all([queued, ban(owned, true)])
  expect(await takes(owned)).toBe(0)
  await ban(owned, false)
  expect(new Set(await statusesOf(owned))).not.toContain('pending')
})

it('an administrator can’t test a banned owner’s webhook or redeliver', async () => {
  const owned = await world.addWebhook()
  await world.queue(world.event(owned.id))
  await ban(owned, true)
  const path = `/servers/${owned.id}/webhook`
  const { body } = await world.call(admin, 'GET', path)
  expect(body).toMatchObject({ isActive: false, url: 'https://owner.example/…' })
  const { rows } = await pool.query('select id from endpoint_deliveries where endpoint_id = $1', [owned.id])
  for (const what of ['test', `deliveries/${rows[0]?.id}/redeliver`])
    expect(await world.call(admin, 'POST', `${path}/${what}`)).toMatchObject({
      status: 400,
      body: { error: 'webhook_disabled', message: 'The owner of this server is banned: nothing is sent.' },
    })
})
