// The audit log of one server. SQL, because whose entries are seen, and whose names, depends on who owns the
// server and its team.
import { NIL } from 'uuid'
import type * as z from 'zod'
import type { Db } from '../../platform/db/pool.ts'
import { grantedByOwner } from '../servers/index.ts'
import type { ServerAuditEntry } from './audit-log.schema.ts'

/**
 * Entries since the server last changed owners without the former owner's consent: what the former team did is not
 * the new owner's to see.
 */
const SEEN = `
  target_type = 'server' and target_id = $1::uuid::text and action = any($2::text[])
  and id >= coalesce(
    (select id from audit_log
     where target_type = 'server' and target_id = $1::uuid::text
       and (action = 'server.claim' and details ->> 'formerOwnerId' is distinct from actor_id::text or (action = 'server.update' and details -> 'after' ? 'ownerId'))
     order by id desc limit 1),
    '${NIL}')`

/**
 * The servers whose owners were notified of a user: the user joined or left their team, or answered an
 * invitation or an offer.
 */
export async function findServersOfMember(db: Db, userId: string): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>(
    `select distinct target_id as "serverId" from audit_log
     where actor_id = $1 and target_type = 'server'
       and action in ('server.member.join', 'server.member.remove', 'server.invitation.decline', 'server.handover')`,
    [userId],
  )
  return rows.map(({ serverId }) => serverId)
}

export async function countServerEntries(db: Db, serverId: string, actions: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'teams-count-audit',
    text: `select count(*) as count from audit_log where ${SEEN}`,
    values: [serverId, actions],
  })
  return rows[0]?.count ?? 0
}

/**
 * Newest first. Of actors only those have a name who are or were of the team: administrators have none. Who declined an
 * invitation has none either: it may have been sent to an address. A hand-over is offered to a member.
 */
export async function findServerEntries(
  db: Db,
  serverId: string,
  actions: readonly string[],
  { limit, offset }: { limit: number; offset: number },
) {
  const { rows } = await db.query<z.output<typeof ServerAuditEntry>>({
    name: 'teams-find-audit',
    text: `
      with seen as (select * from audit_log where ${SEEN}),
      team as (
        select owner_id as user_id from servers where id = $1
        union select user_id from server_members join servers on ${grantedByOwner('server_members')} where server_id = $1
        union select actor_id from seen where action in ('server.member.join', 'server.handover', 'server.claim')
        union select (details ->> 'formerOwnerId')::uuid from seen where action = 'server.handover')
      select seen.id, at, action, actor.username as "actorUsername",
        case when action in ('server.member.invite', 'server.member.change', 'server.member.remove', 'server.handover.offer')
          then (select username from users where id = (details ->> 'userId')::uuid) end as "memberUsername",
        case when action like 'server.member.%' or action like 'server.invitation.%' then details ->> 'role'
          when action like 'server.handover%' then 'owner' end as role,
        case when action = 'server.update' and jsonb_typeof(details -> 'after') = 'object'
          then array(select jsonb_object_keys(details -> 'after')) else '{}' end as fields
      from (select * from seen order by id desc limit $3 offset $4) as seen
      left join users as actor on actor.id = actor_id and actor.id in (select user_id from team)
        and (action <> 'server.invitation.decline' or details ->> 'role' = 'owner')
      order by seen.id desc`,
    values: [serverId, actions, limit, offset],
  })
  return rows
}
