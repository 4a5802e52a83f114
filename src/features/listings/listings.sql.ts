// SQL, because of locks, counters of the database's current month, and writes to several tables in one statement.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { type PageQuery, paginate } from '../../platform/http/paging.ts'
import type { StoredProfile } from '../profiles/index.ts'
import { grantedByOwner, listingFields, OFFLINE_UNTIL_POLLED } from '../servers/index.ts'
import type { Listing, MemberServer, OwnedServer, UpdateServer } from './listings.schema.ts'

/** `UpdateServer`, except that a game port which is left out has a replacement. */
export type ListingChanges = Omit<UpdateServer, 'gamePort'> & {
  gamePort?: number | undefined
  gamePortGiven?: boolean | undefined
}

/**
 * Writes the given fields; an empty game mode deletes it.
 * @param options.isMoved ends the proof of ownership, because another address is polled from now on
 * @throws DatabaseError unique violation if another listed server has the address and query port
 */
export async function updateListing(
  db: Db,
  id: string,
  changes: ListingChanges,
  { isMoved }: { isMoved: boolean },
): Promise<void> {
  await db.query(
    namedParameters({
      text: `
        update servers
        set name = coalesce($name, name), description = coalesce($description, description),
          game_mode = case when $gameMode::text is null then game_mode else nullif($gameMode, '') end,
          website = coalesce($website, website), chat_url = coalesce($chatUrl, chat_url),
          banner_url = coalesce($bannerUrl, banner_url), rates = coalesce($rates, rates), mods = coalesce($mods, mods),
          ip_address = coalesce($ipAddress, ip_address), game_port = coalesce($gamePort, game_port),
          game_port_given = coalesce($gamePortGiven, game_port_given),
          query_port = coalesce($queryPort, query_port), game = coalesce($game, game),
          bedrock_address = coalesce($bedrockAddress, bedrock_address),
          bedrock_port = case when coalesce($bedrockAddress, bedrock_address) <> ''
            then coalesce($bedrockPort, bedrock_port, $defaultBedrockPort) end,
          name_from_server = coalesce($nameFromServer, name_from_server),
          wipe_schedule = case when $wipeSchedule::jsonb is null then wipe_schedule else nullif($wipeSchedule, 'null') end,
          next_wipe_at = case when $wipeSchedule is null then next_wipe_at else next_wipe($wipeSchedule, now()) end,
          region = coalesce($region, region), tags = coalesce($tags, tags),
          is_verified = is_verified and not $isMoved,
          proven_address = case when not $isMoved then proven_address end, updated_at = now()
        where id = $id`,
      values: {
        id,
        isMoved,
        name: changes.name,
        description: changes.description,
        game: changes.game,
        gameMode: changes.gameMode,
        ipAddress: changes.ipAddress,
        gamePort: changes.gamePort,
        gamePortGiven: changes.gamePortGiven,
        queryPort: changes.queryPort,
        bedrockAddress: changes.bedrockAddress,
        bedrockPort: changes.bedrockPort,
        nameFromServer: changes.nameFromServer,
        region: changes.region,
        tags: changes.tags,
        website: changes.website,
        chatUrl: changes.chatUrl,
        bannerUrl: changes.bannerUrl,
        rates: changes.rates,
        mods: changes.mods,
        defaultBedrockPort: listingFields.BEDROCK.port,
        wipeSchedule: changes.wipeSchedule === undefined ? undefined : JSON.stringify(changes.wipeSchedule),
      },
    }),
  )
}

/** Afterwards a report of the same name is a change again. */
export const forgetReportedName = (db: Db, id: string) =>
  db.query(`update server_profiles set profile = profile - 'name' where server_id = $1`, [id])

/**
 * Resets the status of a server and makes its next poll due at once. Increments the cycle, so that the result of a poll
 * that is running is ignored. A change is announced against the state before. Locks the status before the schedule, as
 * applying results does, to avoid deadlocks.
 */
export async function resetStatus(db: Db, id: string): Promise<void> {
  await db.query(
    `with reset as (
       update server_status
       set ${OFFLINE_UNTIL_POLLED}, max_players = 0, map = '', version = '', country = '', has_password = null,
         query_ms = null, consecutive_failures = 0, last_polled_at = null, last_online_at = null
       where server_id = $1
       returning server_id),
     forgotten as (delete from server_profiles where server_id in (select server_id from reset))
     update server_polls set cycle = cycle + 1, next_poll_at = now() where server_id in (select server_id from reset)`,
    [id],
  )
  await db.query(
    'update server_status set applied_cycle = cycle from server_polls where server_polls.server_id = $1 and server_status.server_id = $1',
    [id],
  )
}

type Derived =
  | 'source'
  | 'gameName'
  | 'isRegionDerived'
  | 'connectAddress'
  | 'joinUrl'
  | 'iconUrl'
  | 'logoUrl'
  | 'bannerImageUrl'
  | 'motd'
  | 'motdFormatted'
  | 'selfReported'
  | 'editions'
type Times = 'createdAt' | 'updatedAt' | 'lastWipeAt' | 'nextWipeAt' | 'lastPolledAt'

