// Rows of the change feed: one tuple each, so that 100,000 of them cost no objects with keys.

/**
 * The transaction that last wrote the row. 0: unknown, because the row is from a restored dump, with an id that this
 * database has not reached yet; such a row counts as new whenever it is read.
 */
export type ChangedIn = number
/** Epoch milliseconds. */
type Instant = number

export type ServerRow = [
  id: string,
  changedIn: ChangedIn,
  /** False if it was deleted or hidden or may not be listed: it leaves the directory. */
  listed: boolean,
  name: string,
  description: string,
  ipAddress: string,
  gamePort: number,
  queryPort: number,
  gameMode: string,
  region: string,
  /** Comma-separated. */
  tags: string,
  website: string,
  chatUrl: string,
  bannerUrl: string,
  rates: string,
  mods: string,
  isVerified: boolean,
  isFeatured: boolean,
  lastWipeAt: Instant | null,
  createdAt: Instant,
  updatedAt: Instant,
  /** gamedig type id. */
  game: string,
]

export type StatusRow = [
  id: string,
  changedIn: ChangedIn,
  isOnline: boolean,
  currentPlayers: number,
  maxPlayers: number,
  map: string,
  version: string,
  consecutiveFailures: number,
  lastPolledAt: Instant | null,
  freshUntil: Instant | null,
  /** ISO 3166-1 alpha-2; empty: unknown. */
  country: string,
  queryMs: number | null,
]

export type CountersRow = [
  id: string,
  changedIn: ChangedIn,
  totalVotes: number,
  monthlyVotes: number,
  /** The counted month, as months since year 0 (`monthOf`). */
  votesMonth: number,
]

export type UptimeRow = [
  id: string,
  changedIn: ChangedIn,
  day: number | null,
  week: number | null,
  month: number | null,
]
