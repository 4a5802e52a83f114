// Retention, re-encryption, lost wake jobs, and the owner's notification when a webhook is disabled.
import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import {
  disableEndpoint,
  runWebhookUpkeep,
  sweepWebhooks,
  writeWebhookDisabled,
} from '../../../src/features/webhooks/index.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { createWebhookWorld } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)
const { jobs } = api.deps

async function addDeliveries(serverId: string, count: number, values: string): Promise<void> {
  await pool.query(
    `insert into endpoint_deliveries (id, endpoint_id, type, body, status, due_at, created_at, settled_at)
     select gen_random_uuid(), $1, 'vote.created', '{}', ${values} from generate_series(1, $2)`,
    [serverId, count],
  )
}

it('deliveries and their attempts are deleted 30 days after they ended, pending ones never', async () => {
  const { id } = await world.addWebhook()
  await addDeliveries(id, 4_500, `'delivered', null, now() - interval '31 days', now() - interval '30 days 1 minute'`)
  await addDeliveries(id, 1, `'delivered', null, now() - interval '31 days', now() - interval '29 days'`)
  await addDeliveries(id, 1, `'pending', now(), now() - interval '60 days', null`)
  await pool.query(
    `insert into endpoint_attempts (delivery_id, number, attempted_at, latency_ms)
     select id, 1, now(), 1 from endpoint_deliveries where endpoint_id = $1`,
    [id],
  )
  expect((await runWebhookUpkeep(api.deps)).deliveries).toBe(4_500)
  const { rows } = await pool.query(
    `select status, (select count(*) from endpoint_attempts where delivery_id = id) as attempts
     from endpoint_deliveries where endpoint_id = $1 order by status`,
    [id],
  )
  expect(rows).toEqual([
    { status: 'delivered', attempts: 1 },
    { status: 'pending', attempts: 1 },
  ])
  expect((await runWebhookUpkeep(api.deps)).deliveries).toBe(0)
})

it('endpoints of servers that an earlier release removed are deleted, and their deliveries canceled', async () => {
  const [removed, listed] = [await world.addWebhook(), await world.addWebhook()]
  for (const { id } of [removed, listed]) await world.queue(world.event(id))
  await pool.query('update servers set deleted_at = now() where id = $1', [removed.id])
  await runWebhookUpkeep(api.deps)
  const { rows } = await pool.query(
    `select endpoint_id as id, status, exists (select from endpoints where id = endpoint_id) as has_endpoint
     from endpoint_deliveries where endpoint_id = any($1::uuid[]) order by status`,
    [[removed.id, listed.id]],
  )
  expect(rows).toEqual([
    { id: removed.id, status: 'canceled', has_endpoint: false },
    { id: listed.id, status: 'pending', has_endpoint: true },
  ])
})

it('pending deliveries are canceled by statements of a bounded size, however many there are', async () => {
  const owned = await world.addWebhook()
  await addDeliveries(owned.id, 20_000, `'pending', now(), now(), null`)
  await addDeliveries(owned.id, 2, `'pending', now() + interval '1 hour', now(), null`)
  await pool.query(`
    create table update_sizes (size bigint);
    create function record_size() returns trigger language plpgsql as
      $$ begin insert into update_sizes select count(*) from changed; return null; end $$;
    create trigger record_size after update on endpoint_deliveries referencing new table as changed
      for each statement execute function record_size()`)
  onTestFinished(async () => {
    await pool.query('drop function record_size cascade; drop table update_sizes')
  })
  expect((await world.call(owned.owner, 'DELETE', `/servers/${owned.id}/webhook`)).status).toBe(200)
  const { rows } = await pool.query('select size from update_sizes where size > 0')
  expect(rows).toEqual([{ size: 20_000 }, { size: 2 }])
})

