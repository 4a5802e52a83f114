// Members of servers. SQL, because a membership is valid only while the server keeps the owner who granted
// it, which spans tables.
import type { Db } from '../../platform/db/pool.ts'
import type { MemberRole } from './roles.ts'

/**
 * Condition on rows of `server_members` or `server_invitations`, joined with `servers`. A server that changes owners in
 * any way (a claim, an administrator, a deleted account, a process of an earlier release) thereby ends its team.
 */
export const grantedByOwner = (table: 'server_members' | 'server_invitations') =>
  `(servers.id = ${table}.server_id and servers.owner_id = ${table}.owner_id and servers.deleted_at is null)`

/** @returns undefined for a user who is not a member */
export async function findMembership(db: Db, serverId: string, userId: string) {
  const { rows } = await db.query<{ role: MemberRole; mayUseRcon: boolean }>({
    name: 'servers-find-membership',
    text: `
      select role, may_use_rcon as "mayUseRcon"
      from server_members join servers on ${grantedByOwner('server_members')}
      where server_id = $1 and user_id = $2`,
    values: [serverId, userId],
  })
  return rows[0]
}

/** SQL: whether a user owns a server or works on it. @param server, user qualified columns, or parameters */
export const isOnTeamSql = (server: string, user: string) => `exists (
  select from servers where servers.id = ${server} and owner_id = ${user}
  union all
  select from server_members join servers on ${grantedByOwner('server_members')}
  where server_members.server_id = ${server} and server_members.user_id = ${user})`

/** @returns whether the user owns the server or works on it */
export async function isOnTeam(db: Db, serverId: string, userId: string): Promise<boolean> {
  const { rows } = await db.query<{ isOnTeam: boolean }>(`select ${isOnTeamSql('$1', '$2')} as "isOnTeam"`, [
    serverId,
    userId,
  ])
  return rows[0]?.isOnTeam ?? false
}

/** A user who worked on a server, or was invited to. */
export interface FormerMember {
  serverId: string
  userId: string
  /** `owner`: the server was offered to the user. */
  role: MemberRole | 'owner'
  wasInvited: boolean
}

/**
 * Removes all members and invitations of servers. Call it in the transaction that changes the owner, so that none
 * returns with a former owner.
 * @returns for `notifyFormerMembers`; not those who were invited by an address that no account has confirmed
 */
export async function deleteTeams(db: Db, serverIds: readonly string[]): Promise<FormerMember[]> {
  const { rows } = await db.query<FormerMember>(
    `with members as (
       delete from server_members where server_id = any($1::uuid[]) returning server_id, user_id, role),
     invitations as (
       delete from server_invitations where server_id = any($1::uuid[]) returning server_id, user_id, email, role)
     select server_id as "serverId", user_id as "userId", role, false as "wasInvited" from members
     union all
     select server_id, users.id, role, true
     from invitations
     join users on users.id = user_id or (users.email = invitations.email and email_verified_at is not null)`,
    [serverIds],
  )
  return rows
}
