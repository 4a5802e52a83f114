// Invitations to teams. SQL, because one statement decides who answers, by the database's clock and the
// server's current owner.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { grantedByOwner, type MemberRole } from '../servers/index.ts'
import type { ReceivedInvitation, SentInvitation } from './teams.schema.ts'

/** Time enough for a person on holiday. */
export const INVITATION_DAYS = 14

/** SQL: an invitation that can be answered, of the joined server. Those of a banned owner wait for the ban's end. */
export const IS_LIVE = `${grantedByOwner('server_invitations')} and expires_at > now()
  and not exists (select from users as inviter where inviter.id = server_invitations.owner_id and inviter.banned_at is not null)`

/**
 * Who answers an invitation. Only a confirmed address counts: an account can be created with the
 * address of another person.
 * @param isProof SQL condition on the address of the user
 */
const isFor = (userId: string, isProof = 'email_verified_at is not null') =>
  `(server_invitations.owner_id <> ${userId}
    and (server_invitations.user_id = ${userId}
      or server_invitations.email = (select users.email from users where users.id = ${userId} and ${isProof})))`

/** The account that could see an invitation, if there is one. */
const RECIPIENT = `coalesce(server_invitations.user_id,
  (select users.id from users where users.email = server_invitations.email and email_verified_at is not null))`

/** The invitations of a server that wait for an answer, oldest first. */
export async function findSentInvitations(db: Db, serverId: string) {
  const { rows } = await db.query<z.output<typeof SentInvitation>>({
    name: 'teams-find-sent-invitations',
    text: `
      select server_invitations.id, role, may_use_rcon as "mayUseRcon", server_invitations.created_at as "createdAt",
        expires_at as "expiresAt", username, server_invitations.email
      from server_invitations
      join servers on ${IS_LIVE}
      left join users on users.id = user_id
      where server_id = $1
      order by server_invitations.id`,
    values: [serverId],
  })
  return rows
}

/**
 * Keeps them from being deleted until the transaction ends: an invitation needs its account.
 * @returns at most two: the caller only needs to know whether there are none, one or several
 */
export async function findUsersNamed(db: Db, username: string) {
  const { rows } = await db.query<{ id: string }>({
    name: 'teams-find-users-named',
    text: 'select id from users where username = $1 and banned_at is null limit 2 for key share',
    values: [username],
  })
  return rows
}

export async function findEmail(db: Db, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ email: string | null }>('select email from users where id = $1', [userId])
  return rows[0]?.email ?? null
}

/** Where an invitation by name is mailed. @returns null if the account has no confirmed address, or is banned */
export async function findMailAddress(db: Db, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ email: string | null }>(
    'select email from users where id = $1 and email_verified_at is not null and banned_at is null',
    [userId],
  )
  return rows[0]?.email ?? null
}

export interface NewInvitation {
  id: string
  serverId: string
  userId: string | null
  email: string | null
  role: 'owner' | MemberRole
  mayUseRcon: boolean
}

/** Ends a hand-over to another member, which a new one replaces. @returns whom the server was offered to until now */
export async function deleteOtherOffer(
  db: Db,
  { serverId, userId }: { serverId: string; userId: string },
): Promise<string[]> {
  const { rows } = await db.query<{ userId: string | null; isLive: boolean }>(
    `delete from server_invitations using servers
     where servers.id = server_id and server_id = $1 and role = 'owner' and user_id <> $2
     returning user_id as "userId", ${IS_LIVE} as "isLive"`,
    [serverId, userId],
  )
  return rows.flatMap((offer) => (offer.isLive && offer.userId ? [offer.userId] : []))
}

/**
 * Invites in the name of the server's owner, instead of an earlier invitation of the same user. The server must be
 * locked.
 */
export async function insertInvitation(
  db: Db,
  { id, serverId, userId, email, role, mayUseRcon }: NewInvitation,
): Promise<{ createdAt: Date; expiresAt: Date }> {
  await db.query('delete from server_invitations where server_id = $1 and (user_id = $2 or email = $3)', [
    serverId,
    userId,
    email,
  ])
  const { rows } = await db.query<{ createdAt: Date; expiresAt: Date }>(
    namedParameters({
      text: `
        insert into server_invitations (id, server_id, owner_id, user_id, email, role, may_use_rcon, expires_at)
        select $id, id, owner_id, $userId, $email, $role, $mayUseRcon, now() + make_interval(days => $days)
        from servers where id = $serverId
        returning created_at as "createdAt", expires_at as "expiresAt"`,
      values: { id, serverId, userId, email, role, mayUseRcon, days: INVITATION_DAYS },
    }),
  )
  const [row] = rows
  if (!row) throw new Error('a locked server is missing')
  return row
}

