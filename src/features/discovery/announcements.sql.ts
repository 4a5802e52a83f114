// SQL, because the database’s clock decides when a server is queried, and rows count against the bounds of their network.
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
 * Unanswered announcements that are kept. Concurrent requests may exceed these by a few. Answered ones are bounded by the
 * listings of an address.
 */
const MAX_UNANSWERED = { perAddress: 50, perNetwork: 500, all: 5_000 }
/** Of two queries of a server that was announced. */
const SPACING_SECONDS = 60

/**
 * Keeps an announcement. One that moves the server to another game, game port or host has to be answered for again.
 * @param network whose unanswered announcements count together
 * @returns `checkIn`: seconds until the server is to be queried, null if it answered lately; undefined if there are too many
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

/** @returns listings of this announcement that no account owns */
async function findListings(db: Db, { address, queryPort }: AnnouncedAddress): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from servers
     where source = $3 and owner_id is null and deleted_at is null and query_port = $2
       and (ip_address = $1
         or ip_address = (select host from announcements where address = $1 and query_port = $2))`,
    [address, queryPort, ANNOUNCEMENTS],
  )
  return rows.map(({ id }) => id)
}

/** Keeps the row for the time of its last query. @returns listings of the server that no account owns */
export async function withdrawAnnouncement(db: Db, key: AnnouncedAddress): Promise<string[]> {
  await db.query(
    'update announcements set is_withdrawn = true, answered_at = null, details = null where address = $1 and query_port = $2',
    [key.address, key.queryPort],
  )
  return findListings(db, key)
}

/** Begins a query. @returns undefined if nothing is announced there any more */
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
 * @param refusal null: the server answered and is listed
 * @returns listings to remove, because the announcement was withdrawn meanwhile
 */
export async function recordAnnouncementQuery(
  db: Db,
  key: AnnouncedAddress,
  refusal: string | null,
): Promise<string[]> {
  const { rowCount } = await db.query(
    `update announcements set refusal = $3::text, answered_at = case when $3::text is null then now() end
     where address = $1 and query_port = $2 and not is_withdrawn`,
    [key.address, key.queryPort, refusal],
  )
  return rowCount ? [] : findListings(db, key)
}

/** Luanti servers announce themselves every five minutes. */
const CURRENT = `interval '12 minutes'`

/** What servers of a game say of themselves now, if they answered. */
export async function findAnnounced(db: Pick<Db, 'query'>, game: string, limit: number): Promise<object[]> {
  const { rows } = await db.query<{ details: object }>(
    `select details || jsonb_build_object('address', host, 'ip', address, 'port', game_port) as details
     from announcements
     where game = $1 and answered_at is not null and details is not null and announced_at > now() - ${CURRENT}
     order by announced_at desc
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
