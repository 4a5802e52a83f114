// Subscriptions to servers. SQL, because each statement also decides whether the user may know the server,
// and adding one counts.
import type { Db } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'
import { deletePending } from './digests.sql.ts'
import type { ServerNoticeEvent } from './events.ts'
import { CHANNELS } from './notices.sql.ts'

/**
 * @returns undefined if there is no such server for this user: neither listed nor subscribed to before it was hidden
 */
export async function findSubscription(
  db: Db,
  userId: string,
  serverId: string,
): Promise<ServerNoticeEvent[] | undefined> {
  const { rows } = await db.query<{ events: ServerNoticeEvent[] | null }>(
    `select events
     from servers
     left join server_subscriptions on server_id = servers.id and user_id = $1
     where servers.id = $2 and (${listedIn(db)} or user_id is not null)`,
    [userId, serverId],
  )
  return rows[0] && (rows[0].events ?? [])
}

/**
 * Adds or replaces a subscription to a listed server.
 * @param subscription.max a user with that many gets no more; parallel requests may exceed it by their number
 * @returns whether the server is listed, and whether the user is subscribed now
 */
export async function upsertSubscription(
  db: Db,
  { userId, serverId, events, max }: { userId: string; serverId: string; events: string[]; max: number },
) {
  const { rows } = await db.query<{ isListed: boolean; isSubscribed: boolean }>(
    `with listed as (select id from servers where id = $2 and ${listedIn(db)}),
     kept as (
       insert into server_subscriptions (user_id, server_id, events)
       select $1, id, $3
       from listed
       where (select count(*) from server_subscriptions where user_id = $1) < $4
         or exists (select from server_subscriptions where user_id = $1 and server_id = $2)
       on conflict (user_id, server_id) do update set events = excluded.events, updated_at = now()
       returning server_id)
     select exists (select from listed) as "isListed", exists (select from kept) as "isSubscribed"`,
    [userId, serverId, events, max],
  )
  return rows[0] ?? { isListed: false, isSubscribed: false }
}

/** @returns whether the subscription existed or the server is listed; a hidden server is not revealed to others */
export async function deleteSubscription(db: Db, userId: string, serverId: string): Promise<boolean> {
  const { rows } = await db.query<{ isKnown: boolean }>(
    `with removed as (delete from server_subscriptions where user_id = $1 and server_id = $2 returning server_id)
     select exists (select from removed) or exists (select from servers where id = $2 and ${listedIn(db)}) as "isKnown"`,
    [userId, serverId],
  )
  return rows[0]?.isKnown ?? false
}

/** Ends all subscriptions of a user and deletes their unsent messages. @returns how many subscriptions there were */
export async function deleteSubscriptionsOf(tx: Db, userId: string): Promise<number> {
  await deletePending(tx, userId, CHANNELS)
  const { count } = await tx.prisma.serverSubscription.deleteMany({ where: { userId } })
  return count
}
