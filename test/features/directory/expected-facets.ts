// The expected answer of `GET /servers/facets`, from lists of all matching servers.
import { FACET_NAMES, type FacetName, MAX_VALUES } from '../../../src/features/directory/engine/facet-counts.ts'
import { gameName } from '../../../src/features/games/index.ts'
import { fold } from '../../../src/platform/fold-text.ts'

type Item = Record<Exclude<FacetName, 'isClaimed'>, string> & { isClaimed: boolean }

/** @param list the items that match, oldest first: by all filters but that one, or with 'all' by none */
export async function expectedFacets(list: (without: FacetName | 'all') => Promise<Item[]> | Item[]) {
  const all = await list('all')
  const counts = await Promise.all(
    FACET_NAMES.map(async (name) => [name, countBy(name, await list(name), all)] as const),
  )
  const facets = Object.fromEntries(counts) as Record<FacetName, { value: string; servers: number }[]>
  return { ...facets, game: facets.game.map((count) => ({ ...count, name: gameName(count.value) })) }
}

function countBy(name: FacetName, matching: Item[], all: Item[]) {
  const isFolded = name === 'map' || name === 'region' || name === 'tags'
  const keyOf = (value: string) => (isFolded ? fold(value) : value)
  const isList = name === 'tags' || name === 'game' // a server of two editions counts for both games
  const valuesOf = (item: Item) => (isList ? item[name].split(',') : [String(item[name])]).filter(Boolean)
  const servers = new Map<string, number>()
  for (const item of matching)
    for (const key of new Set(valuesOf(item).map(keyOf))) servers.set(key, (servers.get(key) ?? 0) + 1)
  const spelling = (key: string) => all.flatMap(valuesOf).find((value) => keyOf(value) === key) ?? ''
  return [...servers]
    .sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))
    .slice(0, MAX_VALUES)
    .map(([key, count]) => ({ value: spelling(key), servers: count }))
}