it('previous secrets are deleted when they no longer sign, and not before', async () => {
  const [over, signing] = [await world.addWebhook(), await world.addWebhook()]
  for (const { owner, id } of [over, signing]) await world.call(owner, 'POST', `/servers/${id}/webhook/rotate-secret`)
  await pool.query(`update endpoints set previous_secret_until = now() - interval '1 second' where server_id = $1`, [
    over.id,
  ])
  expect((await world.call(over.owner, 'GET', `/servers/${over.id}/webhook`)).body.previousSecretUntil).toBeNull()
  await runWebhookUpkeep(api.deps)
  const previous = async (id: string) =>
    (await pool.query('select previous_secret from endpoints where server_id = $1', [id])).rows[0]
  expect(await previous(over.id)).toEqual({ previous_secret: null })
  expect(await previous(signing.id)).toEqual({ previous_secret: expect.any(String) })
})

it('secrets are encrypted again after APP_SECRET was changed, so that the previous one can be removed', async () => {
  const { owner, id, secret } = await world.addWebhook()
  const { body } = await world.call(owner, 'POST', `/servers/${id}/webhook/rotate-secret`)
  const present = randomBytes(32).toString('hex')
  const settings = { ...api.deps.settings, APP_SECRET: present, APP_SECRET_PREVIOUS: TEST_SECRET }
  expect((await runWebhookUpkeep({ ...api.deps, settings })).reencrypted).toBeGreaterThan(0)
  const { rows } = await pool.query<{ secret: string; previous: string }>(
    'select secret, previous_secret as previous from endpoints where server_id = $1',
    [id],
  )
  const secretCipher = createSecretCipher({ APP_SECRET: present, APP_SECRET_PREVIOUS: undefined })
  expect(secretCipher.decrypt('webhook', rows[0]?.secret ?? '')).toBe(body.secret)
  expect(secretCipher.decrypt('webhook', rows[0]?.previous ?? '')).toBe(secret)
  expect((await runWebhookUpkeep({ ...api.deps, settings })).reencrypted).toBe(0)
  // Restored for this file's other tests; what can't be read stays unchanged.
  expect((await runWebhookUpkeep(api.deps)).reencrypted).toBe(0)
  await pool.query('delete from endpoints where server_id = $1', [id])
})

it('a URL is stored encrypted, and encrypted again after APP_SECRET was changed', async () => {
  const owned = await world.addWebhook()
  const { owner, id } = owned
  const url = 'https://chat.example/api/webhooks/1/the-secret-path'
  await world.set(owned, { url, events: ['vote.created'] })
  const shown = async () => (await world.call(owner, 'GET', `/servers/${id}/webhook`)).body.url
  const encrypted = await world.storedUrl(id)
  expect(encrypted).toMatch(/^v1\./)
  expect(encrypted).not.toContain('chat.example')
  expect(await shown()).toBe(url)
  expect((await runWebhookUpkeep(api.deps)).reencrypted).toBe(0)

  const present = randomBytes(32).toString('hex')
  const settings = { ...api.deps.settings, APP_SECRET: present, APP_SECRET_PREVIOUS: TEST_SECRET }
  expect((await runWebhookUpkeep({ ...api.deps, settings })).reencrypted).toBeGreaterThan(0)
  const secretCipher = createSecretCipher({ APP_SECRET: present, APP_SECRET_PREVIOUS: undefined })
  expect(secretCipher.decrypt('webhook-url', await world.storedUrl(id))).toBe(url)
  // Without that secret it reports so and does not fail.
  expect(await shown()).toBe('')
  await pool.query('delete from endpoints')
})

