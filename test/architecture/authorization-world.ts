// What the authorization table is tried on: people, a server with its owner, keys, tokens; made anew for what changes them.
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { createPasswords } from '../../src/features/accounts/login/passwords.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { TEST_SECRET } from '../support/api.ts'
import { addAuction, addSlot, addWonAuction } from '../support/auctions.ts'
import { addPerson, type Person } from '../support/people.ts'

export const PASSWORD = 'plough the 7 seas'
const passwordHash = createPasswords().hash(PASSWORD)
const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
const encryptedPassword = secretCipher.encrypt('rcon', PASSWORD)
const encryptedSecret = secretCipher.encrypt('webhook', `whsec_${randomBytes(32).toString('base64')}`)

/** Whoever may call: nobody; somebody with nothing; the owner of another server; the owner; an administrator; the owner's keys. */
export const CALLERS = ['anonymous', 'user', 'other', 'owner', 'admin', 'key', 'revoked'] as const
export type Caller = (typeof CALLERS)[number]

export interface World {
  people: Record<'user' | 'other' | 'owner' | 'admin', Person>
  /** What each caller sends to say who it is. */
  headers: Record<Caller, Record<string, string>>
  /** The owner's. */
  server: { id: string; address: string }
  /** Id of the owner's key that works. */
  keyId: string
  /** To the server's webhook. */
  deliveryId: string
  /** Of the owner's server. */
  wipeId: string
  /** From the owner's mails. */
  tokens: { verify: string; reset: string; stopClaim: string }
  /** About the server, by somebody whose account is gone. */
  reportId: string
  contactId: string
  /** Somebody else's. */
  otherServerId: string
  /** Runs, in the slot; nobody has bid. */
  auctionId: string
  /** Over, and the owner's to pay for. */
  wonAuctionId: string
  wonBidId: string
  slotId: string
  location: string
  /** Sells nothing. */
  freeSlotId: string
}

export async function createWorld(pool: Pool): Promise<World> {
  const [user, other, owner, admin] = await Promise.all([
    addSomebody(pool),
    addSomebody(pool),
    addSomebody(pool),
    addSomebody(pool, true),
  ])
  const server = await addServer(pool, owner.id)
  const otherServer = await addServer(pool, other.id)
  const [key, revoked] = [await addKey(pool, owner.id), await addKey(pool, owner.id)]
  await pool.query('update api_keys set revoked_at = now() where id = $1', [revoked.id])
  await pool.query('insert into favorites (id, user_id, server_id) values ($1, $2, $3)', [
    uuidv7(),
    owner.id,
    server.id,
  ])
  const slot = await addSlot(pool)
  const wonAuctionId = await addWonAuction(pool, owner.id, server.id)
  const { rows: wonBids } = await pool.query<{ id: string }>('select id from bids where auction_id = $1', [
    wonAuctionId,
  ])
  return {
    auctionId: await addAuction(pool, { slotId: slot.id }),
    otherServerId: otherServer.id,
    wonAuctionId,
    wonBidId: wonBids[0]?.id ?? '',
    slotId: slot.id,
    location: slot.location,
    freeSlotId: (await addSlot(pool)).id,
    people: { user, other, owner, admin },
    headers: {
      anonymous: {},
      user: { cookie: user.cookie },
      other: { cookie: other.cookie },
      owner: { cookie: owner.cookie },
      admin: { cookie: admin.cookie },
      key: { authorization: key.authorization },
      revoked: { authorization: revoked.authorization },
    },
    server,
    keyId: key.id,
    deliveryId: await addWebhook(pool, server.id),
    wipeId: await addWipe(pool, server.id),
    reportId: await addReport(pool, server.id),
    contactId: await addContactMessage(pool),
    tokens: {
      verify: await addToken(pool, owner.id, 'verify'),
      reset: await addToken(pool, owner.id, 'reset'),
      stopClaim: await addWaitingClaim(pool, server.id, owner.id),
    },
  }
}

/** Somebody with a password and both other identities; not yet of a verified address. */
async function addSomebody(pool: Pool, isAdmin = false): Promise<Person> {
  const person = await addPerson(pool, { isAdmin, tier: 'enterprise' })
  await pool.query(
    `update users set password_hash = $2, chat_id = id::text, game_platform_id = id::text, email_verified_at = null
     where id = $1`,
    [person.id, await passwordHash],
  )
  return person
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

/** An address nobody has. */
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
  return { id, address }
}

async function addKey(pool: Pool, userId: string): Promise<{ id: string; authorization: string }> {
  const id = uuidv7()
  const key = `sd_${randomBytes(12).toString('hex')}`
  const secret = randomBytes(32).toString('base64url')
  await pool.query(`insert into api_keys (id, user_id, name, key, secret_hash) values ($1, $2, 'A key', $3, $4)`, [
    id,
    userId,
    key,
    createHash('sha256').update(secret).digest(),
  ])
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

/** Of a person of its own, who is about to take the server over. @returns the token that stops it */
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

/** @returns the id of a delivery */
async function addWebhook(pool: Pool, serverId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(
    `insert into webhook_endpoints (server_id, url, events, secret)
     values ($1, 'https://owner.example/hook', '{vote.created}', $2)`,
    [serverId, encryptedSecret],
  )
  await pool.query(
    `insert into webhook_deliveries (id, server_id, type, body) values ($1, $2, 'vote.created', '{"data":{}}')`,
    [id, serverId],
  )
  return id
}

async function addReport(pool: Pool, serverId: string): Promise<string> {
  const id = uuidv7()
  await pool.query(`insert into reports (id, server_id, reason) values ($1, $2, 'spam')`, [id, serverId])
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
