// SQL, because messages are leased with `skip locked`, counted off as sets and scheduled by the database's clock.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { PREFERENCE_DEFAULTS } from '../accounts/index.ts'
import { grantedByOwner, listedIn } from '../servers/index.ts'
import { ALERT_EVENTS, type NoticeData, type NoticeEvent, SERVER_NOTICE_EVENTS } from './events.ts'
import type { Channel } from './notices.sql.ts'

/** The message of a user on one channel. */
export interface Digest {
  userId: string
  channel: Channel
}

/**
 * A message that was not sent by then is enqueued again: its job was lost, or all its retries failed (a
 * mail's take four hours).
 */
const LOST_AFTER = `interval '6 hours'`

/**
 * Leases up to `limit` messages that are due, or were enqueued and not sent within `LOST_AFTER`; longest waiting first.
 */
export async function leaseDue(db: Sql, limit: number): Promise<Digest[]> {
  const { rows } = await db.query<Digest>({
    name: 'notifications-lease-due',
    text: `
      with due as (
        select user_id, channel from notification_digests
        where (due_at <= now() and ordered_at is null) or ordered_at < now() - ${LOST_AFTER}
        order by coalesce(ordered_at, due_at)
        limit $1
        for update skip locked
      )
      update notification_digests as digest
      set due_at = null, ordered_at = now()
      from due
      where digest.user_id = due.user_id and digest.channel = due.channel
      returning digest.user_id as "userId", digest.channel`,
    values: [limit],
  })
  return rows
}

export interface PendingNotice {
  event: NoticeEvent
  topic: string
  serverId: string | null
  data: NoticeData
  repeats: number
  firstAt: Date
  lastAt: Date
  /** The server's current state; null if the notice is about no server. */
  isOnline: boolean | null
  /** The alert that fired; null if the notice is about none, or it has ended. */
  alertId: string | null
  /**
   * Whether the user would be notified of it now: an alert, subscription, preference or server may have ended or
   * changed since, the user may have bid again, or paid, an endpoint or rewards may run again, an invitation may be
   * answered, a wipe may have moved.
   */
  isWanted: boolean
}

/** Events that users get only if they have chosen them. */
const OFF_BY_DEFAULT = Object.entries(PREFERENCE_DEFAULTS.events).flatMap(([event, isOn]) => (isOn ? [] : [event]))

/** The endpoint of the notice still exists, and is disabled. */
const IS_DISABLED = `exists (
  select from endpoints
  where endpoints.server_id = pending.server_id and endpoints.id::text = data ->> 'endpointId' and disabled_at is not null)`

/** No password and no commands were set since the rewards of the notice's server were stopped. */
const ARE_REWARDS_STOPPED = `exists (
  select from vote_reward_settings as settings left join rcon_credentials as rcon using (server_id)
  where settings.server_id = pending.server_id and settings.owner_id = pending.user_id
    and stopped_at is not null and coalesce(rcon.updated_at <= stopped_at, true))`

/** An invitation to the notice's server waits for the user's answer. */
const IS_INVITED = `exists (
  select from server_invitations join servers on ${grantedByOwner('server_invitations')}
  where server_invitations.server_id = pending.server_id and expires_at > now()
    and (server_invitations.user_id = users.id
      or server_invitations.email = users.email and users.email_verified_at is not null))`

/** The wipe of the notice is still the server's next one. */
const IS_NEXT_WIPE = `coalesce((data ->> 'wipeAt')::timestamptz = next_wipe_at and next_wipe_at > now(), false)`

export async function findPending(db: Db, { userId, channel }: Digest): Promise<PendingNotice[]> {
  const { rows } = await db.query<PendingNotice>({
    name: 'notifications-find-pending',
    text: `
      select event, topic, pending.server_id as "serverId", data, repeats, first_at as "firstAt", last_at as "lastAt",
        is_online as "isOnline", alert.id as "alertId",
        coalesce(case
          when event = any($3) then
            owner_id = pending.user_id and deleted_at is null and is_chosen or subscription.user_id is not null and is_listed
          when event = any($4) then alert.id is not null and is_listed and (event <> 'wipeSoon' or ${IS_NEXT_WIPE})
          when event = 'webhookDisabled' then owner_id = pending.user_id and deleted_at is null and ${IS_DISABLED}
          when event = 'rewardsStopped' then owner_id = pending.user_id and deleted_at is null and ${ARE_REWARDS_STOPPED}
          when event = 'serverInvitation' then ${IS_INVITED}
          when event = 'auctionOutbid' then is_chosen and leads is not true
          when event = 'auctionLeadRegained' then is_chosen and leads is not false
          when event = 'auctionWon' then is_chosen and can_pay is not false
          else is_chosen end, false) as "isWanted"
      from pending_notices as pending
      join users on users.id = pending.user_id
      cross join lateral (
        select coalesce((notification_preferences -> 'events' ->> event)::boolean, event <> all($5)) as is_chosen) as preference
      left join server_status as status on status.server_id = pending.server_id
      left join lateral (
        select owner_id, deleted_at, next_wipe_at, ${listedIn(db)} as is_listed from servers where id = pending.server_id) as server on true
      left join server_subscriptions as subscription
        on subscription.user_id = pending.user_id and subscription.server_id = pending.server_id and event = any(events)
      left join favorite_alerts as alert
        on alert.user_id = pending.user_id and alert.server_id = pending.server_id and kind = event
      -- of a user without a bid or an offer, both are null
      cross join lateral (
        select bool_or(bids.id = leading_bid_id) as leads
        from bids join auctions on auctions.id = auction_id
        where bids.user_id = pending.user_id and auction_id::text = data ->> 'auctionId') as lead
      cross join lateral (
        select bool_or(offer.status = 'open') as can_pay
        from auction_offers as offer
        where offer.user_id = pending.user_id and auction_id::text = data ->> 'auctionId') as payment
      where pending.user_id = $1 and channel = $2
      order by first_at, event, topic`,
    values: [userId, channel, SERVER_NOTICE_EVENTS, ALERT_EVENTS, OFF_BY_DEFAULT],
  })
  return rows
}

