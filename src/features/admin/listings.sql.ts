// SQL, because of locks, and because searches use `strpos`: Prisma's `contains` treats % and _ as wildcards.
import type { Db } from '../../platform/db/pool.ts'

export interface ListingFilter {
  /** Empty: all. */
  search: string
  /** `none`: servers without an owner. */
  owner?: string | undefined
  hidden?: boolean | undefined
  verified?: boolean | undefined
  online?: boolean | undefined
}

export interface ListingRow {
  id: string
  name: string
  game: string
  ipAddress: string
  gamePort: number
  queryPort: number
  ownerId: string | null
  ownerUsername: string
  isVerified: boolean
  isFeatured: boolean
  hiddenAt: Date | null
  isOnline: boolean
  currentPlayers: number
  maxPlayers: number
  map: string
  consecutiveFailures: number
  lastPolledAt: Date | null
  lastOnlineAt: Date | null
  nextPollAt: Date | null
  totalVotes: number
  createdAt: Date
  updatedAt: Date
}

const LISTING = `servers.id, name, game, ip_address as "ipAddress", game_port as "gamePort", query_port as "queryPort",
  owner_id as "ownerId", coalesce(username, '') as "ownerUsername", is_verified as "isVerified",
  is_featured as "isFeatured", hidden_at as "hiddenAt", is_online as "isOnline", current_players as "currentPlayers",
  max_players as "maxPlayers", map, consecutive_failures as "consecutiveFailures", last_polled_at as "lastPolledAt",
  last_online_at as "lastOnlineAt", next_poll_at as "nextPollAt", total_votes as "totalVotes",
  servers.created_at as "createdAt", servers.updated_at as "updatedAt"`

const JOINED = `servers
  join server_status as status on status.server_id = servers.id
  join server_counters as counters on counters.server_id = servers.id
  left join server_polls as polls on polls.server_id = servers.id
  left join users on users.id = owner_id`

const MATCHES = `deleted_at is null
  and ($1 = '' or strpos(lower(name), lower($1)) > 0 or strpos(ip_address, lower($1)) > 0 or servers.id::text = lower($1))
  and ($2::text is null or case when $2 = 'none' then owner_id is null else owner_id = $2::uuid end)
  and ($3::boolean is null or (hidden_at is not null) = $3)
  and ($4::boolean is null or is_verified = $4)
  and ($5::boolean is null or is_online = $5)`

const valuesOf = ({ search, owner, hidden, verified, online }: ListingFilter) => [
  search,
  owner,
  hidden,
  verified,
  online,
]

/** Newest first. */
export async function findListings(
  db: Db,
  filter: ListingFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ListingRow[]> {
  const { rows } = await db.query<ListingRow>(
    `select ${LISTING} from ${JOINED} where ${MATCHES} order by servers.id desc limit $6 offset $7`,
    [...valuesOf(filter), limit, offset],
  )
  return rows
}

export async function countListings(db: Db, filter: ListingFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)
     from servers join server_status as status on status.server_id = servers.id
     where ${MATCHES}`,
    valuesOf(filter),
  )
  return rows[0]?.count ?? 0
}

export async function findListing(db: Db, id: string): Promise<ListingRow> {
  const { rows } = await db.query<ListingRow>(
    `select ${LISTING} from ${JOINED} where servers.id = $1 and deleted_at is null`,
    [id],
  )
  const [row] = rows
  if (!row) throw new Error(`server ${id} lacks one of its rows`)
  return row
}

/** What administrators change in a listing. A placement features a server whether `isFeatured` is set or not. */
export interface ListingModeration {
  hidden: boolean
  ownerId: string | null
  isVerified: boolean
  isFeatured: boolean
}

/** Locks the listing until the transaction ends. @returns undefined if there is none */
export async function lockListingForModeration(db: Db, id: string): Promise<ListingModeration | undefined> {
  const { rows } = await db.query<ListingModeration>(
    `select hidden_at is not null as hidden, owner_id as "ownerId", is_verified as "isVerified",
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
  moderation: Omit<ListingModeration, 'hidden'>,
): Promise<void> {
  await db.query(
    `update servers set owner_id = $2, is_verified = $3, featured_by_admin = $4, updated_at = now() where id = $1`,
    [id, moderation.ownerId, moderation.isVerified, moderation.isFeatured],
  )
}

/** Prevents the deletion of an account until the transaction ends. @returns whether it exists */
export async function lockUserForShare(db: Db, id: string): Promise<boolean> {
  const { rowCount } = await db.query('select from users where id = $1 for key share', [id])
  return rowCount === 1
}
