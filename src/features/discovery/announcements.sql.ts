// SQL, because the database’s clock decides when a server is queried, and rows count against the
// bounds of their network.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ANNOUNCEMENTS } from './catalog.ts'
import type { SourceState } from './runs.sql.ts'

/** Who announced: the sender’s address is the server’s. */
export interface AnnouncedAddress {
  address: string
  queryPort: number
}

export interface Announcement extends AnnouncedAddress {
  game: string
  gamePort: number
  host: string
  name: string
  /** JSON; null: the server is queried. */
  details: string | null
}

/**
 * Unanswered announcements that are kept. Concurrent requests may exceed these by a few. Answered ones are bounded by
 * the listings of an address.
 */
const MAX_UNANSWERED = { perAddress: 50, perNetwork: 500, all: 5_000 }
/** Minimum time between two queries of a server that was announced. */
export const SPACING_SECONDS = 60

/**
 * Keeps an announcement. One that moves the server to another game, game port or host has to be answered for again.
 * @param network whose unanswered announcements count together
 * @returns `checkIn`: seconds until the server is to be queried, null if it answered lately; undefined
 * if there are too many
 */
export async function saveAnnouncement(
  db: Db,
  { network, ...announcement }: Announcement & { network: string },
): Promise<{ checkIn: number | null } | undefined> {
  const { rows } = await db.query<{ checkIn: number | null }>(
    namedParameters({
      text: `
        insert into announcements as known (address, query_port, network, game, game_port, host, name, details)
        select $address, $queryPort, $network, $game, $gamePort, $host, $name, $details::jsonb
        where exists (select from announcements where address = $address and query_port = $queryPort)
          or (select count(*) < $perNetwork and count(*) filter (where address = $address) < $perAddress
                and (select count(*) < $all from announcements where answered_at is null)
              from announcements where network = $network and answered_at is null)
        on conflict (address, query_port) do update set
          game = excluded.game, game_port = excluded.game_port, host = excluded.host, name = excluded.name,
          details = excluded.details, announced_at = now(), is_withdrawn = false,
          answered_at = case
            when (known.game, known.game_port, known.host) = (excluded.game, excluded.game_port, excluded.host)
            then known.answered_at end
        returning case when answered_at is null or checked_at < now() - interval '1 hour'
          then greatest(0, ceil(${SPACING_SECONDS} - coalesce(extract(epoch from now() - checked_at), ${SPACING_SECONDS})))::integer
          end as "checkIn"`,
      values: { ...announcement, network, ...MAX_UNANSWERED },
    }),
  )
  return rows[0]
}

export async function countUnanswered(db: Db, network: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*)::integer from announcements where network = $1 and answered_at is null',
    [network],
  )
  return rows[0]?.count ?? 0
}

