// An account of which every feature stores something.
import { createHash } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { TEST_SECRET, type TestApi } from '../../support/api.ts'
import { addAuction, addWonAuction } from '../../support/auctions.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { callerOf, serverFields } from '../servers/support.ts'

const cipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })

/** Secrets as they are stored, which must not be in a file. */
export const hash = (text: string) => createHash('sha256').update(text).digest()
export const SECRETS = {
  password: '$argon2id$a-stored-hash',
  rcon: cipher.encrypt('rcon', 'rcon password'),
  url: cipher.encrypt('webhook', 'https://chat.example/a-secret-path'),
  signing: cipher.encrypt('webhook', 'whsec_secret'),
  code: cipher.encrypt('one-time-code', 'secret of one-time codes'),
  push: cipher.encrypt('webhook', 'a browser’s subscription'),
  /** The visitor id of a vote with the account's game id: another player may have typed that. */
  visitor: 'a-visitor-id-that-only-the-voter-knows',
}

/** An account with at least one entry in every part. */
export async function addPersonWithEverything(
  api: TestApi,
): Promise<{ person: Person; serverId: string; other: Person }> {
  const { pool } = api.database
  const call = callerOf(api)
  const [person, other] = [await addPerson(pool), await addPerson(pool)]
  const list = async (who: Person) =>
    ((await call(who, 'POST', '/servers', serverFields())).body as { server: { id: string } }).server.id
  const [serverId, otherId] = [await list(person), await list(other)]
  await pool.query(`update users set game_platform_id = $2, password_hash = $3 where id = $1`, [
    person.id,
    `platform-${person.id}`,
    SECRETS.password,
  ])
  await call(person, 'POST', `/servers/${otherId}/favorite`)
  await call(person, 'PUT', `/servers/${otherId}/favorite/alerts`, { playersAtLeast: 20 })
  await call(person, 'POST', `/servers/${otherId}/reports`, { reason: 'spam', details: 'Again' })
  await call(person, 'POST', `/servers/${serverId}/wipe-history`, { kind: 'full' })
  await call(person, 'PUT', `/servers/${otherId}/notifications`, { events: ['serverOffline'] })
  await call(person, 'POST', '/user/api-keys', { name: 'Mine' })
  await call(person, 'POST', '/contact', { name: 'Me', email: `${person.id}@example.com`, message: 'Hello' })
  const auctionId = await addAuction(pool)
  await call(person, 'POST', `/auctions/${auctionId}/bid`, { bidAmount: 500 })
  await addWonAuction(pool, person.id, serverId)
  const vote = { username: 'Me', gamePlatformId: `platform-${person.id}`, visitorId: SECRETS.visitor }
  await call(undefined, 'POST', `/servers/${otherId}/vote`, vote)
  await insertTheRest(pool, person, { serverId, other, otherId })
  return { person, serverId, other }
}

