// SQL, because each poll decides about sets of alerts in one statement, by the database's clock.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { listedIn } from '../servers/index.ts'
import type { AlertSettings, ServerAlerts } from './alerts.schema.ts'
import { AWAY, IS_CURRENT, isAway, isMet, QUIET, WIPE_AHEAD } from './rules.sql.ts'

export const ALERT_KINDS = ['playersAtLeast', 'playersAtMost', 'backOnline', 'wipeSoon'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** A server's status as `applyResults` of polling has written it. */
export interface PolledServer {
  serverId: string
  answered: boolean
  isOnline: boolean
  players: number
  maxPlayers: number
}

const POLLED = {
  answered: 'polled.answered',
  isOnline: 'polled.is_online',
  players: 'polled.players',
  maxPlayers: 'polled.max_players',
}

/**
 * Since when a server has been away, after this poll. In between, an alert that is ready stays so, and one that is not
 * yet must wait from the beginning.
 */
const NEXT_AWAY_SINCE = `case
  when ${isMet(POLLED)} then null
  when ${isAway(POLLED)} then coalesce(away_since, now())
  when polled.answered and away_since > now() - ${AWAY} then null
  else away_since end`

const FIRES = `${isMet(POLLED)} and away_since <= now() - ${AWAY} and (fired_at is null or fired_at <= now() - ${QUIET})`

/** An alert that has just fired. */
export interface FiredAlert {
  id: string
  serverId: string
  /** One instant for the whole statement. */
  at: Date
}

/**
 * Polled servers that have alerts which polls can fire: almost none. `limit 1` has each looked up in the index; a join
 * of many servers would be estimated to find many alerts, and read the whole table.
 */
export async function findWatched(db: Sql, serverIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ serverId: string }>({
    name: 'alerts-find-watched',
    text: `
      select polled.server_id as "serverId"
      from unnest($1::uuid[]) as polled (server_id)
      cross join lateral (
        select from favorite_alerts as alert where alert.server_id = polled.server_id and kind <> 'wipeSoon' limit 1) as any_alert`,
    values: [serverIds],
  })
  return new Set(rows.map(({ serverId }) => serverId))
}

/**
 * Follows polls of servers that have alerts: writes only alerts whose state changes, which most polls do not.
 * Alerts that another transaction changes wait for the next poll: a poll waits for none of them, so it can't be in
 * a deadlock with one.
 * @returns the alerts that fire
 */
export async function followPolls(db: Db, servers: readonly PolledServer[]): Promise<FiredAlert[]> {
  const { rows } = await db.query<FiredAlert & { fires: boolean }>(
    namedParameters({
      name: 'alerts-follow-polls',
      text: `
        with polled as (
          select * from unnest($serverIds::uuid[], $answered::boolean[], $online::boolean[], $players::integer[], $maxPlayers::integer[])
            as polled (server_id, answered, is_online, players, max_players)),
        changing as (
          select id from favorite_alerts as alert join polled on polled.server_id = alert.server_id
          where kind <> 'wipeSoon' and away_since is distinct from (${NEXT_AWAY_SINCE})
          for no key update of alert skip locked)
        update favorite_alerts as alert
        set away_since = ${NEXT_AWAY_SINCE}, fired_at = case when ${FIRES} then now() else fired_at end
        from polled
        where alert.server_id = polled.server_id and id = any(array(select id from changing))
        returning id, alert.server_id as "serverId", now()::timestamptz(3) as at,
          coalesce(fired_at = now()::timestamptz(3), false) as fires`,
      values: {
        serverIds: servers.map(({ serverId }) => serverId),
        answered: servers.map(({ answered }) => answered),
        online: servers.map(({ isOnline }) => isOnline),
        players: servers.map(({ players }) => players),
        maxPlayers: servers.map(({ maxPlayers }) => maxPlayers),
      },
    }),
  )
  return rows.filter(({ fires }) => fires)
}

/**
 * Alerts that another transaction changes wait for the next run, so this one can't be in a deadlock with it.
 * @returns the alerts that fire, because a server's next wipe is near
 */
export async function followSchedules(db: Db): Promise<FiredAlert[]> {
  const { rows } = await db.query<FiredAlert>(
    `with firing as (
       select alert.id from favorite_alerts as alert join servers on servers.id = alert.server_id
       where kind = 'wipeSoon' and ${listedIn(db)}
         and next_wipe_at > now() and next_wipe_at <= now() + ${WIPE_AHEAD}
         and (fired_at is null or fired_at <= now() - ${QUIET})
       for no key update of alert skip locked)
     update favorite_alerts
     set fired_at = now()
     where id = any(array(select id from firing))
     returning id, server_id as "serverId", now()::timestamptz(3) as at`,
  )
  return rows
}

export interface NotifiedAlert {
  id: string
  userId: string
  kind: AlertKind
  threshold: number | null
  nextWipeAt: Date | null
}

/**
 * Marks alerts as notified, so that an alert that fired is reported once, however often its job runs. Locks them in the
 * order of their ids: two jobs with some of the same alerts wait for each other.
 * @returns those that are still true, and whose user still wants to know of this server
 */