/** @returns listings at the address, and at a name that was found to lead there, that no account owns */
async function findListings(
  db: Db,
  { address, queryPort, host }: AnnouncedAddress & Pick<Announcement, 'host'>,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from servers
     where source = $4 and owner_id is null and deleted_at is null and query_port = $2 and ip_address in ($1, $3)`,
    [address, queryPort, host, ANNOUNCEMENTS],
  )
  return rows.map(({ id }) => id)
}

/**
 * Keeps the row for the time of its last query. An announced name counts only if the announcement was answered: until
 * then, no query has found that the name leads to the sender.
 * @returns listings of the server that no account owns
 */
export async function withdrawAnnouncement(db: Db, { address, queryPort }: AnnouncedAddress): Promise<string[]> {
  const { rows } = await db.query<{ host: string }>(
    `with before as (
       select host, answered_at from announcements where address = $1 and query_port = $2 for update)
     update announcements set is_withdrawn = true, answered_at = null, details = null
     from before
     where address = $1 and query_port = $2
     returning case when before.answered_at is null then address else before.host end as host`,
    [address, queryPort],
  )
  return findListings(db, { address, queryPort, host: rows[0]?.host ?? address })
}

/** Begins a query. @returns undefined if nothing is announced there now */
export async function beginAnnouncementQuery(
  db: Db,
  { address, queryPort }: AnnouncedAddress,
): Promise<Announcement | undefined> {
  const { rows } = await db.query<Announcement>(
    `update announcements set checked_at = now()
     where address = $1 and query_port = $2 and not is_withdrawn
     returning address, query_port as "queryPort", game, game_port as "gamePort", host, name, details::text`,
    [address, queryPort],
  )
  return rows[0]
}

/**
 * Records nothing if the sender has changed the announcement since the query began: the answer is not
 * about what it says now.
 * @param announcement as `beginAnnouncementQuery` returned it
 * @param refusal null: the server answered and is listed
 * @returns listings to remove, because the announcement was withdrawn during the query
 */
export async function recordAnnouncementQuery(
  db: Db,
  announcement: Announcement,
  refusal: string | null,
): Promise<string[]> {
  const { address, queryPort, game, gamePort, host } = announcement
  const { rows } = await db.query<{ isWithdrawn: boolean }>(
    namedParameters({
      text: `
        with before as (
          select is_withdrawn, (game, game_port, host) = ($game, $gamePort, $host) as is_same
          from announcements where address = $address and query_port = $queryPort for update),
        recorded as (
          update announcements
          set refusal = $refusal::text, answered_at = case when $refusal::text is null then now() end
          from before
          where address = $address and query_port = $queryPort and is_same and not before.is_withdrawn)
        select is_withdrawn as "isWithdrawn" from before`,
      values: { address, queryPort, game, gamePort, host, refusal },
    }),
  )
  return refusal === null && rows[0]?.isWithdrawn ? findListings(db, announcement) : []
}

/** Luanti servers announce themselves every five minutes. */
const CURRENT = `interval '12 minutes'`

/**
 * What servers of a game say of themselves now, if they answered. Of more than `limit`, the networks with the most have
 * the most left out, so that one with thousands of servers takes no place of the others'.
 */
export async function findAnnounced(db: Pick<Db, 'query'>, game: string, limit: number): Promise<object[]> {
  const { rows } = await db.query<{ details: object }>(
    `select details || jsonb_build_object('address', host, 'ip', address, 'port', game_port) as details
     from (
       select *, row_number() over (partition by network order by announced_at desc) as place_in_network
       from announcements
       where game = $1 and answered_at is not null and details is not null and announced_at > now() - ${CURRENT}
     ) as announced
     order by place_in_network, announced_at desc
     limit $2`,
    [game, limit],
  )
  return rows.map(({ details }) => details)
}

/** Unanswered ones go after an hour, and others a day after their last announcement. */
export async function deleteOldAnnouncements(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from announcements
     where announced_at < now() - case when answered_at is null then interval '1 hour' else interval '1 day' end`,
  )
  return rowCount ?? 0
}

/** The announcements that are kept, as a source that always runs. */
export async function findAnnouncementsState(db: Db): Promise<Omit<SourceState, 'source' | 'nextRunAt'>> {
  const { rows } = await db.query<{ refusal: string | null; count: number; checkedAt: Date | null }>(
    `select refusal, count(*)::integer, max(checked_at) as "checkedAt"
     from announcements where not is_withdrawn group by refusal`,
  )
  const checks = rows.map(({ checkedAt }) => checkedAt?.getTime() ?? 0)
  const last = Math.max(0, ...checks)
  return {
    startedAt: last ? new Date(last) : null,
    finishedAt: last ? new Date(last) : null,
    found: rows.reduce((sum, { count }) => sum + count, 0),
    added: 0,
    returned: 0,
    missing: 0,
    refused: Object.fromEntries(rows.flatMap(({ refusal, count }) => (refusal === null ? [] : [[refusal, count]]))),
    failures: 0,
    error: null,
  }
}