it('a server whose wake job was lost is woken by the sweep, and no other', async () => {
  const lost = `'pending', now() - interval '31 seconds', now(), null`
  const add = () => world.addWebhook()
  const [slow, forgotten, fresh] = [await add(), await add(), await add()]
  const [held, disabled, paused, discord] = [await add(), await add(), await add(), await add()]
  for (const { id } of [forgotten, held, disabled, paused, discord, slow]) await addDeliveries(id, 2, lost)
  await addDeliveries(fresh.id, 1, `'pending', now() - interval '10 seconds', now(), null`)
  await pool.query(
    `update endpoints set lease_id = gen_random_uuid(), leased_until = now() + interval '10 seconds' where server_id = $1`,
    [held.id],
  )
  await pool.query('update endpoints set disabled_at = now() where server_id = $1', [disabled.id])
  await pool.query(`update endpoints set paused_until = now() + interval '1 minute' where server_id = $1`, [paused.id])
  await pool.query(`update endpoints set kind = 'discord' where server_id = $1`, [discord.id])
  await pool.query(`insert into discord_pauses (scope, until) values ('global', now() + interval '1 minute')`)
  await pool.query('update endpoints set is_slow = true where server_id = $1', [slow.id])
  await pool.query(`delete from pgboss.job where name like 'webhook%'`)
  await pool.query(`delete from endpoint_deliveries where status = 'pending' and due_at is null`)

  await sweepWebhooks(api.deps)
  await sweepWebhooks(api.deps)
  const all = [forgotten, fresh, held, disabled, paused, discord, slow]
  expect(await Promise.all(all.map(({ id }) => world.wakes(id)))).toEqual([2, 0, 0, 0, 0, 0, 0])
  const { rows } = await pool.query(`select data from pgboss.job where name = 'webhook-slow'`)
  expect(rows).toEqual([{ data: { endpointId: slow.id } }])
})

async function giveUp(serverId: string, reason: 'gone' | 'failing') {
  const storedUrl = await world.storedUrl(serverId)
  return inTransaction(pool, (tx) => disableEndpoint(tx, jobs, { endpointId: serverId, storedUrl, reason }))
}

async function mailsAbout(serverId: string): Promise<unknown[]> {
  const { rows } = await pool.query<{ data: unknown }>(
    `select data from pgboss.job where name = 'mail' and data->>'serverId' = $1`,
    [serverId],
  )
  return rows.map(({ data }) => data)
}

it.each([
  ['gone', 'hooks.owner.example:8080 answered 410 Gone'],
  ['failing', 'every attempt to reach hooks.owner.example:8080 failed for five days'],
] as const)('the owner gets one mail that a webhook was disabled because it is %s', async (reason, why) => {
  const url = 'https://hooks.owner.example:8080/a?token=secret'
  const { owner, id } = await world.addWebhook({ url })
  await Promise.all([giveUp(id, reason), giveUp(id, reason)])
  await giveUp(id, 'gone')
  const order = { kind: 'webhook-disabled' as const, userId: owner.id, serverId: id, endpointId: id }
  expect(await mailsAbout(id)).toEqual([order])

  const mail = await writeWebhookDisabled(api.deps, order)
  expect(mail).toMatchObject({
    to: `${owner.id}@example.com`,
    subject: expect.stringMatching(/^The webhook of Server/),
  })
  expect(mail?.text).toContain(why)
  expect(mail?.text).toContain(`${api.deps.settings.PUBLIC_BASE_URL}/my/servers/${id}/endpoints/${id}`)
  expect(mail?.text).not.toContain('token')
  const { body } = await world.call(owner, 'GET', `/servers/${id}/webhook`)
  expect(body).toMatchObject({ isActive: false, disabledReason: reason })
})

it('no mail goes to an owner who has fixed the webhook, lost the server, never owned it, or has not verified the address', async () => {
  const repaired = await world.addWebhook()
  await giveUp(repaired.id, 'gone')
  await world.set(repaired, { url: 'https://owner.example/', events: ['vote.created'] })
  expect(await writeWebhookDisabled(api.deps, { userId: repaired.owner.id, serverId: repaired.id })).toBeUndefined()

  const lost = await world.addWebhook()
  await giveUp(lost.id, 'gone')
  const other = await addPerson(pool)
  await pool.query('update servers set owner_id = $1 where id = $2', [other.id, lost.id])
  expect(await writeWebhookDisabled(api.deps, { userId: lost.owner.id, serverId: lost.id })).toBeUndefined()

  // An address that is not verified may be another person's.
  const unproven = await world.addWebhook()
  await giveUp(unproven.id, 'gone')
  await pool.query('update users set email_verified_at = null where id = $1', [unproven.owner.id])
  expect(await writeWebhookDisabled(api.deps, { userId: unproven.owner.id, serverId: unproven.id })).toBeUndefined()

  const unowned = await world.addWebhook()
  await pool.query('update servers set owner_id = null where id = $1', [unowned.id])
  await giveUp(unowned.id, 'failing')
  expect(await mailsAbout(unowned.id)).toEqual([])
})
