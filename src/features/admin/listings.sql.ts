// SQL, because of locks, and because searches use `strpos`: Prisma's `contains` treats % and _ as wildcards.
import type * as z from 'zod'
import { foldSql } from '../../platform/db/fold-sql.ts'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { fold } from '../../platform/fold-text.ts'
import { paginate } from '../../platform/http/paging.ts'
import { listedIn } from '../servers/index.ts'
import type { Listing, ListingsQuery } from './admin.schema.ts'

type ListingRow = z.output<typeof Listing>

const listingOf = (db: Db) => `
  servers.id, name, game, ip_address as "ipAddress", game_port as "gamePort", query_port as "queryPort",
  owner_id as "ownerId", coalesce(username, '') as "ownerUsername", is_verified as "isVerified",
  is_featured as "isFeatured", hidden_at as "hiddenAt",
  case when hidden_at is not null then case when hidden_by_moderator then 'moderator' else 'admin' end end as "hiddenBy",
  ${listedIn(db)} as "isListed", is_online as "isOnline", current_players as "currentPlayers",
  max_players as "maxPlayers", map, consecutive_failures as "consecutiveFailures", last_polled_at as "lastPolledAt",
  last_online_at as "lastOnlineAt", next_poll_at as "nextPollAt", total_votes - voided_votes as "totalVotes",
  array_remove(array[case when logo_hash is not null then 'logo' end, case when banner_hash is not null then 'banner' end,
    case when exists (select from server_profiles where server_id = servers.id and icon_hash is not null) then 'icon' end], null) as "shownFaces",
  array(select kind from server_faces where server_id = servers.id and locked_at is not null order by kind desc) as "lockedFaces",
  array(select kind from server_faces where server_id = servers.id and locked_at is not null and not locked_by_moderator
    order by kind desc) as "facesLockedByAdmin",
  servers.created_at as "createdAt", servers.updated_at as "updatedAt"`

const JOINED = `servers
  join server_status as status on status.server_id = servers.id
  join server_counters as counters on counters.server_id = servers.id
  left join server_polls as polls on polls.server_id = servers.id
  left join users on users.id = owner_id`

const MATCHES = `deleted_at is null
  and ($search = '' or strpos(${foldSql('name')}, $search) > 0 or strpos(ip_address, $search) > 0
    or servers.id::text = $search)
  and ($owner::text is null or case when $owner = 'none' then owner_id is null else owner_id = $owner::uuid end)
  and ($hidden::boolean is null or (hidden_at is not null) = $hidden)
  and ($verified::boolean is null or is_verified = $verified)
  and ($online::boolean is null or is_online = $online)`

/** A page, newest first. */
export function findListings(db: Db, query: z.output<typeof ListingsQuery>) {
  const { search, owner, hidden, verified, online } = query
  const matching = { search: fold(search), owner, hidden, verified, online }
  return paginate('servers', query, {
    async count() {
      const { rows } = await db.query<{ count: number }>(
        namedParameters({
          text: `
            select count(*)
            from servers join server_status as status on status.server_id = servers.id
            where ${MATCHES}`,
          values: matching,
        }),
      )
      return rows[0]?.count ?? 0
    },
    async find({ limit, offset }) {
      const { rows } = await db.query<ListingRow>(
        namedParameters({
          text: `select ${listingOf(db)} from ${JOINED} where ${MATCHES} order by servers.id desc limit $limit offset $offset`,
          values: { ...matching, limit, offset },
        }),
      )
      return rows
    },
  })
}

/** A listing with the values that an import needs to list it again, as text. */
export interface ExportedListing {
  id: string
  /** Values by column of the file. */
  values: Record<string, string | null>
}

// A port that the owner left out stays out: the game's usual one counts again.
const EXPORTED = `json_build_object(
    'name', name, 'ipAddress', ip_address, 'gamePort', case when game_port_given then game_port::text end,
    'queryPort', query_port::text, 'game', game, 'gameMode', game_mode, 'description', description, 'region', region,
    'tags', array_to_string(tags, ','), 'website', website, 'chatUrl', chat_url, 'bannerUrl', banner_url, 'rates', rates,
    'mods', mods, 'lastWipeAt', to_char(last_wipe_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'bedrockAddress', bedrock_address, 'bedrockPort', bedrock_port::text,
    'nameFromServer', case when name_from_server then 'true' end)`

/** Part of all listings that match, oldest first. @param page.after id of the last one of the part before */
export async function findExported(
  db: Db,
  query: Omit<z.output<typeof ListingsQuery>, 'page' | 'limit'>,
  { after, limit }: { after: string | null; limit: number },
): Promise<ExportedListing[]> {
  const { search, owner, hidden, verified, online } = query
  const { rows } = await db.query<ExportedListing>(
    namedParameters({
      text: `
        select id, ${EXPORTED} as values
        from servers join server_status as status on status.server_id = servers.id
        where ${MATCHES} and ($after::uuid is null or id > $after)
        order by id
        limit $limit`,
      values: { search: fold(search), owner, hidden, verified, online, after, limit },
    }),
  )
  return rows
}

export async function findListing(db: Db, id: string): Promise<ListingRow> {
  const { rows } = await db.query<ListingRow>(
    `select ${listingOf(db)} from ${JOINED} where servers.id = $1 and deleted_at is null`,
    [id],
  )
  const [row] = rows
  if (!row) throw new Error(`server ${id} lacks one of its rows`)
  return row
}

/** What administrators change in a listing. A placement features a server whether `isFeatured` is set or not. */
export interface ListingModeration {
  hidden: boolean
  /** False unless it is hidden. */
  hiddenByModerator: boolean
  ownerId: string | null
  isVerified: boolean
  isFeatured: boolean
}

/** Locks the listing until the transaction ends. @returns undefined if there is none */
export async function lockListingForModeration(db: Db, id: string): Promise<ListingModeration | undefined> {
  const { rows } = await db.query<ListingModeration>(
    `select hidden_at is not null as hidden, hidden_at is not null and hidden_by_moderator as "hiddenByModerator", owner_id as "ownerId", is_verified as "isVerified",
       featured_by_admin as "isFeatured"
     from servers where id = $1 and deleted_at is null for no key update`,
    [id],
  )
  return rows[0]
}

/** `setHidden` writes whether it is hidden, with its poll schedule, and `refreshFeatured` whether it is featured. */
export async function updateListingModeration(
  db: Db,
  id: string,
  { ownerId, isVerified, isFeatured, hiddenByModerator }: ListingModeration,
): Promise<void> {
  // A verification by an administrator is of no address.
  await db.query(
    `update servers set owner_id = $2, is_verified = $3, featured_by_admin = $4, hidden_by_moderator = $5, updated_at = now(),
       proven_address = case when is_verified and $3 then proven_address end
     where id = $1`,
    [id, ownerId, isVerified, isFeatured, hiddenByModerator],
  )
}

/** Prevents the deletion of an account until the transaction ends. @returns whether it exists */
export async function lockUserForShare(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from users where id = $1 for key share', [id])
  return rowCount === 1
}
