// The data that the authorization table is tested on: people, servers, keys and tokens, created again for each write.
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { createPasswords } from '../../src/features/accounts/login/passwords.ts'
import { newRecoveryCodes, recoveryCodeHash } from '../../src/features/accounts/second-factor/one-time-codes.ts'
import { mailSettingsToken } from '../../src/features/notifications/mail-settings.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { hashToken } from '../../src/platform/hash-token.ts'
import { TEST_SECRET } from '../support/api.ts'
import { addAuction, addSlot, addWonAuction } from '../support/auctions.ts'
import { addPerson, type Person } from '../support/people.ts'

export const PASSWORD = 'plough the 7 seas'
const passwordHash = createPasswords().hash(PASSWORD)
const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
const encryptedPassword = secretCipher.encrypt('rcon', PASSWORD)
const encryptedSecret = secretCipher.encrypt('webhook', `whsec_${randomBytes(32).toString('base64')}`)

/**
 * No session; a user without servers; another server's owner; members; the owner; a moderator; an administrator;
 * the owner's API keys.
 */
export const CALLERS = [
  'anonymous',
  'user',
  'other',
  'viewer',
  'manager',
  'owner',
  'moderator',
  'admin',
  'key',
  'revoked',
] as const
export type Caller = (typeof CALLERS)[number]

export interface World {
  people: Record<'user' | 'other' | 'viewer' | 'manager' | 'owner' | 'moderator' | 'admin', Person>
  /** The headers that identify each caller. */
  headers: Record<Caller, Record<string, string>>
  /** The owner's server. */
  server: { id: string; address: string }
  /** Of the user, to the server. */
  invitationId: string
  /** Of the user, besides the one of their requests. */
  sessionId: string
  /** Of the viewer, whose session has confirmed it. */
  passkeyId: string
  recoveryCode: string
  /** Of votes for the server; they can be restored. */
  voidingId: string
  findingId: string
  /** Of the owner, by mail, to vote for the server. Who knows its id can read and end it. */
  reminderId: string
  /** Of the owner, for push messages. */
  browserId: string
  /** Id of the owner's valid key. */
  keyId: string
  /** Of the server. */
  voteKey: string
  /** An endpoint of the server, and a delivery to it. */
  endpointId: string
  deliveryId: string
  /** A wipe of the owner's server. */
  wipeId: string
  /** Tokens from the owner's mails. */
  tokens: { verify: string; reset: string; stopClaim: string; mailSettings: string }
  /** A report about the server whose author deleted the account. */
  reportId: string
  contactId: string
  /** What sources may not list. */
  blockId: string
  /** Another user's server. */
  otherServerId: string
  /** An open auction of the slot, without bids. */
  auctionId: string
  /** An ended auction that the owner has to pay. */
  wonAuctionId: string
  wonBidId: string
  slotId: string
  location: string
  /** A slot without auctions. */
  freeSlotId: string
}

export async function createWorld(pool: Pool): Promise<World> {
  const [user, other, viewer, manager, owner, moderator, admin] = await Promise.all([
    addUser(pool),
    addUser(pool),
    addUser(pool),
    addUser(pool),
    addUser(pool),
    addUser(pool, { isModerator: true }),
    addUser(pool, { isAdmin: true }),
  ])
  const [server, otherServer, key, revoked, slot, freeSlot, contactId, blockId, verify, reset] = await Promise.all([
    addServer(pool, owner.id),
    addServer(pool, other.id),
    addKey(pool, owner.id),
    addKey(pool, owner.id, true),
    addSlot(pool),
    addSlot(pool),
    addContactMessage(pool),
    addBlock(pool),
    addToken(pool, owner.id, 'verify'),
    addToken(pool, owner.id, 'reset'),
  ])
  const [sessionId, won, auctionId, voteKey, deliveryId, wipeId, reportId, stopClaim, invitationId, browserId] =
    await Promise.all([
      addSession(pool, user.id),
      addWonBid(pool, owner.id, server.id),
      addAuction(pool, { slotId: slot.id }),
      addVoteKey(pool, server.id),
      addWebhook(pool, server.id),
      addWipe(pool, server.id),
      addReport(pool, server.id),
      addWaitingClaim(pool, server.id, owner.id),
      addInvitation(pool, server.id, { ownerId: owner.id, userId: user.id }),
      addBrowser(pool, owner.id),
      addMember(pool, server.id, { ownerId: owner.id, userId: viewer.id, role: 'viewer' }),
      addMember(pool, server.id, { ownerId: owner.id, userId: manager.id, role: 'manager' }),
      pool.query('insert into favorites (id, user_id, server_id) values ($1, $2, $3)', [uuidv7(), owner.id, server.id]),
    ])
  const voidingId = uuidv7()
  await pool.query(
    `insert into vote_voidings (id, created_by, by_moderator, reason, selection, status)
     values ($1, $2, true, 'Bought votes', $3, 'voided')`,
    [voidingId, moderator.id, { serverId: server.id }],
  )
  const findingId = await addFinding(pool, server.id)
  const reminderId = await addReminder(pool, server.id, owner.id)
  const secondFactor = await addSecondFactor(pool, viewer.id)
  return {
    ...secondFactor,
    voidingId,
    findingId,
    reminderId,
    auctionId,
    otherServerId: otherServer.id,
    wonAuctionId: won.auctionId,
    wonBidId: won.bidId,
    slotId: slot.id,
    location: slot.location,
    freeSlotId: freeSlot.id,
    people: { user, other, viewer, manager, owner, moderator, admin },
    headers: {
      anonymous: {},
      user: { cookie: user.cookie },
      other: { cookie: other.cookie },
      viewer: { cookie: viewer.cookie },
      manager: { cookie: manager.cookie },
      owner: { cookie: owner.cookie },
      moderator: { cookie: moderator.cookie },
      admin: { cookie: admin.cookie },
      key: { authorization: key.authorization },
      revoked: { authorization: revoked.authorization },
    },
    server,
    invitationId,
    sessionId,
    browserId,
    keyId: key.id,
    voteKey,
    endpointId: server.id,
    deliveryId,
    wipeId,
    reportId,
    contactId,
    blockId,
    tokens: {
      verify,
      reset,
      stopClaim,
      mailSettings: mailSettingsToken({ APP_SECRET: TEST_SECRET }, owner.id, `${owner.id}@example.com`),
    },
  }
}

