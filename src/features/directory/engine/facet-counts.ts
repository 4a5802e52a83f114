// Counts the servers that match a query by their games, maps, regions, countries, modes and tags.

import { fold } from '../../../platform/fold-text.ts'
import { splitList } from '../../../platform/text.ts'
import { gameName } from '../../games/index.ts'
import { countCommonBits, hasBit } from './bits.ts'
import type { Facet } from './facets.ts'
import { uint32At } from './number-at.ts'
import type { DirectoryQuery } from './plan.ts'
import { membersOf, type Posting } from './posting.ts'
import { findMatching, type Matching } from './query.ts'
import { readRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** Each facet has the name of its filter. */
export const FACET_NAMES = ['game', 'map', 'region', 'country', 'gameMode', 'tags', 'isClaimed'] as const
export type FacetName = (typeof FACET_NAMES)[number]

export interface FacetCount {
  value: string
  servers: number
}

export type FacetCounts = ReturnType<typeof countFacets>

export const MAX_VALUES = 50

/**
 * The values that most matching servers have, each facet counted without its own filter.
 * @returns most servers first, then by the folded value; games with their names
 */
export function countFacets(snapshot: Snapshot, query: DirectoryQuery) {
  const none: FacetCount[] = []
  const counts = { game: none, map: none, region: none, country: none, gameMode: none, tags: none, isClaimed: none }
  const isFiltered = (name: FacetName) => {
    const filter = query[name]
    return typeof filter === 'boolean' || (filter !== undefined && filter.length > 0)
  }
  // All facets that the query does not filter by count the same servers.
  const all = findMatching(snapshot, query)
  for (const name of FACET_NAMES) if (!isFiltered(name)) counts[name] = countValues(snapshot, name, all)
  for (const name of FACET_NAMES)
    if (isFiltered(name))
      counts[name] = countValues(snapshot, name, findMatching(snapshot, { ...query, [name]: undefined }))
  return { ...counts, game: counts.game.map((count) => ({ ...count, name: gameName(count.value) })) }
}

function facetOf(snapshot: Snapshot, name: FacetName): Facet {
  const { games, maps, geography, gameModes, tags, claims: isClaimed } = snapshot
  const { regions, countries } = geography
  return { game: games, map: maps.facet, region: regions, country: countries, gameMode: gameModes, tags, isClaimed }[
    name
  ]
}

function countValues(snapshot: Snapshot, name: FacetName, matching: Matching): FacetCount[] {
  const found: { key: string; posting: Posting; servers: number }[] = []
  for (const [key, posting] of facetOf(snapshot, name)) {
    const servers = matching === 'all' ? posting.size : countIn(posting, matching)
    if (servers > 0) found.push({ key, posting, servers })
  }
  return found
    .sort((a, b) => b.servers - a.servers || (a.key < b.key ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(({ key, posting, servers }) => ({ value: spellingOf(snapshot, name, key, posting), servers }))
}

function countIn({ size, list, bits }: Posting, set: Exclude<Matching, 'all'>): number {
  if (bits) return countCommonBits(bits, set)
  let count = 0
  if (list) for (let i = 0; i < size; i++) if (hasBit(set, uint32At(list, i))) count++
  return count
}

/** Folded values as the oldest server with them spells them, so that all processes answer the same. */
function spellingOf(snapshot: Snapshot, name: FacetName, key: string, posting: Posting): string {
  if (name !== 'map' && name !== 'region' && name !== 'tags') return key
  const slot = oldestOf(snapshot, posting)
  if (name === 'map') return snapshot.maps.textOf(slot)
  if (name === 'region') return snapshot.geography.regionOf(slot)
  const { tags } = readRecord(snapshot.records, slot)
  return splitList(tags).find((tag) => fold(tag) === key) ?? key
}

/** @param posting not empty */
function oldestOf({ columns, orders }: Snapshot, posting: Posting): number {
  const byAge = orders.byAge()
  const { bits } = posting
  // A bitset has a large share of the servers, so one of the first is found soon.
  if (bits)
    return uint32At(
      byAge,
      byAge.findIndex((slot) => hasBit(bits, slot)),
    )
  const age = (slot: number) => uint32At(columns.ageRank, slot)
  return membersOf(posting).reduce((oldest, slot) => (age(slot) < age(oldest) ? slot : oldest))
}
