// The notification in the product that an endpoint was disabled: its owner may have no address to mail to.
import { describe, expect, it } from 'vitest'
import { disableEndpoint } from '../../../src/features/webhooks/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { startTestApi } from '../../support/api.ts'
import { handleWaitingNotices } from '../notifications/support.ts'
import { createWebhookWorld } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const world = createWebhookWorld(api)

type Owned = Awaited<ReturnType<typeof world.addWebhook>>

/** Disables the server's only endpoint, and runs the notices that wait, as a worker does. */
async function disable({ id }: Owned, reason: 'gone' | 'failing' | 'unconfirmed'): Promise<void> {
  const storedUrl = await world.storedUrl(id)
  await inTransaction(pool, (tx) => disableEndpoint(tx, api.deps.jobs, { endpointId: id, storedUrl, reason }))
  await handleWaitingNotices(api.deps)
}

const notificationsOf = async ({ owner }: Owned) =>
  (await world.call(owner, 'GET', '/user/notifications')).body.notifications as unknown[]

describe('an owner whose address is not verified', () => {
  it.each([
    ['gone', /^A webhook of Server.* was disabled: its receiver no longer exists\. .*save its endpoint again\.$/],
    ['failing', /^A webhook of Server.* was disabled: every attempt failed for five days\. /],
    ['unconfirmed', /^Whether the Discord message of Server.* was created is unknown, .*save the endpoint again\.$/],
  ] as const)('is notified in the product that an endpoint is disabled as %s, once', async (reason, message) => {
    const owned = await world.addWebhook()
    await pool.query('update users set email_verified_at = null where id = $1', [owned.owner.id])
    await disable(owned, reason)
    await disable(owned, reason)
    expect(await notificationsOf(owned)).toEqual([
      expect.objectContaining({
        event: 'webhookDisabled',
        serverId: owned.id,
        message: expect.stringMatching(message),
        count: 1,
      }),
    ])
  })
})

it('an owner who gets the mail about it gets no second one with other notifications, but a chat message', async () => {
  const owned = await world.addWebhook()
  const { owner } = owned
  await pool.query(`insert into chat_webhooks (user_id, url) values ($1, 'encrypted')`, [owner.id])
  await pool.query(`update users set notification_preferences = '{"chat": true}' where id = $1`, [owner.id])
  await disable(owned, 'gone')
  const { rows: pending } = await pool.query('select channel, event from pending_notices where user_id = $1', [
    owner.id,
  ])
  expect(pending).toEqual([{ channel: 'chat', event: 'webhookDisabled' }])
})