/** Adds a user with a password and both linked identities whose email is not verified yet. */
async function addUser(pool: Pool, role: { isAdmin?: boolean; isModerator?: boolean } = {}): Promise<Person> {
  const person = await addPerson(pool, { ...role, tier: 'enterprise' })
  await pool.query(
    `update users set password_hash = $2, chat_id = id::text, game_platform_id = id::text, email_verified_at = null
     where id = $1`,
    [person.id, await passwordHash],
  )
  return person
}

async function addSession(pool: Pool, userId: string): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day') returning public_id as id`,
    [randomBytes(32), userId],
  )
  return rows[0]?.id ?? ''
}

/** A passkey, one-time codes and a recovery code, confirmed in all sessions. */
async function addSecondFactor(pool: Pool, userId: string): Promise<{ passkeyId: string; recoveryCode: string }> {
  const passkeyId = uuidv7()
  const [recoveryCode = ''] = newRecoveryCodes()
  await pool.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
     values ($1, $2, $3, $3, 0, '{}', 'Laptop')`,
    [passkeyId, userId, randomBytes(32)],
  )
  await pool.query(`insert into one_time_code_secrets (user_id, secret, confirmed_at) values ($1, '', now())`, [userId])
  await pool.query('insert into recovery_codes (user_id, code_hash) values ($1, $2)', [
    userId,
    recoveryCodeHash(userId, recoveryCode),
  ])
  await pool.query('update sessions set second_factor_at = now() where user_id = $1', [userId])
  return { passkeyId, recoveryCode }
}

async function addWonBid(pool: Pool, ownerId: string, serverId: string): Promise<{ auctionId: string; bidId: string }> {
  const auctionId = await addWonAuction(pool, ownerId, serverId)
  const { rows } = await pool.query<{ id: string }>('select id from bids where auction_id = $1', [auctionId])
  return { auctionId, bidId: rows[0]?.id ?? '' }
}

async function addWipe(pool: Pool, serverId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into wipes (id, server_id, wiped_at, kind, source) values ($1, $2, now() - interval '2 days', 'full', 'detected')`,
    [id, serverId],
  )
  return id
}

let addresses = 0

/** An unused address. */
export function newAddress(): string {
  addresses++
  return `10.77.${addresses >> 8}.${addresses & 255}`
}

async function addServer(pool: Pool, ownerId: string): Promise<World['server']> {
  const address = newAddress()
  const { id } = await createServers({ pool }).add({ name: 'A server', ipAddress: address, gamePort: 7777 })
  await pool.query('update servers set owner_id = $2, is_verified = true where id = $1', [id, ownerId])
  await pool.query('insert into rcon_credentials (server_id, owner_id, port, password) values ($1, $2, 27020, $3)', [
    id,
    ownerId,
    encryptedPassword,
  ])
  await pool.query(
    `insert into vote_cooldowns (server_id, visitor_id, last_voted_at) values ($1, 'some-visitor', now())`,
    [id],
  )
  return { id, address }
}