/**
 * Subtracts what was sent. Repeats that happened since then stay pending, and so do notices that were added after the
 * sent ones had been deleted, as when the user switches the channel off and on.
 */
export async function subtractSent(db: Sql, { userId, channel }: Digest, sent: PendingNotice[]): Promise<void> {
  await db.query(
    namedParameters({
      name: 'notifications-subtract-sent',
      text: `
        update pending_notices as pending
        set repeats = pending.repeats - sent.repeats, first_at = greatest(first_at, sent.last_at)
        from unnest($events::text[], $topics::text[], $repeats::integer[], $lastAt::timestamptz[])
          as sent (event, topic, repeats, last_at)
        where user_id = $userId and channel = $channel and pending.event = sent.event and pending.topic = sent.topic
          and first_at <= sent.last_at`,
      values: {
        userId,
        channel,
        events: sent.map(({ event }) => event),
        topics: sent.map(({ topic }) => topic),
        repeats: sent.map(({ repeats }) => repeats),
        lastAt: sent.map(({ lastAt }) => lastAt),
      },
    }),
  )
}

/** Deletes what is pending for a user on these channels. */
export async function deletePending(db: Sql, userId: string, channels: readonly Channel[]): Promise<void> {
  await db.query('delete from pending_notices where user_id = $1 and channel = any($2)', [userId, channels])
}

export async function deleteSent(db: Sql, { userId, channel }: Digest): Promise<void> {
  await db.query({
    name: 'notifications-delete-sent',
    text: 'delete from pending_notices where user_id = $1 and channel = $2 and repeats <= 0',
    values: [userId, channel],
  })
}

/** Waits for transactions that add notices for this message: later statements see their rows. */
export async function lockDigest(db: Sql, { userId, channel }: Digest): Promise<void> {
  await db.query({
    name: 'notifications-lock-digest',
    text: 'select from notification_digests where user_id = $1 and channel = $2 for no key update',
    values: [userId, channel],
  })
}

/**
 * Completes a message. What is pending by then is due after the pace's windows. Call it after `lockDigest`: waiting for
 * the lock in this statement would miss rows committed in the meantime.
 * @param next.wasSent false: nothing was left to report, so no window begins
 */
export async function completeDigest(
  db: Sql,
  { userId, channel }: Digest,
  next: { wasSent: boolean; window: number; urgentWindow: number; urgent: readonly NoticeEvent[] },
): Promise<void> {
  const { wasSent, window, urgentWindow, urgent } = next
  await db.query(
    namedParameters({
      name: 'notifications-complete-digest',
      text: `
        update notification_digests as digest
        set ordered_at = null, sent_at = case when $wasSent::boolean then now() else sent_at end,
          due_at = (
            select case
              when $wasSent::boolean then now() + make_interval(secs => min(
                case when event = any($urgent::text[]) then $urgentWindow::float8 else $window::float8 end))
              else least(digest.due_at, now()) end
            from pending_notices
            where user_id = $userId and channel = $channel
            having count(*) > 0)
        where user_id = $userId and channel = $channel`,
      values: { userId, channel, wasSent, window, urgentWindow, urgent },
    }),
  )
}

/** @returns undefined if the user has no verified address or is banned */
export async function findMailAddress(db: Sql, userId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ email: string | null }>({
    name: 'notifications-find-address',
    text: `
      select email from users
      where id = $1 and email is not null and email_verified_at is not null and banned_at is null`,
    values: [userId],
  })
  return rows[0]?.email ?? undefined
}

/** Whether the user's preferences, or the default for users who did not choose, allow the channel now. */
export async function allowsChannel(db: Sql, { userId, channel }: Digest): Promise<boolean> {
  const { rows } = await db.query<{ isAllowed: boolean }>({
    name: 'notifications-allows-channel',
    text: `select coalesce((notification_preferences ->> $2)::boolean, $3) as "isAllowed" from users where id = $1`,
    values: [userId, channel, PREFERENCE_DEFAULTS[channel]],
  })
  return rows[0]?.isAllowed ?? false
}

/** How long rows are kept. */
const KEPT = { handled: '7 days', pending: '7 days', read: '90 days', unread: '365 days' }

export async function deleteOldNotifications(db: Sql): Promise<void> {
  await db.query(`delete from handled_notices where handled_at < now() - interval '${KEPT.handled}'`)
  await db.query(`delete from pending_notices where last_at < now() - interval '${KEPT.pending}'`)
  await db.query(
    `delete from notifications
     where created_at < now() - interval '${KEPT.read}'
       and (read_at is not null or created_at < now() - interval '${KEPT.unread}')`,
  )
}