/** @returns undefined if there is none */
export async function deleteInvitation(db: Db, serverId: string, id: string) {
  const { rows } = await db.query<{ role: 'owner' | MemberRole; recipientId: string | null }>(
    `delete from server_invitations where id = $1 and server_id = $2
     returning role, ${RECIPIENT} as "recipientId"`,
    [id, serverId],
  )
  return rows[0]
}

/** Those that wait for the user's answer, newest first. */
export async function findReceivedInvitations(db: Db, userId: string) {
  const { rows } = await db.query<z.output<typeof ReceivedInvitation>>({
    name: 'teams-find-received-invitations',
    text: `
      select server_invitations.id, role, may_use_rcon as "mayUseRcon", server_invitations.created_at as "createdAt",
        expires_at as "expiresAt", servers.id as "serverId", servers.name as "serverName", owner.username as "invitedBy"
      from server_invitations
      join servers on ${IS_LIVE}
      join users as owner on owner.id = server_invitations.owner_id
      where ${isFor('$1')}
      order by server_invitations.id desc`,
    values: [userId],
  })
  return rows
}

/**
 * Locks the accounts of an invitation before its server is locked, in id order, to avoid deadlocks with their deletion.
 * @returns the server; undefined if the invitation is not the user's
 */
export async function lockAccountsOfInvitation(db: Db, id: string, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ serverId: string; ownerId: string }>(
    `select server_id as "serverId", owner_id as "ownerId" from server_invitations where id = $1 and ${isFor('$2')}`,
    [id, userId],
  )
  const [found] = rows
  if (!found) return undefined
  await db.query('select from users where id = any($1::uuid[]) order by id for no key update', [
    [userId, found.ownerId],
  ])
  return found.serverId
}

/**
 * Deletes the invitations of a user to the team of a server, by name and by address: an earlier one must not bring back
 * a role that the owner has changed since. A hand-over stays.
 * @param unconfirmed also those to an address that the account has not confirmed yet, since it may confirm it later
 */
export async function deleteInvitationsTo(
  db: Db,
  { serverId, userId, unconfirmed }: { serverId: string; userId: string; unconfirmed: boolean },
): Promise<void> {
  const isProof = '(email_verified_at is not null or $3::boolean)'
  await db.query(
    `delete from server_invitations where server_id = $1 and role <> 'owner' and ${isFor('$2', isProof)}`,
    [serverId, userId, unconfirmed],
  )
}

/** Deletes the invitations and hand-overs that an account has sent and that wait for an answer. */
export async function deleteInvitationsOf(db: Db, ownerId: string) {
  const { rows } = await db.query<{
    id: string
    serverId: string
    role: 'owner' | MemberRole
    recipientId: string | null
  }>(
    `delete from server_invitations using servers
     where server_invitations.owner_id = $1 and ${IS_LIVE}
     returning server_invitations.id, server_id as "serverId", role, ${RECIPIENT} as "recipientId"`,
    [ownerId],
  )
  return rows
}

/**
 * Deletes a user's invitation, which decides who answers it. The server must be locked.
 * @returns undefined if it no longer counts
 */
export async function deleteReceivedInvitation(db: Db, id: string, userId: string) {
  const { rows } = await db.query<{
    role: 'owner' | MemberRole
    mayUseRcon: boolean
    ownerId: string
    isByAddress: boolean
  }>(
    `delete from server_invitations using servers
     where server_invitations.id = $1 and ${IS_LIVE} and ${isFor('$2')}
     returning role, may_use_rcon as "mayUseRcon", server_invitations.owner_id as "ownerId", email is not null as "isByAddress"`,
    [id, userId],
  )
  return rows[0]
}

/** An invitation to be mailed. @returns undefined if it no longer counts or its recipient has no confirmed address */
export async function findInvitationMail(db: Db, id: string) {
  const { rows } = await db.query<{
    to: string
    role: 'owner' | MemberRole
    serverName: string
    expiresAt: Date
    isByAddress: boolean
  }>(
    `select coalesce(server_invitations.email, users.email) as "to", role, servers.name as "serverName", expires_at as "expiresAt",
       server_invitations.email is not null as "isByAddress"
     from server_invitations
     join servers on ${IS_LIVE}
     left join users on users.id = user_id and email_verified_at is not null and banned_at is null
     where server_invitations.id = $1 and coalesce(server_invitations.email, users.email) is not null`,
    [id],
  )
  return rows[0]
}