async function insertTheRest(
  pool: Pool,
  { id }: Person,
  { serverId, other, otherId }: { serverId: string; other: Person; otherId: string },
): Promise<void> {
  const insert = (text: string, values: unknown[]) => pool.query(`insert into ${text}`, values)
  await insert(`rcon_credentials (server_id, owner_id, port, password) values ($1, $2, 27020, $3)`, [
    serverId,
    id,
    SECRETS.rcon,
  ])
  await insert(`vote_keys (token_hash, server_id, owner_id, starts_with) values ($1, $2, $3, 'vk_1')`, [
    hash(`vote key of ${id}`),
    serverId,
    id,
  ])
  await insert(
    `vote_reward_settings (server_id, owner_id, set_by, run_on, commands) values ($1, $2, $2, 'vote', '{give}')`,
    [serverId, id],
  )
  // Set for the owner of another server, as a manager does.
  await insert(
    `vote_reward_settings (server_id, owner_id, set_by, run_on, commands) values ($1, $2, $3, 'vote', '{give}')`,
    [otherId, other.id, id],
  )
  await insert(
    `server_claims (id, server_id, user_id, token, expires_at, warned_user_id) values ($1, $2, $3, $4, now(), $5)`,
    [uuidv7(), serverId, other.id, `sd-verify-${id}`, id],
  )
  await insert(
    `vote_reminders (id, server_id, visitor_id, channel, user_id, language, due_at) values ($1, $2, 'v', 'email', $3, 'en', now())`,
    [uuidv7(), otherId, id],
  )
  await insert(`endpoints (id, server_id, url, events, secret) values ($1, $2, $3, '{vote.created}', $4)`, [
    uuidv7(),
    serverId,
    SECRETS.url,
    SECRETS.signing,
  ])
  await insert(`push_browsers (id, user_id, endpoint_hash, subscription, language) values ($1, $2, $3, $4, 'en')`, [
    uuidv7(),
    id,
    hash(`browser of ${id}`).toString('hex'),
    SECRETS.push,
  ])
  await insert(
    `passkeys (id, user_id, credential_id, public_key, counter, transports, name) values ($1, $2, $3, $3, 0, '{}', 'Laptop')`,
    [uuidv7(), id, hash(`passkey of ${id}`)],
  )
  await insert('one_time_code_secrets (user_id, secret, confirmed_at) values ($1, $2, now())', [id, SECRETS.code])
  await pool.query('update sessions set second_factor_at = now() where user_id = $1', [id])
  await insert(`chat_webhooks (user_id, url) values ($1, $2)`, [id, SECRETS.url])
  await insert(`notifications (id, user_id, event, topic, created_at) values ($1, $2, 'serverOffline', 'x', now())`, [
    uuidv7(),
    id,
  ])
  await insert(
    `pending_notices (user_id, channel, event, topic, first_at, last_at) values ($1, 'email', 'serverOffline', 'x', now(), now())`,
    [id],
  )
  // What they did on the team of another's server, as its owner is notified of it.
  const member = JSON.stringify({ memberId: id, username: `Name of ${id}`, role: 'viewer' })
  await insert(
    `notifications (id, user_id, event, topic, server_id, data, created_at) values ($1, $2, 'serverMemberJoined', $3, $4, $5, now())`,
    [uuidv7(), other.id, `${id} ${otherId}`, otherId, member],
  )
  await insert(
    `pending_notices (user_id, channel, event, topic, server_id, data, first_at, last_at) values ($1, 'chat', 'serverMemberJoined', $2, $3, $4, now(), now())`,
    [other.id, `${id} ${otherId}`, otherId, member],
  )
  await insert(`notification_digests (user_id, channel, sent_at) values ($1, 'email', now())`, [id])
  await insert(`vote_voidings (id, created_by, reason, selection) values ($1, $2, 'Bought', '{}')`, [uuidv7(), id])
  await insert(
    `server_invitations (id, server_id, owner_id, email, role, expires_at) values ($1, $2, $3, $4, 'viewer', now() + interval '1 day')`,
    [uuidv7(), otherId, other.id, `${id}@example.com`],
  )
  await insert(`discovery_blocks (id, name_pattern, created_by) values ($1, 'never seen', $2)`, [uuidv7(), id])
  await insert(
    `server_faces (server_id, kind, state, source, attempt_id, upload, uploaded_by) values ($1, 'logo', 'pending', 'upload', $2, 'x', $3)`,
    [serverId, uuidv7(), id],
  )
  await insert(
    `server_members (server_id, user_id, owner_id, role) values ($1, $2, $3, 'viewer'), ($4, $3, $2, 'viewer')`,
    [otherId, id, other.id, serverId],
  )
  for (const [server, owner, invited] of [
    [otherId, other.id, id],
    [serverId, id, other.id],
  ])
    await insert(
      `server_invitations (id, server_id, owner_id, user_id, role, expires_at) values ($1, $2, $3, $4, 'viewer', now() + interval '1 day')`,
      [uuidv7(), server, owner, invited],
    )
  await insert(`billing_accounts (user_id, customer_id) values ($1, $2)`, [id, `cus_${id}`])
  await insert(
    `subscriptions (id, user_id, customer_id, price_id, tier, status) values ($1, $2, $3, 'price', 'standard', 'active')`,
    [`sub_${id}`, id, `cus_${id}`],
  )
  await insert(`duplicate_subscriptions (subscription_id, user_id) values ($1, $2)`, [`sub_2_${id}`, id])
  await insert(
    `payment_sessions (id, user_id, kind, idempotency_key, url, expires_at) values ($1::uuid, $2, 'payment', $1::text, 'https://pay.example/secret', now())`,
    [uuidv7(), id],
  )
  // As members of staff and as new owners leave them.
  for (const [action, targetType, targetId, details] of [
    ['user.update', 'user', other.id, { before: { tier: 'free' }, after: { tier: 'premium' } }],
    ['user.identity.link', 'user', id, { provider: 'gameplatform', identity: `platform-${id}`, formerIdentity: null }],
    ['report.delete', 'report', uuidv7(), { serverId: otherId, reporterId: other.id }],
    ['server.member.join', 'server', otherId, { role: 'viewer' }],
    ['server.handover', 'server', serverId, { formerOwnerId: other.id }],
    ['server.member.change', 'server', serverId, { userId: other.id, role: 'viewer' }],
  ] as const)
    await insert(`audit_log (id, actor_id, action, target_type, target_id, details) values ($1, $2, $3, $4, $5, $6)`, [
      uuidv7(),
      id,
      action,
      targetType,
      targetId,
      details,
    ])
  await insert(`audit_log (id, actor_id, action, target_type, target_id) values ($1, $2, 'user.update', 'user', $3)`, [
    uuidv7(),
    other.id,
    id,
  ])
  await insert(
    `audit_log (id, actor_id, action, target_type, target_id) values ($1, $2, 'server.update', 'server', $3)`,
    [uuidv7(), id, otherId],
  )
}
