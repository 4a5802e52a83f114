// The rows of the change feed: each table's columns, from which its select list and the type of its rows follow.

import type { StoredProfile } from '../../profiles/index.ts'

/** A column by its SQL expression. `value` exists as a type only: what the database client returns. */
interface Column<Value> {
  sql: string
  value?: Value
}
type ColumnDefinitions = Record<string, Column<unknown>>
type RowOf<Of extends ColumnDefinitions> = { [Name in keyof Of]: Of[Name] extends Column<infer Value> ? Value : never }

const text = (sql: string): Column<string> => ({ sql })
const number = (sql: string): Column<number> => ({ sql })
const flag = (sql: string): Column<boolean> => ({ sql })
/** A time, as epoch milliseconds. */
const instant = (sql: string): Column<number> => ({ sql: `round(extract(epoch from ${sql})::float8 * 1000)` })
const profile: Column<StoredProfile | null> = { sql: 'profile' }
const nullable = <Value>({ sql }: Column<Value>): Column<Value | null> => ({ sql })

/**
 * The transaction that last wrote the row. 0: unknown, because the row is from a restored dump, with an id that this
 * database has not reached yet; such a row counts as new whenever it is read.
 */
const changedIn = number(
  'case when changed_in < pg_snapshot_xmax(pg_current_snapshot()) then changed_in::text::int8 else 0 end',
)

/** @param listed condition that decides whether the server is listed */
export const serverColumns = (listed: string) => ({
  id: text('id'),
  changedIn,
  /** False if the server was deleted, is hidden or may not be listed: the directory removes it. */
  listed: flag(listed),
  name: text('name'),
  description: text('description'),
  ipAddress: text('ip_address'),
  gamePort: number('game_port'),
  /** False: players connect without a port. */
  gamePortGiven: flag('game_port_given'),
  queryPort: number('query_port'),
  /** The address for Bedrock players, if they can join the Minecraft server too; empty: they can't. */
  bedrockAddress: text('bedrock_address'),
  bedrockPort: nullable(number('bedrock_port')),
  /** A gamedig type id. */
  game: text('game'),
  gameMode: text(`coalesce(game_mode, '')`),
  region: text('region'),
  /** Comma-separated. */
  tags: text(`array_to_string(tags, ',')`),
  website: text('website'),
  chatUrl: text('chat_url'),
  bannerUrl: text('banner_url'),
  rates: text('rates'),
  mods: text('mods'),
  isVerified: flag('is_verified'),
  /** Whether an account owns the server. */
  isClaimed: flag('owner_id is not null'),
  /** The source that found the server; null: its owner or a command added it. */
  source: nullable(text('source')),
  isFeatured: flag('is_featured'),
  lastWipeAt: nullable(instant('last_wipe_at')),
  nextWipeAt: nullable(instant('next_wipe_at')),
  createdAt: instant('created_at'),
  updatedAt: instant('updated_at'),
  /** What the game server says about itself. */
  profile,
  /** The hashes of the server's logo and banner. */
  logoHash: nullable(text('logo_hash')),
  bannerHash: nullable(text('banner_hash')),
})
export type ServerRow = RowOf<ReturnType<typeof serverColumns>>

export const STATUS_COLUMNS = {
  id: text('server_id'),
  changedIn,
  isOnline: flag('is_online'),
  currentPlayers: number('current_players'),
  currentBots: number('current_bots'),
  maxPlayers: number('max_players'),
  map: text('map'),
  version: text('version'),
  hasPassword: nullable(flag('has_password')),
  javaOnline: nullable(flag('java_online')),
  bedrockOnline: nullable(flag('bedrock_online')),
  consecutiveFailures: number('consecutive_failures'),
  lastPolledAt: nullable(instant('last_polled_at')),
  freshUntil: nullable(instant('fresh_until')),
  /** ISO 3166-1 alpha-2; empty: unknown. */
  country: text('country'),
  queryMs: nullable(number('query_ms')),
}
export type StatusRow = RowOf<typeof STATUS_COLUMNS>

export const COUNTERS_COLUMNS = {
  id: text('server_id'),
  changedIn,
  totalVotes: number('total_votes - voided_votes'),
  monthlyVotes: number('monthly_votes'),
  /** The month of `monthlyVotes`, as months since year 0 (`monthNumberOf`). */
  votesMonth: number('(extract(year from votes_month) * 12 + extract(month from votes_month) - 1)::integer'),
  /** The amounts that votes and playing add to the score: natural numbers of any size. */
  voteScore: text('vote_score::text'),
  playScore: text('play_score::text'),
}
export type CountersRow = RowOf<typeof COUNTERS_COLUMNS>

export const UPTIME_COLUMNS = {
  id: text('server_id'),
  changedIn,
  day: nullable(number('day')),
  week: nullable(number('week')),
  month: nullable(number('month')),
}
export type UptimeRow = RowOf<typeof UPTIME_COLUMNS>

/** Each column under its name in the row. */
export const selectList = (columns: ColumnDefinitions): string =>
  Object.entries(columns)
    .map(([name, { sql }]) => `${sql} as "${name}"`)
    .join(', ')