/** A listing as stored, with what polls found. */
export type DetailRow = Omit<z.output<typeof Listing>, Derived | Times | 'visibility' | 'role' | 'rights'> & {
  source: string | null
  createdAt: Date
  updatedAt: Date
  lastWipeAt: Date | null
  nextWipeAt: Date | null
  lastPolledAt: Date | null
  javaOnline: boolean | null
  bedrockOnline: boolean | null
  profile: StoredProfile | null
  logoHash: string | null
  bannerHash: string | null
}

/** Votes of the current month; 0 if the counter was last written in another month. */
const MONTHLY_VOTES = `case when votes_month = date_trunc('month', now() at time zone 'utc')::date then monthly_votes else 0 end`

/** Includes servers that are not listed: owners edit them before they are verified. */
export async function findDetail(db: Db, id: string): Promise<DetailRow> {
  const { rows } = await db.query<DetailRow>(
    `select id, name, game, ip_address as "ipAddress", game_port as "gamePort", game_port_given as "gamePortGiven",
       query_port as "queryPort", bedrock_address as "bedrockAddress", bedrock_port as "bedrockPort",
       name_from_server as "nameFromServer", description,
       coalesce(game_mode, '') as "gameMode", region, array_to_string(tags, ',') as tags, website,
       chat_url as "chatUrl", banner_url as "bannerUrl", rates, mods, is_verified as "isVerified",
       owner_id is not null as "isClaimed", source,
       is_featured as "isFeatured", last_wipe_at as "lastWipeAt",
       next_wipe_at as "nextWipeAt", wipe_schedule as "wipeSchedule", created_at as "createdAt", updated_at as "updatedAt",
       is_online as "isOnline", current_players as "currentPlayers", current_bots as "currentBots",
       has_password as "hasPassword", java_online as "javaOnline", bedrock_online as "bedrockOnline", profile, max_players as "maxPlayers", map, version, country, query_ms as "queryMs",
       consecutive_failures as "consecutiveFailures", last_polled_at as "lastPolledAt",
       last_polled_at is null or fresh_until is null or fresh_until < now() as "isStale",
       total_votes - voided_votes as "totalVotes", ${MONTHLY_VOTES} as "monthlyVotes",
       json_build_object('day', day, 'week', week, 'month', month) as uptime, logo_hash as "logoHash", banner_hash as "bannerHash"
     from servers
     join server_status as status on status.server_id = id
     join server_counters as counters on counters.server_id = id
     join server_uptime as uptime on uptime.server_id = id
     left join server_profiles as profiles on profiles.server_id = id
     where id = $1`,
    [id],
  )
  const [row] = rows
  if (!row) throw new Error(`server ${id} lacks one of its rows`)
  return row
}

const OWNED_SERVER = `id, name, ip_address as "ipAddress", game_port as "gamePort", is_online as "isOnline",
  total_votes - voided_votes as "totalVotes", ${MONTHLY_VOTES} as "monthlyVotes",
  (select count(*) from votes where votes.server_id = servers.id and voted_at > now() - interval '24 hours' and voiding_id is null) as "recentVotes"`

/** A page of a user's servers, oldest first, including hidden ones. */
export function findOwned(db: Db, ownerId: string, page: PageQuery) {
  return paginate('servers', page, {
    count: () => countOwned(db, ownerId),
    async find({ limit, offset }) {
      const { rows } = await db.query<z.output<typeof OwnedServer>>(
        `select ${OWNED_SERVER}
         from servers
         join server_status as status on status.server_id = id
         join server_counters as counters on counters.server_id = id
         where owner_id = $1 and deleted_at is null
         order by id
         limit $2 offset $3`,
        [ownerId, limit, offset],
      )
      return rows
    },
  })
}

/** A page of the servers that a user is a member of, oldest first, including hidden ones. */
export function findMemberServers(db: Db, userId: string, page: PageQuery) {
  const memberships = `server_members join servers on ${grantedByOwner('server_members')}`
  return paginate('servers', page, {
    async count() {
      const { rows } = await db.query<{ count: number }>(`select count(*) from ${memberships} where user_id = $1`, [
        userId,
      ])
      return rows[0]?.count ?? 0
    },
    async find({ limit, offset }) {
      const { rows } = await db.query<z.output<typeof MemberServer>>(
        `select ${OWNED_SERVER}, role, may_use_rcon as "mayUseRcon"
         from ${memberships}
         join server_status as status on status.server_id = id
         join server_counters as counters on counters.server_id = id
         where user_id = $1
         order by id
         limit $2 offset $3`,
        [userId, limit, offset],
      )
      return rows
    },
  })
}

/** What a page of a server shows of the account that looks at it. */
export async function findVisitor(db: Db, userId: string, serverId: string) {
  const { rows } = await db.query<{ username: string; isFavorite: boolean }>({
    name: 'listings-find-visitor',
    text: `
      select username, exists (select from favorites where user_id = users.id and server_id = $2) as "isFavorite"
      from users where id = $1`,
    values: [userId, serverId],
  })
  const [visitor] = rows
  if (!visitor) throw new ApiError(401, 'unauthenticated', 'This account no longer exists.')
  return visitor
}

/** Locks a user's row, so that parallel transactions count and insert one after the other. */
export async function lockOwner(db: Db, userId: string): Promise<void> {
  await db.query('select from users where id = $1 for no key update', [userId])
}

export async function countOwned(db: Db, ownerId: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select count(*) from servers where owner_id = $1 and deleted_at is null',
    [ownerId],
  )
  return rows[0]?.count ?? 0
}