export async function markNotified(db: Db, alertIds: readonly string[], at: string): Promise<NotifiedAlert[]> {
  const { rows } = await db.query<NotifiedAlert>(
    `with locked as (
       select id from favorite_alerts where id = any($1::uuid[]) order by id for no key update)
     update favorite_alerts as alert
     set notified_at = fired_at
     from servers, users
     where alert.id = any(array(select id from locked)) and fired_at = $2 and notified_at is distinct from fired_at
       and servers.id = alert.server_id and ${listedIn(db)} and ${IS_CURRENT}
       and users.id = alert.user_id and banned_at is null
     returning alert.id, user_id as "userId", kind, threshold, next_wipe_at as "nextWipeAt"`,
    [alertIds, at],
  )
  return rows
}

/**
 * Locks a favorite and the state of its server, so that alerts begin with the state that the next poll compares with.
 * @returns false if the user has no such favorite
 */
export async function lockFavorite(db: Db, { userId, serverId }: FavoriteKey): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from favorites join server_status on server_status.server_id = favorites.server_id
     where user_id = $1 and favorites.server_id = $2
     for no key update of favorites for share of server_status`,
    [userId, serverId],
  )
  return rowCount === 1
}

export interface FavoriteKey {
  userId: string
  serverId: string
}

/**
 * What bounds alerts: the user's other favorites that have any, and the alerts of other users on this server. Parallel
 * requests may pass the bounds, each by its own alerts.
 */
export async function countAlerts(db: Db, { userId, serverId }: FavoriteKey) {
  const { rows } = await db.query<{ favorites: number; onServer: number }>(
    `select (select count(distinct server_id) from favorite_alerts where user_id = $1 and server_id <> $2) as favorites,
       (select count(*) from favorite_alerts where server_id = $2 and user_id <> $1) as "onServer"`,
    [userId, serverId],
  )
  return rows[0] ?? { favorites: 0, onServer: 0 }
}

export interface WantedAlert {
  id: string
  kind: AlertKind
  threshold: number | null
}

const SHOWN = {
  answered: 'is_online',
  isOnline: 'is_online',
  players: 'current_players',
  maxPlayers: 'max_players',
}

/**
 * Replaces the alerts of a favorite. One that stays the same keeps its state. A new one fires when the server reaches
 * what it is about, not if that is so already.
 */
export async function replaceAlerts(
  db: Db,
  { userId, serverId }: FavoriteKey,
  wanted: readonly WantedAlert[],
): Promise<void> {
  const kinds = wanted.map(({ kind }) => kind)
  await db.query('delete from favorite_alerts where user_id = $1 and server_id = $2 and kind <> all($3::text[])', [
    userId,
    serverId,
    kinds,
  ])
  await db.query(
    namedParameters({
      text: `
        insert into favorite_alerts as known (id, user_id, server_id, kind, threshold, away_since)
        select id, $userId, server_id, kind, threshold, case
          when ${isMet(SHOWN)} then null
          -- what has moved was online until then
          when kind = 'backOnline' and online_before_move is not true then coalesce(online_changed_at, now())
          when kind = 'backOnline' then now()
          else now() - ${AWAY} end
        from unnest($ids::uuid[], $kinds::text[], $thresholds::integer[]) as wanted (id, kind, threshold)
        join server_status on server_id = $serverId
        on conflict (user_id, server_id, kind) do update
        set threshold = excluded.threshold, away_since = excluded.away_since, fired_at = null, notified_at = null
        where known.threshold is distinct from excluded.threshold`,
      values: {
        userId,
        serverId,
        kinds,
        ids: wanted.map(({ id }) => id),
        thresholds: wanted.map(({ threshold }) => threshold),
      },
    }),
  )
}

/** Alerts of one favorite. @returns undefined for a server that is not listed, or is no favorite of the user */
export async function findAlerts(db: Db, { userId, serverId }: FavoriteKey): Promise<AlertSettings | undefined> {
  const { rows } = await db.query<AlertSettings>({
    name: 'alerts-find',
    text: `${settingsOf(`user_id = $1 and favorites.server_id = $2 and ${listedIn(db)}`)}`,
    values: [userId, serverId],
  })
  return rows[0]
}

/** Alerts of all favorites that have any. */
export async function findAllAlerts(db: Db, userId: string): Promise<ServerAlerts[]> {
  const { rows } = await db.query<ServerAlerts>({
    name: 'alerts-find-all',
    text: `${settingsOf(`user_id = $1 and alert.id is not null and ${listedIn(db)}`, `favorites.server_id as "serverId",`)}
      order by favorites.server_id`,
    values: [userId],
  })
  return rows
}

const settingsOf = (condition: string, more = '') => `
  select ${more}
    max(threshold) filter (where kind = 'playersAtLeast') as "playersAtLeast",
    max(threshold) filter (where kind = 'playersAtMost') as "playersAtMost",
    coalesce(bool_or(kind = 'backOnline'), false) as "backOnline",
    coalesce(bool_or(kind = 'wipeSoon'), false) as "wipeSoon"
  from favorites
  join servers on servers.id = favorites.server_id
  left join favorite_alerts as alert using (user_id, server_id)
  where ${condition}
  group by user_id, favorites.server_id`

/** Ends one alert. */
export async function deleteAlert(db: Sql, id: string): Promise<void> {
  await db.query('delete from favorite_alerts where id = $1', [id])
}

/** Ends the alerts of a favorite. */
export async function deleteAlerts(db: Sql, { userId, serverId }: FavoriteKey): Promise<void> {
  await db.query('delete from favorite_alerts where user_id = $1 and server_id = $2', [userId, serverId])
}

/** Ends all alerts of a user. */
export async function deleteAlertsOf(db: Sql, userId: string): Promise<void> {
  await db.query('delete from favorite_alerts where user_id = $1', [userId])
}
