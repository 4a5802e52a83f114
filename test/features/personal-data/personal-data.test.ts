// The file of everything that is stored about an account: all parts, nobody else's, no secret, and how often.
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { PARTS, readPersonalData } from '../../../src/features/personal-data/personal-data.service.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { startTestApi, TEST_SECRET } from '../../support/api.ts'
import { addAuction, addWonAuction } from '../../support/auctions.ts'
import { addPerson, fieldsOf, type Person } from '../../support/people.ts'
import { callerOf, serverFields } from '../servers/support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)
const cipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })

type Parts = Record<string, Record<string, unknown>[]>

const download = (who?: Person) => api.request('/api/user/data', { headers: who ? { cookie: who.cookie } : {} })

async function partsOf(who: Person): Promise<Parts> {
  const response = await download(who)
  expect(response.status).toBe(200)
  return (await fieldsOf(response)).parts as Parts
}

/** Secrets as they are stored, which must not be in a file. */
const hash = (text: string) => createHash('sha256').update(text).digest()
const SECRETS = {
  password: '$argon2id$a-stored-hash',
  rcon: cipher.encrypt('rcon', 'rcon password'),
  url: cipher.encrypt('webhook', 'https://chat.example/a-secret-path'),
  signing: cipher.encrypt('webhook', 'whsec_secret'),
}

/** An account with at least one entry in every part. */
async function addEverything(): Promise<{ person: Person; serverId: string; other: Person }> {
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
  await call(person, 'POST', `/servers/${otherId}/reports`, { reason: 'spam', details: 'Again' })
  await call(person, 'POST', `/servers/${serverId}/wipe-history`, { kind: 'full' })
  await call(person, 'PUT', `/servers/${otherId}/notifications`, { events: ['serverOffline'] })
  await call(person, 'POST', '/user/api-keys', { name: 'Mine' })
  await call(person, 'POST', '/contact', { name: 'Me', email: `${person.id}@example.com`, message: 'Hello' })
  const auctionId = await addAuction(pool)
  await call(person, 'POST', `/auctions/${auctionId}/bid`, { bidAmount: 500 })
  await addWonAuction(pool, person.id, serverId)
  const vote = { username: 'Me', gamePlatformId: `platform-${person.id}`, visitorId: uuidv7() }
  await call(undefined, 'POST', `/servers/${otherId}/vote`, vote)
  await insertTheRest(person, { serverId, other, otherId })
  return { person, serverId, other }
}

async function insertTheRest(
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
  await insert(`chat_webhooks (user_id, url) values ($1, $2)`, [id, SECRETS.url])
  await insert(`notifications (id, user_id, event, topic, created_at) values ($1, $2, 'serverOffline', 'x', now())`, [
    uuidv7(),
    id,
  ])
  await insert(
    `pending_notices (user_id, channel, event, topic, first_at, last_at) values ($1, 'email', 'serverOffline', 'x', now(), now())`,
    [id],
  )
  await insert(`notification_digests (user_id, channel, sent_at) values ($1, 'email', now())`, [id])
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

describe('the file', () => {
  test('has entries of every part, none of a person without any, and is saved by browsers', async () => {
    const { person } = await addEverything()
    const response = await download(person)
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="account-data.json"')
    expect(response.headers.get('cache-control')).toBe('no-store')
    const { parts, incomplete, exportedAt } = (await fieldsOf(response)) as { parts: Parts } & Record<string, unknown>
    expect(Object.keys(parts)).toEqual(PARTS.map(({ name }) => name))
    expect(Object.entries(parts).filter(([, entries]) => entries.length === 0)).toEqual([])
    expect([incomplete, Date.parse(String(exportedAt)) > 0]).toEqual([[], true])
    expect(parts.account).toMatchObject([{ id: person.id, email: `${person.id}@example.com` }])
    expect(parts.votes).toMatchObject([{ username: 'Me', gamePlatformId: `platform-${person.id}` }])
    expect(parts.auditLog).toMatchObject([
      { action: 'server.update', isByYou: true },
      { action: 'user.update', isByYou: false },
    ])
    const nobody = await partsOf(await addPerson(pool))
    const filled = Object.entries(nobody).filter(([, entries]) => entries.length > 0)
    expect(filled.map(([name]) => name).sort()).toEqual(['account', 'sessions'])
  })

  test('has no secret, and no field that sounds like one', async () => {
    const { person } = await addEverything()
    const text = await (await download(person)).text()
    const stored = [...Object.values(SECRETS), 'https://pay.example/secret', person.cookie.slice('session='.length)]
    for (const secret of stored) expect(text).not.toContain(secret)
    const { parts } = JSON.parse(text) as { parts: Parts }
    const fields = new Set(Object.values(parts).flatMap((entries) => entries.flatMap((entry) => Object.keys(entry))))
    const suspicious = [...fields].filter((name) => /password|secret|token|hash|url$|key$/i.test(name)).sort()
    // The game server shows a claim's token; pictures are public by their hash; a key's public half; addresses of pages.
    expect(suspicious).toEqual(['avatarUrl', 'bannerHash', 'bannerUrl', 'chatUrl', 'key', 'logoHash', 'token'])
    expect(text).not.toContain('"type":"Buffer"')
  })

  test('does not say who acted on the account, and whose the other accounts are', async () => {
    const { person, other } = await addEverything()
    const { teamMembers, sentInvitations, ...parts } = await partsOf(person)
    expect(teamMembers).toMatchObject([{ userId: other.id }]) // whom the person has invited
    expect(sentInvitations).toMatchObject([{ userId: other.id }])
    expect(JSON.stringify(parts)).not.toContain(other.id)
  })

  test('has the messages under an address only once it is verified', async () => {
    const { person } = await addEverything()
    await pool.query('update users set email_verified_at = null where id = $1', [person.id])
    expect((await partsOf(person)).contactMessages).toEqual([])
  })

  test('holds a bounded number of entries, and says of which parts there are more', async () => {
    const { person } = await addEverything()
    const file = await readPersonalData(pool, person.id, 1)
    expect(file.incomplete).toEqual(['bids', 'auditLog'])
    expect(file.parts.auditLog).toMatchObject([{ action: 'server.update' }])
  })
})

test('a file needs a session, and there are ten a day', async () => {
  const person = await addPerson(pool)
  expect((await download()).status).toBe(401)
  const secret = randomBytes(32).toString('base64url')
  await pool.query(`insert into api_keys (id, user_id, name, key, secret_hash) values ($1, $2, 'A key', $3, $4)`, [
    uuidv7(),
    person.id,
    `sd_${'a'.repeat(24)}`,
    hash(secret),
  ])
  const byKey = { authorization: `Bearer sd_${'a'.repeat(24)}.${secret}` }
  expect((await api.request('/api/user/data', { headers: byKey })).status).toBe(403)
  for (let n = 0; n < 10; n++) expect((await download(person)).status).toBe(200)
  const refused = await download(person)
  expect([refused.status, (await fieldsOf(refused)).error]).toEqual([429, 'rate_limited'])
  expect((await download(await addPerson(pool))).status).toBe(200)
})
