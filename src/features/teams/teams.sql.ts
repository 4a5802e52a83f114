// Members and invitations of servers. SQL, because one statement decides a race, by the database's clock and the server's current owner.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { grantedByOwner, type MemberRole, type Transfer } from '../servers/index.ts'
import type { Member, ReceivedInvitation, SentInvitation } from './teams.schema.ts'

/** Time enough for a person on holiday. */
export const INVITATION_DAYS = 14

const IS_LIVE = `${grantedByOwner('server_invitations')} and expires_at > now()`
/** Only a confirmed address counts: an account can be created with the address of another person. */
const isFor = (userId: string) =>
  `(server_invitations.owner_id <> ${userId}
    and (server_invitations.user_id = ${userId}
      or server_invitations.email = (select users.email from users where users.id = ${userId} and email_verified_at is not null)))`

/** The owner, then the members in the order in which they joined. */
export async function findMembers(db: Db, serverId: string) {
  const { rows } = await db.query<z.output<typeof Member>>({
    name: 'teams-find-members',
    text: `
      select users.id as "userId", username, 'owner' as role, true as "mayUseRcon", null::timestamptz as "joinedAt"
      from servers join users on users.id = owner_id
      where servers.id = $1
      union all
      select user_id, username, role, may_use_rcon, server_members.created_at
      from server_members
      join servers on ${grantedByOwner('server_members')}
      join users on users.id = user_id
      where server_id = $1
      order by "joinedAt" nulls first, "userId"`,
    values: [serverId],
  })
  return rows
}

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

/** How many members a server has, and how many invitations wait for an answer. */
export async function countTeam(db: Db, serverId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'teams-count',
    text: `
      select (select count(*) from server_members join servers on ${grantedByOwner('server_members')} where server_id = $1)
        + (select count(*) from server_invitations join servers on ${IS_LIVE} where server_id = $1 and role <> 'owner') as count`,
    values: [serverId],
  })
  return rows[0]?.count ?? 0
}

/** At most two: whether there is one is all that is asked. */
export async function findUsersNamed(db: Db, username: string) {
  const { rows } = await db.query<{ id: string }>({
    name: 'teams-find-users-named',
    text: 'select id from users where username = $1 and banned_at is null limit 2',
    values: [username],
  })
  return rows
}

