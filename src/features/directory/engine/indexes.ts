// The data of a snapshot: the servers' records, columns and orders, and the sets and indexes of the filters.
// Each server has a slot: an index into the columns, texts and postings, reused after the server left.
import { createColumns } from './columns.ts'
import type { Facet } from './facets.ts'
import { createGeography } from './geography.ts'
import { createIds } from './ids.ts'
import { createOrders } from './orders.ts'
import { createPlayerCounts } from './player-counts.ts'
import { createPlayerHours } from './player-hours.ts'
import { createPosting } from './posting.ts'
import { createPreviousPlaces } from './previous-places.ts'
import { createQueryInterpreter } from './query-interpretation.ts'
import type { Multipliers } from './rates.ts'
import { createRecentlyWiped } from './recently-wiped.ts'
import { USUAL_PARTS } from './records.ts'
import { createReported } from './reported.ts'
import { createScores } from './scores.ts'
import { createTextArena } from './text-arena.ts'
import { createTextIndex } from './text-index.ts'
import { createVoteCounts } from './vote-counts.ts'
import { createWordIndex } from './word-index.ts'
import { createWorkspace } from './workspace.ts'

export type Indexes = ReturnType<typeof createIndexes>

/**
 * @param now epoch ms; decides which month's votes are shown at first
 * @param baseUrl of the addresses of icons
 */
export function createIndexes(now: number, baseUrl: string) {
  const ids = createIds()
  const columns = createColumns()
  const names = createTextIndex()
  const orders = createOrders({ columns, ids, nameOf: names.at })
  const games: Facet = new Map()
  const gameModes: Facet = new Map()
  const geography = createGeography()
  return {
    baseUrl,
    ids,
    columns,
    orders,
    /** A server's fixed JSON. */
    records: createTextArena(USUAL_PARTS),
    /** Slots that hold a server. */
    taken: createPosting(),
    online: createPosting(),
    /** Online servers that are not full. */
    withFreeSlots: createPosting(),
    /** The addresses that players of each edition enter, for servers with two editions. */
    editions: new Map<number, { java: string; bedrock: string }>(),
    /** The banner's hash, for servers that have a banner. */
    banners: new Map<number, string>(),
    verified: createPosting(),
    featured: createPosting(),
    games,
    tags: new Map() as Facet,
    gameModes,
    /** The servers that an account owns under `true`, the others under `false`. */
    claims: new Map() as Facet,
    multipliers: new Map() as Multipliers,
    geography,
    maps: createReported(),
    versions: createReported(),
    /** The index of the folded names. */
    names,
    /** The index of all words that `q` searches. */
    words: createWordIndex(ids.end, createQueryInterpreter({ games, gameModes, geography }, ids.end)),
    wiped: createRecentlyWiped(() => columns.lastWipeAt, ids.end),
    players: createPlayerCounts(columns, orders),
    votes: createVoteCounts(columns, orders, now),
    scores: createScores(columns, orders),
    playerHours: createPlayerHours(ids.end),
    previousPlaces: createPreviousPlaces(ids.end),
    workspace: createWorkspace(),
  }
}
