// The plan of a list query: the sets and checks that its filters need.

import { fold } from '../../../platform/fold-text.ts'
import { havingAnyOf } from './facets.ts'
import { type Filters, filters } from './filters.ts'
import { findTypedAddress } from './lookup.ts'
import type { Posting } from './posting.ts'
import { havingMultiplierIn } from './rates.ts'
import type { Snapshot } from './snapshot.ts'
import type { KeysetPosition, SortKey, SortOrder } from './sort-keys.ts'
import type { WordMatches } from './word-index.ts'

export interface DirectoryQuery extends Filters {
  /** Undefined: the query has a cursor, and the page is the one after `after`, or the first. */
  page?: number | undefined
  /** The last server of the page before; the page has the next servers in the order. */
  after?: KeysetPosition | undefined
  limit: number
  sortBy: SortKey
  sortOrder: SortOrder
  /**
   * Sorts the best matches of `q` first, equally good ones in the order; the value of `after` then includes the tier.
   */
  byRelevance?: boolean
  /**
   * Epoch ms: wiped at this time or later. Follows from `justWiped` and `wipedWithinDays`, which
   * `filterKey` has instead.
   */
  wipedSince?: number | undefined
  /**
   * Epoch ms: the next wipe is from now to this time. Follows from `wipesWithinDays`, which `filterKey` has instead.
   */
  wipesBetween?: readonly [from: number, to: number] | undefined
  /** Epoch ms: listed at this time or later. Follows from `createdWithinDays`, which `filterKey` has instead. */
  createdSince?: number | undefined
}

/**
 * Which fields that are no filters make a query another list: the order does. A list has many pages, and the times
 * follow from the current time.
 */
const IDENTIFIES_LIST: Record<Exclude<keyof DirectoryQuery, keyof Filters>, boolean> = {
  sortBy: true,
  sortOrder: true,
  byRelevance: true,
  page: false,
  after: false,
  limit: false,
  wipedSince: false,
  wipesBetween: false,
  createdSince: false,
}

/** A key that is equal for lists with equal filters and order. */
export function filterKey(query: DirectoryQuery): string {
  const fields = Object.entries(query).filter(
    ([name]) => name in filters || IDENTIFIES_LIST[name as keyof typeof IDENTIFIES_LIST],
  )
  return JSON.stringify(Object.fromEntries(fields))
}

/** The sets that a server must be in, and the checks for servers that are in all of them. */
export interface Plan {
  postings: Posting[]
  /** Folded parts of the name to check: the postings alone include other servers too. */
  terms: string[]
  ranges: Range[]
  /** The sets of `WordMatches.tiers` if the list is sorted by relevance. */
  tiers: WordMatches['tiers'] | undefined
  /** Words of `q` that are not searched, because they would cost too much. */
  ignoredWords: readonly string[]
}

/** Inclusive bounds of a column's values; NaN is in no range. */
export interface Range {
  values: Int32Array | Float64Array
  min: number
  max: number
}

export const isUnfiltered = ({ postings, terms, ranges }: Plan): boolean =>
  postings.length === 0 && terms.length === 0 && ranges.length === 0

/** @returns undefined if a filter names a value that no server has */
export function makePlan(snapshot: Snapshot, query: DirectoryQuery): Plan | undefined {
  const postings: (Posting | undefined)[] = []
  if (query.game?.length) postings.push(havingAnyOf(snapshot.games, query.game, snapshot.slotsEnd()))
  if (query.country?.length)
    postings.push(havingAnyOf(snapshot.geography.countries, query.country, snapshot.slotsEnd()))
  if (query.gameMode) postings.push(snapshot.gameModes.get(query.gameMode))
  if (query.map) postings.push(snapshot.maps.facet.get(fold(query.map)))
  if (query.region) postings.push(snapshot.geography.regions.get(fold(query.region)))
  for (const tag of query.tags ?? []) postings.push(snapshot.tags.get(fold(tag)))
  if (query.version) postings.push(snapshot.versions.facet.get(fold(query.version)))
  if (query.onlineOnly) postings.push(snapshot.online)
  if (query.hasFreeSlots) postings.push(snapshot.withFreeSlots)
  if (query.isVerified) postings.push(snapshot.verified)
  if (query.isClaimed !== undefined) postings.push(snapshot.claims.get(String(query.isClaimed)))
  if (query.isFeatured) postings.push(snapshot.featured)
  if (query.wipedSince !== undefined) postings.push(snapshot.wipedSince(query.wipedSince))
  const { minMultiplier, maxMultiplier } = query
  if (minMultiplier !== undefined || maxMultiplier !== undefined)
    postings.push(havingMultiplierIn(snapshot.multipliers, { minMultiplier, maxMultiplier }, snapshot.slotsEnd()))
  const text = planText(snapshot, query)
  if (!text) return undefined
  postings.push(...text.postings)
  const known = postings.filter((posting) => posting !== undefined)
  if (known.length < postings.length) return undefined
  return {
    postings: known,
    terms: text.terms,
    ranges: rangesOf(snapshot, query),
    tiers: query.byRelevance ? text.words?.tiers : undefined,
    ignoredWords: text.words?.ignored ?? [],
  }
}

/** What `q` and `search` need. @returns undefined if no server has it */
function planText(
  snapshot: Snapshot,
  { q: typed, search }: DirectoryQuery,
): (Pick<Plan, 'postings' | 'terms'> & { words: WordMatches | undefined }) | undefined {
  const postings: Posting[] = []
  const terms: string[] = []
  const q = typed?.trim()
  const atAddress = q ? findTypedAddress(snapshot, q) : undefined
  if (atAddress) postings.push({ size: atAddress.length, list: atAddress, bits: undefined })
  const words = q && !atAddress ? snapshot.words.find(q, snapshot.version) : undefined
  if (words) postings.push(words.all)
  const inName = search ? [fold(search)] : []
  if (q && !words && !atAddress) inName.push(fold(q).trim()) // only punctuation
  for (const term of inName) {
    const found = snapshot.names.find(term)
    if (!found) return undefined
    postings.push(...found.postings)
    if (!found.exact) terms.push(term)
  }
  return { postings, terms, words }
}

function rangesOf({ columns }: Snapshot, query: DirectoryQuery): Range[] {
  const { minPlayers, maxPlayers, notEmpty, minUptime, createdSince, hasPassword, wipesBetween } = query
  const ranges: Range[] = []
  const add = (values: Range['values'], min = 0, max = Number.POSITIVE_INFINITY) => ranges.push({ values, min, max })
  if (minPlayers !== undefined || maxPlayers !== undefined || notEmpty)
    add(columns.currentPlayers, Math.max(minPlayers ?? 0, notEmpty ? 1 : 0), maxPlayers)
  if (hasPassword === true) add(columns.hasPassword, 1)
  if (hasPassword === false) add(columns.hasPassword, -1, 0) // also servers of which it is unknown
  if (minUptime !== undefined) add(columns.uptimeMonth, minUptime)
  if (createdSince !== undefined) add(columns.createdAt, createdSince)
  if (wipesBetween) add(columns.nextWipeAt, ...wipesBetween)
  return ranges
}
