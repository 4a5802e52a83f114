// Ownership transfer: the former owner gets no more events, and the new owner sees no delivery of the former one.
import { expect, it } from 'vitest'
import { createClaimChecks, readPendingTokens, toChecks } from '../../../src/features/claims/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { createWebhookWorld, type Owned } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)
const { call } = world
const checks = createClaimChecks({ pool, jobs: api.deps.jobs })

/** The person proves ownership of the server. */
async function prove(person: Person, serverId: string): Promise<void> {
  const { body } = await call(person, 'POST', `/servers/${serverId}/claim`)
  const { askedAt } = await readPendingTokens(pool, [serverId])
  const token = String(body.verificationToken)
  await inTransaction(pool, (tx) => checks.record(tx, toChecks([token], [token]), askedAt))
}

const WAYS: [way: string, give: (owned: Owned, next: Person) => Promise<void>][] = [
  ['a verified claim', ({ id }, next) => prove(next, id)],
  [
    'an administrator',
    async ({ id }, next) => {
      const admin = await addPerson(pool, { isAdmin: true })
      expect((await call(admin, 'PATCH', `/admin/servers/${id}`, { ownerId: next.id })).status).toBe(200)
    },
  ],
  [
    'the deletion of the account',
    async ({ owner, id }, next) => {
      const admin = await addPerson(pool, { isAdmin: true })
      expect((await call(admin, 'DELETE', `/admin/users/${owner.id}`)).status).toBe(200)
      expect((await world.queue(world.event(id))).size).toBe(0)
      await prove(next, id)
    },
  ],
]

it.each(WAYS)('ends the webhook on transfer by %s', async (_way, give) => {
  const former = await world.addWebhook()
  const next = await addPerson(pool)
  await world.queue(world.event(former.id))
  await give(former, next)
  const { rows } = await pool.query('select status from endpoint_deliveries where endpoint_id = $1', [former.id])
  expect(rows).toEqual([{ status: 'canceled' }])
  expect((await world.queue(world.event(former.id))).size).toBe(0)

  const owned = { owner: next, id: former.id }
  expect((await call(next, 'GET', `/servers/${former.id}/webhook`)).status).toBe(404)
  const { body } = await world.set(owned, { url: 'https://next.example/', events: ['vote.created'] })
  expect(body.secret).not.toBe(former.secret)
  expect((await world.deliveries(owned)).deliveries).toEqual([])
})

it('keeps the webhook if the owner verifies the claim, or an administrator changes another field', async () => {
  const owned = await world.addWebhook()
  await prove(owned.owner, owned.id)
  const admin = await addPerson(pool, { isAdmin: true })
  expect((await call(admin, 'PATCH', `/admin/servers/${owned.id}`, { isFeatured: true })).status).toBe(200)
  expect((await world.queue(world.event(owned.id))).size).toBe(1)
})
