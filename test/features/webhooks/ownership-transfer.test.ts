// Ownership transfer and removal: the former owner gets no more events, and the new owner sees no delivery or
// reward of the former one.
import { expect, it } from 'vitest'
import { createClaimChecks, readPendingTokens, toChecks } from '../../../src/features/claims/index.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { voteOnce } from '../votes/support.ts'
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
  await inTransaction(pool, (tx) => checks.record(tx, toChecks([token], [token]), { askedAt }))
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

it.each<[way: string, remove: (owned: Owned) => Promise<{ status: number }>]>([
  ['its owner', ({ owner, id }) => call(owner, 'DELETE', `/servers/${id}`)],
  [
    'an administrator',
    async ({ id }) => call(await addPerson(pool, { isAdmin: true }), 'DELETE', `/admin/servers/${id}`),
  ],
  [
    'an opt-out',
    async ({ owner, id }) => {
      await prove(owner, id)
      return call(owner, 'POST', `/servers/${id}/opt-out`)
    },
  ],
])('ends the webhook of a server that is removed by %s', async (_way, remove) => {
  const owned = await world.addWebhook()
  await world.queue(world.event(owned.id))
  expect((await remove(owned)).status).toBe(200)
  const { rows } = await pool.query('select status from endpoint_deliveries where endpoint_id = $1', [owned.id])
  expect(rows).toEqual([{ status: 'canceled' }])
  expect((await pool.query('select from endpoints where server_id = $1', [owned.id])).rowCount).toBe(0)
})

it.each(WAYS)('deletes the commands and answers of past rewards on transfer by %s', async (_way, give) => {
  const former = await world.addServer()
  await voteOnce(api, former.id)
  const [reward] = (
    await pool.query(
      `insert into vote_rewards (vote_id, server_id, started_at, settled_at, outcome, commands, commands_run, answer)
       select id, server_id, now(), now(), 'answered', '{say hi}', 1, $2 from votes where server_id = $1
       returning vote_id as "voteId"`,
      [former.id, createSecretCipher(api.deps.settings).encrypt('rcon', 'hi to 192.0.2.7')],
    )
  ).rows
  const rewards = async (by: Person) => (await call(by, 'GET', `/servers/${former.id}/vote-rewards/log`)).body.rewards
  expect(await rewards(former.owner)).toMatchObject([{ commands: ['say hi'], answer: 'hi to 192.0.2.7' }])
  const next = await addPerson(pool)
  await give(former, next)
  expect(await rewards(next)).toMatchObject([{ ...reward, status: 'ran', commands: [], answer: '' }])
})

it('keeps the webhook if the owner verifies the claim, or an administrator changes another field', async () => {
  const owned = await world.addWebhook()
  await prove(owned.owner, owned.id)
  const admin = await addPerson(pool, { isAdmin: true })
  expect((await call(admin, 'PATCH', `/admin/servers/${owned.id}`, { isFeatured: true })).status).toBe(200)
  expect((await world.queue(world.event(owned.id))).size).toBe(1)
})

it('deletes a webhook that is being set while its owner deletes their account', async () => {
  const owned = await world.addServer()
  const blocker = await pool.connect()
  await blocker.query('begin; lock table endpoints in share mode')
  const setting = world.set(owned, { url: 'https://owner.example/hook', events: ['vote.created'] })
  await expect.poll(() => countLockWaits(pool)).toBe(1)
  const deleting = call(owned.owner, 'DELETE', '/user', {})
  await expect.poll(() => countLockWaits(pool)).toBe(2)
  await blocker.query('rollback')
  blocker.release()
  expect([(await setting).status, (await deleting).status]).toEqual([200, 200])
  expect((await pool.query('select from endpoints where server_id = $1', [owned.id])).rowCount).toBe(0)
})