export async function findEmail(db: Db, userId: string): Promise<string | null> {
  const { rows } = await db.query<{ email: string | null }>('select email from users where id = $1', [userId])
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

/** Invites in the name of the server's owner, instead of an earlier invitation of the same user and an earlier hand-over. The server must be locked. */
export async function insertInvitation(
  db: Db,
  { id, serverId, userId, email, role, mayUseRcon }: NewInvitation,
): Promise<{ createdAt: Date; expiresAt: Date }> {
  await db.query(
    `delete from server_invitations
     where server_id = $1 and (user_id = $2 or email = $3 or (role = 'owner' and $4 = 'owner'))`,
    [serverId, userId, email, role],
  )
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

/** @returns undefined if there is none; `recipientId`: the account that could see it, if there is one */
export async function deleteInvitation(db: Db, serverId: string, id: string) {
  const { rows } = await db.query<{ role: 'owner' | MemberRole; recipientId: string | null }>(
    `delete from server_invitations where id = $1 and server_id = $2
     returning role, coalesce(user_id,
       (select users.id from users where users.email = server_invitations.email and email_verified_at is not null)) as "recipientId"`,
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

/** Deletes a user's invitation, which decides who answers it. The server must be locked. @returns undefined if it no longer counts */
export async function takeInvitation(db: Db, id: string, userId: string) {
  const { rows } = await db.query<{ role: 'owner' | MemberRole; mayUseRcon: boolean; ownerId: string }>(
    `delete from server_invitations using servers
     where server_invitations.id = $1 and ${IS_LIVE} and ${isFor('$2')}
     returning role, may_use_rcon as "mayUseRcon", server_invitations.owner_id as "ownerId"`,
    [id, userId],
  )
  return rows[0]
}

/** The owner of a server, and the name of a user who joins or leaves it. */
export async function findOwnerAndName(db: Db, serverId: string, userId: string) {
  const { rows } = await db.query<{ ownerId: string | null; username: string }>(
    `select owner_id as "ownerId", username from servers, users where servers.id = $1 and users.id = $2`,
    [serverId, userId],
  )
  return rows[0]
}

/** The members of a server, and the accounts that see an invitation to it. */
export async function findTeam(db: Db, serverId: string) {
  const { rows } = await db.query<{ members: string[]; invited: string[] }>(
    `select
       array(select user_id from server_members join servers on ${grantedByOwner('server_members')} where server_id = $1) as members,
       array(
         select users.id from server_invitations
         join servers on ${IS_LIVE}
         join users on users.id = user_id or (users.email = server_invitations.email and email_verified_at is not null)
         where server_id = $1) as invited`,
    [serverId],
  )
  return rows[0] ?? { members: [], invited: [] }
}

/** Gives a user a role, instead of an earlier one. The server must be locked. */
export async function upsertMember(
  db: Db,
  member: { serverId: string; userId: string; role: MemberRole; mayUseRcon: boolean },
): Promise<void> {
  const { serverId, userId, role, mayUseRcon } = member
  await db.query(
    `insert into server_members (server_id, user_id, owner_id, role, may_use_rcon)
     select id, $2, owner_id, $3, $4 from servers where id = $1
     on conflict (server_id, user_id) do update
     set owner_id = excluded.owner_id, role = excluded.role, may_use_rcon = excluded.may_use_rcon, created_at = now()`,
    [serverId, userId, role, mayUseRcon],
  )
}

/** Absent fields stay; a viewer loses RCON. @returns undefined if the user is not a member */
export async function updateMember(
  db: Db,
  { serverId, userId }: { serverId: string; userId: string },
  { role, mayUseRcon }: { role: MemberRole | undefined; mayUseRcon: boolean | undefined },
) {
  const { rows } = await db.query<{ role: MemberRole; mayUseRcon: boolean }>(
    `update server_members
     set role = coalesce($3, role),
       may_use_rcon = coalesce($3, role) = 'manager' and coalesce($4, may_use_rcon)
     from servers
     where server_id = $1 and user_id = $2 and ${grantedByOwner('server_members')}
     returning role, may_use_rcon as "mayUseRcon"`,
    [serverId, userId, role, mayUseRcon],
  )
  return rows[0]
}

/** Ends a membership, and a hand-over that waits for the member. @returns undefined if the user is not a member */
export async function deleteMember(db: Db, { serverId, userId }: { serverId: string; userId: string }) {
  const { rows } = await db.query<{ role: MemberRole }>(
    `with invitation as (delete from server_invitations where server_id = $1 and user_id = $2)
     delete from server_members using servers
     where server_id = $1 and user_id = $2 and ${grantedByOwner('server_members')}
     returning role`,
    [serverId, userId],
  )
  return rows[0]
}

/**
 * Makes a user the owner of a server, which the transaction has locked.
 * @returns false if it does not belong to `from`
 */
export async function transferServer(db: Db, { serverId, from, to }: Transfer): Promise<boolean> {
  const { rowCount } = await db.query(
    'update servers set owner_id = $3, updated_at = now() where id = $1 and owner_id = $2',
    [serverId, from, to],
  )
  return rowCount === 1
}

/** Keeps the members whom `from` invited for the new owner, who is not one of them any more. Call it before the server changes owners. */
export async function passOnTeam(db: Db, { serverId, from, to }: Transfer): Promise<void> {
  await db.query('delete from server_invitations where server_id = $1', [serverId])
  await db.query('delete from server_members where server_id = $1 and (user_id = $3 or owner_id <> $2)', [
    serverId,
    from,
    to,
  ])
  await db.query('update server_members set owner_id = $2 where server_id = $1', [serverId, to])
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

/** The recipient of the mail about a hand-over. @returns undefined if they have no confirmed address */
export async function findFormerOwner(db: Db, serverId: string, userId: string) {
  const { rows } = await db.query<{ email: string; serverName: string; ownerName: string }>(
    `select email, servers.name as "serverName",
       coalesce((select username from users as owner where owner.id = owner_id), '') as "ownerName"
     from users, servers
     where users.id = $2 and users.email is not null and email_verified_at is not null and banned_at is null and servers.id = $1`,
    [serverId, userId],
  )
  return rows[0]
}

/** Deletes expired invitations, and the team of servers that were removed or have another owner. @returns how many rows */
export async function deleteInvalid(db: Sql): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `with invitations as (
       delete from server_invitations using servers
       where servers.id = server_id
         and (expires_at <= now() or deleted_at is not null or servers.owner_id is distinct from server_invitations.owner_id)
       returning 1),
     members as (
       delete from server_members using servers
       where servers.id = server_id and (deleted_at is not null or servers.owner_id is distinct from server_members.owner_id)
       returning 1)
     select (select count(*) from invitations) + (select count(*) from members) as count`,
  )
  return rows[0]?.count ?? 0
}
