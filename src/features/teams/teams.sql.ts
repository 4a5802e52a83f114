// Teams of servers and their hand-over. SQL, because one statement decides a race, by the server's current owner.
import type * as z from 'zod'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { grantedByOwner, type MemberRole, type Transfer } from '../servers/index.ts'
import { IS_LIVE } from './invitations.sql.ts'
import type { Member } from './teams.schema.ts'

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

/**
 * How many members a server has, and how many invitations wait for an answer besides those that one of
 * `replacedBy` would replace.
 */
export async function countTeam(
  db: Db,
  serverId: string,
  replacedBy: { userId: string | null; email: string | null },
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'teams-count',
    text: `
      select (select count(*) from server_members join servers on ${grantedByOwner('server_members')} where server_id = $1)
        + (select count(*) from server_invitations join servers on ${IS_LIVE}
           where server_id = $1 and role <> 'owner' and (user_id = $2 or email = $3) is not true) as count`,
    values: [serverId, replacedBy.userId, replacedBy.email],
  })
  return rows[0]?.count ?? 0
}

export async function findOwner(db: Db, serverId: string): Promise<string | null> {
  const { rows } = await db.query<{ ownerId: string | null }>(
    'select owner_id as "ownerId" from servers where id = $1',
    [serverId],
  )
  return rows[0]?.ownerId ?? null
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
  const { rows } = await db.query<{ role: MemberRole; mayUseRcon: boolean; hasChanged: boolean }>(
    `update server_members
     set role = coalesce($3, former.role),
       may_use_rcon = coalesce($3, former.role) = 'manager' and coalesce($4, former.may_use_rcon)
     from servers, server_members as former
     where server_members.server_id = $1 and server_members.user_id = $2 and ${grantedByOwner('server_members')}
       and former.server_id = server_members.server_id and former.user_id = server_members.user_id
     returning server_members.role, server_members.may_use_rcon as "mayUseRcon",
       (server_members.role, server_members.may_use_rcon) is distinct from (former.role, former.may_use_rcon) as "hasChanged"`,
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

/** Ends the memberships that an account has granted on its servers. */
export async function deleteMembersOf(db: Db, ownerId: string) {
  const { rows } = await db.query<{ serverId: string; userId: string; role: MemberRole }>(
    `delete from server_members using servers
     where server_members.owner_id = $1 and ${grantedByOwner('server_members')}
     returning server_id as "serverId", user_id as "userId", role`,
    [ownerId],
  )
  return rows
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

/**
 * Keeps members invited by `from` for the new owner, who is no longer one of them. Call it before the
 * server changes owners.
 */
export async function passOnTeam(db: Db, { serverId, from, to }: Transfer): Promise<void> {
  await db.query('delete from server_invitations where server_id = $1', [serverId])
  await db.query('delete from server_members where server_id = $1 and (user_id = $3 or owner_id <> $2)', [
    serverId,
    from,
    to,
  ])
  await db.query('update server_members set owner_id = $2 where server_id = $1', [serverId, to])
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

/**
 * Deletes expired invitations, and the team of servers that were removed or have another owner.
 * @returns how many rows
 */
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
