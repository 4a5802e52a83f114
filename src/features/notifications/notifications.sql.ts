// Statements over what users read in the product, and over the servers they subscribed to.
import type { Db } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'
import type { NoticeData, NoticeEvent } from './events.ts'

export interface NotificationRow {
  id: string
  event: NoticeEvent
  serverId: string | null
  data: NoticeData
  repeats: number
  createdAt: Date
  readAt: Date | null
}

/** A user's notifications, latest first. */
export async function findNotifications(
  db: Db,
  userId: string,
  { unread, limit, offset }: { unread: boolean; limit: number; offset: number },
): Promise<NotificationRow[]> {
  const { rows } = await db.query<NotificationRow>({
    name: 'notifications-find',
    text: `
      select id, event, server_id as "serverId", data, repeats, created_at as "createdAt", read_at as "readAt"
      from notifications
      where user_id = $1 and (read_at is null or not $2::boolean)
      order by created_at desc, id desc
      limit $3 offset $4`,
    values: [userId, unread, limit, offset],
  })
  return rows
}

export async function countNotifications(db: Db, userId: string, unread: boolean): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'notifications-count',
    text: 'select count(*) from notifications where user_id = $1 and (read_at is null or not $2::boolean)',
    values: [userId, unread],
  })
  return rows[0]?.count ?? 0
}

/** @returns how many of them were unread */
export async function markRead(db: Db, userId: string, ids: string[]): Promise<number> {
  const { rowCount } = await db.query({
    name: 'notifications-mark-read',
    text: 'update notifications set read_at = now() where user_id = $1 and id = any($2::uuid[]) and read_at is null',
    values: [userId, ids],
  })
  return rowCount ?? 0
}

/** @returns undefined when there is no such server for this user: not listed, and not subscribed to before it was hidden */
export async function findSubscription(
  db: Db,
  requireVerified: boolean,
  userId: string,
  serverId: string,
): Promise<string[] | undefined> {
  const { rows } = await db.query<{ events: string[] | null }>({
    name: 'notifications-find-subscription',
    text: `
      select events
      from servers
      left join server_subscriptions on server_id = servers.id and user_id = $2
      where servers.id = $3 and (${isListed('$1')} or user_id is not null)`,
    values: [requireVerified, userId, serverId],
  })
  return rows[0] && (rows[0].events ?? [])
}

/**
 * @param subscription `max`: a user that has so many gets no more. The bound is not exact for requests at the same time.
 * @returns whether the server is listed, and whether the user subscribes now
 */
export async function upsertSubscription(
  db: Db,
  requireVerified: boolean,
  subscription: { userId: string; serverId: string; events: string[]; max: number },
): Promise<{ isListed: boolean; isSubscribed: boolean }> {
  const { rows } = await db.query<{ isListed: boolean; isSubscribed: boolean }>({
    name: 'notifications-upsert-subscription',
    text: `
      with listed as (select id from servers where id = $3 and ${isListed('$1')}),
      kept as (
        insert into server_subscriptions (user_id, server_id, events)
        select $2, id, $4
        from listed
        where (select count(*) from server_subscriptions where user_id = $2) < $5
          or exists (select from server_subscriptions where user_id = $2 and server_id = $3)
        on conflict (user_id, server_id) do update set events = excluded.events, updated_at = now()
        returning server_id)
      select exists (select from listed) as "isListed", exists (select from kept) as "isSubscribed"`,
    values: [requireVerified, subscription.userId, subscription.serverId, subscription.events, subscription.max],
  })
  return rows[0] ?? { isListed: false, isSubscribed: false }
}

/** @returns whether there was one, or could be: a server that nobody can see is not told of */
export async function deleteSubscription(
  db: Db,
  requireVerified: boolean,
  userId: string,
  serverId: string,
): Promise<boolean> {
  const { rows } = await db.query<{ isKnown: boolean }>({
    name: 'notifications-delete-subscription',
    text: `
      with removed as (delete from server_subscriptions where user_id = $2 and server_id = $3 returning server_id)
      select exists (select from removed) or exists (select from servers where id = $3 and ${isListed('$1')}) as "isKnown"`,
    values: [requireVerified, userId, serverId],
  })
  return rows[0]?.isKnown ?? false
}

/** Ends all subscriptions of a user. @returns how many there were */
export async function deleteSubscriptions(db: Db, userId: string): Promise<number> {
  const { rowCount } = await db.query({
    name: 'notifications-delete-subscriptions',
    text: 'delete from server_subscriptions where user_id = $1',
    values: [userId],
  })
  return rowCount ?? 0
}
