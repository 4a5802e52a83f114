// Processes of the previous release run on the new schema until they are restarted: their statements, as they were.
import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { webhookWake } from '../../../src/features/webhooks/index.ts'
import { startTestApi } from '../../support/api.ts'
import { createWebhookWorld } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)

const upsert = (serverId: string, url: string, secret: string) =>
  pool.query(
    `insert into webhook_endpoints (server_id, url, events, secret) values ($1, $2, $3, $4)
     on conflict (server_id) do update
     set url = excluded.url, events = excluded.events, disabled_at = null, disabled_reason = null, failing_since = null,
       is_slow = false, updated_at = clock_timestamp()
     returning secret = $4 as "isNew"`,
    [serverId, url, ['vote.created'], secret],
  )

const queue = (serverId: string) =>
  pool.query<{ id: string }>(
    `with event as (
       select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) with ordinality
         as event (id, server_id, type, body, place)
     ),
     enabled as (
       select server_id, events from webhook_endpoints
       where server_id = any($2::uuid[]) and disabled_at is null
       order by server_id
       for key share of webhook_endpoints
     )
     insert into webhook_deliveries (id, server_id, type, body)
     select id, server_id, type, body
     from event join enabled using (server_id)
     where type = any(events) or type = 'webhook.test'
     order by place
     returning id, server_id as "serverId"`,
    [[randomUUID()], [serverId], ['vote.created'], ['{"data":{}}']],
  )

const lease = (serverId: string, leaseId: string) =>
  pool.query<{ serverId: string; url: string }>(
    `with wanted as (
       select server_id, is_slow, disabled_at, leased_until from webhook_endpoints
       where server_id = any($1::uuid[])
       order by server_id
       for no key update of webhook_endpoints
     ),
     free as (
       select server_id from wanted
       where disabled_at is null and (leased_until is null or leased_until < clock_timestamp())
     ),
     leased as (
       update webhook_endpoints as endpoint
       set lease_id = $2, leased_until = clock_timestamp() + make_interval(secs => 20)
       from free
       where endpoint.server_id = free.server_id
       returning endpoint.server_id, url
     )
     select free.server_id as "serverId", url from free left join leased using (server_id)`,
    [[serverId], leaseId],
  )

const findDue = (serverId: string) =>
  pool.query<{ id: string }>(
    `select due.id, wanted.server_id as "serverId", body, attempts
     from unnest($1::uuid[]) as wanted (server_id)
     cross join lateral (
       select id, body, attempts, number from webhook_deliveries
       where server_id = wanted.server_id and status = 'pending' and due_at <= clock_timestamp() + interval '1 millisecond'
       order by number
       limit 32
     ) as due
     order by due.number`,
    [[serverId]],
  )

const record = (deliveryId: string) =>
  pool.query(
    `with counted as (
       update webhook_deliveries as delivery
       set attempts = 1, status = 'delivered', due_at = null, settled_at = now()
       where delivery.id = $1
       returning delivery.id, server_id
     )
     insert into webhook_attempts (delivery_id, number, attempted_at, status, latency_ms, error, response)
     select id, 1, now(), 200, 7, null, 'ok' from counted
     on conflict do nothing`,
    [deliveryId],
  )

const release = (serverId: string, leaseId: string) =>
  pool.query(
    `update webhook_endpoints as endpoint
     set lease_id = null, leased_until = null
     where server_id = any($1::uuid[]) and lease_id = $2
     returning server_id as "serverId", is_slow as "isSlow", exists (
       select from webhook_deliveries as delivery where delivery.server_id = endpoint.server_id and status = 'pending'
     ) as "hasMore"`,
    [[serverId], leaseId],
  )

it('sets a webhook that this release shows, and queues and sends deliveries to it', async () => {
  const owned = await world.addServer()
  expect((await upsert(owned.id, 'https://owner.example/1', 'a secret')).rows).toEqual([{ isNew: true }])
  expect((await upsert(owned.id, 'https://owner.example/2', 'another')).rows).toEqual([{ isNew: false }])
  const { body } = await world.call(owned.owner, 'GET', `/servers/${owned.id}/endpoints`)
  expect(body.endpoints).toMatchObject([{ id: owned.id, kind: 'standard', url: 'https://owner.example/2' }])

  const [delivery] = (await queue(owned.id)).rows
  const leaseId = randomUUID()
  expect((await lease(owned.id, leaseId)).rows).toEqual([{ serverId: owned.id, url: 'https://owner.example/2' }])
  expect((await findDue(owned.id)).rows.map(({ id }) => id)).toEqual([delivery?.id])
  await record(delivery?.id ?? '')
  expect((await release(owned.id, leaseId)).rows).toEqual([{ serverId: owned.id, isSlow: false, hasMore: false }])
  expect((await world.deliveries(owned)).deliveries).toMatchObject([
    { id: delivery?.id, status: 'delivered', attempts: 1, log: [{ status: 200, response: 'ok' }] },
  ])
})

it('sees neither other endpoints of a server nor their deliveries', async () => {
  const owned = await world.addWebhook()
  const { body: second } = await world.call(owned.owner, 'POST', `/servers/${owned.id}/endpoints`, {
    kind: 'standard',
    url: 'https://second.example/',
    events: ['vote.created'],
  })
  await world.queue(world.event(owned.id))
  const [mine] = (await world.deliveries(owned)).deliveries
  expect((await findDue(owned.id)).rows.map(({ id }) => id)).toEqual([mine?.id])
  expect((await lease(String(second.id), randomUUID())).rows).toEqual([])
  expect((await upsert(owned.id, 'https://owner.example/2', 'a secret')).rows).toEqual([{ isNew: false }])
  await pool.query('delete from webhook_endpoints where server_id = $1', [owned.id])
  const { rows } = await pool.query('select id from endpoints where server_id = $1', [owned.id])
  expect(rows).toEqual([{ id: second.id }])
})

it('leaves jobs that this release understands', () => {
  const [endpointId, deliveryId] = [randomUUID(), randomUUID()]
  expect(webhookWake.payload.parse({ serverId: endpointId, deliveryId })).toEqual({ endpointId, deliveryId })
  expect(webhookWake.payload.parse({ endpointId })).toEqual({ endpointId })
})