async function addVoteKey(pool: Pool, serverId: string): Promise<string> {
  const voteKey = `vk_${randomBytes(20).toString('hex')}`
  await pool.query(
    `insert into vote_keys (token_hash, server_id, owner_id, starts_with)
     select $2, id, owner_id, left($3, 8) from servers where id = $1`,
    [serverId, hashToken(voteKey), voteKey],
  )
  return voteKey
}

async function addKey(pool: Pool, userId: string, isRevoked = false): Promise<{ id: string; authorization: string }> {
  const id = uuidv7()
  const key = `sd_${randomBytes(12).toString('hex')}`
  const secret = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into api_keys (id, user_id, name, key, secret_hash, revoked_at)
     values ($1, $2, 'A key', $3, $4, case when $5 then now() end)`,
    [id, userId, key, createHash('sha256').update(secret).digest(), isRevoked],
  )
  return { id, authorization: `Bearer ${key}.${secret}` }
}

async function addToken(pool: Pool, userId: string, purpose: 'verify' | 'reset'): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into email_tokens (token_hash, user_id, purpose, email, expires_at)
     select $1, id, $3, email, now() + interval '1 hour' from users where id = $2`,
    [createHash('sha256').update(token).digest(), userId, purpose],
  )
  return token
}

async function addInvitation(
  pool: Pool,
  serverId: string,
  { ownerId, userId }: { ownerId: string; userId: string },
): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into server_invitations (id, server_id, owner_id, user_id, role, expires_at)
     values ($1, $2, $3, $4, 'viewer', now() + interval '1 day')`,
    [id, serverId, ownerId, userId],
  )
  return id
}

async function addBrowser(pool: Pool, userId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into push_browsers (id, user_id, endpoint_hash, subscription, language) values ($1, $2, $3, 'encrypted', 'en')`,
    [id, userId, `hash of ${id}`],
  )
  return id
}

async function addReminder(pool: Pool, serverId: string, userId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into vote_reminders (id, server_id, visitor_id, channel, user_id, language, due_at)
     values ($1, $2, $3, 'email', $4, 'en', now() + interval '1 day')`,
    [id, serverId, `visitor of ${id}`, userId],
  )
  return id
}

async function addMember(
  pool: Pool,
  serverId: string,
  { ownerId, userId, role }: { ownerId: string; userId: string; role: 'manager' | 'viewer' },
): Promise<void> {
  await pool.query('insert into server_members (server_id, user_id, owner_id, role) values ($1, $2, $3, $4)', [
    serverId,
    userId,
    ownerId,
    role,
  ])
}

/** Adds a pending claim of the server by another user. @returns the token that cancels it */
async function addWaitingClaim(pool: Pool, serverId: string, ownerId: string): Promise<string> {
  const [claimant, token] = [await addPerson(pool), randomBytes(32).toString('base64url')]
  await pool.query(
    `insert into server_claims (id, server_id, user_id, token, expires_at, takeover_since, takeover_sightings, warned_user_id,
       warning_ordered_at, stop_token_hash)
     values ($1, $2, $3, $4, now() + interval '1 day', now(), 1, $5, now(), $6)`,
    [uuidv7(), serverId, claimant.id, `sd-verify-${serverId}`, ownerId, createHash('sha256').update(token).digest()],
  )
  return token
}

/** Adds an endpoint of the server's id. @returns a delivery's id */
async function addWebhook(pool: Pool, serverId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret)
     values ($1, $1, 'https://owner.example/hook', '{vote.created}', $2)`,
    [serverId, encryptedSecret],
  )
  await pool.query(
    `insert into endpoint_deliveries (id, endpoint_id, type, body) values ($1, $2, 'vote.created', '{"data":{}}')`,
    [id, serverId],
  )
  return id
}

async function addReport(pool: Pool, serverId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(`insert into reports (id, server_id, reason) values ($1, $2, 'spam')`, [id, serverId])
  return id
}

async function addFinding(pool: Pool, serverId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into reports (id, server_id, reason, signal, numbers, selection) values ($1, $2, 'votes', 'burst', $3, $4)`,
    [id, serverId, { votes: 90, selected: 90, usualShare: null, busiestDay: 3 }, { serverId }],
  )
  return id
}

async function addBlock(pool: Pool): Promise<string> {
  const id = uuidv7()
  await pool.query(`insert into discovery_blocks (id, name_pattern) values ($1, '%never seen%')`, [id])
  return id
}

async function addContactMessage(pool: Pool): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into contact_messages (id, name, email, message, visitor) values ($1, 'Someone', 'a@example.com', 'Hello', '')`,
    [id],
  )
  return id
}
