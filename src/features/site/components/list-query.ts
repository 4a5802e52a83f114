// The query of the server list, which is in its address: the chosen filters, and the addresses that change them.
import { fold } from '../../../platform/fold-text.ts'
import type { Locale } from './locale.ts'
import { serverPath } from './server-parts.ts'
import { type Facets, ROW_FIELDS } from './types.ts'

/** The order of the list unless the visitor searches, which sorts by relevance. */
const DEFAULT_SORT = 'score'
export const SORTS = [
  DEFAULT_SORT,
  'totalVotes',
  'monthlyVotes',
  'recentVotes',
  'currentPlayers',
  'uptime',
  'lastWipeAt',
  'createdAt',
  'name',
] as const
export const FLAGS = ['onlineOnly', 'hasFreeSlots', 'notEmpty', 'justWiped', 'isVerified', 'hasPassword'] as const
export type Flag = (typeof FLAGS)[number]

/** The value of a chosen flag: `hasPassword=false` shows the servers that need no password. */
export const chosenFlag = (flag: Flag): 'true' | 'false' => (flag === 'hasPassword' ? 'false' : 'true')
export const FACETS = ['game', 'map', 'country', 'region', 'gameMode', 'tags'] as const
export type FacetName = (typeof FACETS)[number]

/** The parameters of the list; those of `GET /servers` have the same names. */
export const LIST_PARAMETERS = [
  'q',
  ...FACETS,
  ...FLAGS,
  'minMultiplier',
  'maxMultiplier',
  'minPlayers',
  'sortBy',
  'page',
] as const
export type ListParameter = (typeof LIST_PARAMETERS)[number]
export type ListQuery = Partial<Record<ListParameter, string>>

/**
 * The list's query of the parameters in an address. Rates are typed by people: with a decimal comma, as keypads of many
 * countries have no point, or the higher one first.
 */
export function listQueryOf(parameters: Partial<Record<string, string>>): ListQuery {
  const query: ListQuery = { ...parameters }
  for (const bound of ['minMultiplier', 'maxMultiplier'] as const)
    if (query[bound]) query[bound] = query[bound].replace(',', '.')
  const { minMultiplier, maxMultiplier } = query
  if (Number(minMultiplier) > Number(maxMultiplier))
    return { ...query, minMultiplier: maxMultiplier, maxMultiplier: minMultiplier } as ListQuery
  return query
}

/** Facets of which several values can be chosen. */
const LISTS: ReadonlySet<string> = new Set(['game', 'country', 'tags'])

const PER_PAGE = 25

export const chosenOf = (query: ListQuery, facet: FacetName): string[] => {
  const given = query[facet]
  return given === undefined ? [] : LISTS.has(facet) ? given.split(',') : [given]
}

/** @returns the address with some parameters changed, on its first page */
export const listHref = (locale: Locale<never>, query: ListQuery, changes: ListQuery): string =>
  locale.href('/', { ...query, page: undefined, ...changes } as Record<string, string | undefined>)

/** The parameter of a facet after a click on a value, which selects it or removes it. */
export function toggled(query: ListQuery, facet: FacetName, value: string): ListQuery {
  const chosen = chosenOf(query, facet)
  const without = chosen.filter((one) => !isSameValue(one, value))
  const next = without.length < chosen.length ? without : LISTS.has(facet) ? [...chosen, value] : [value]
  return { [facet]: next.join(',') }
}

/** Compares values of filters in the same way as the API. */
export const isSameValue = (a: string, b: string) => fold(a) === fold(b)

/**
 * The path of the server whose address was searched for.
 * @returns undefined if the search is for something else, or if several servers have the address
 */
export function pathOfAddressed<Server extends { id: string; name: string; connectAddress: string }>(
  { q = '', page }: ListQuery,
  servers: readonly Server[],
  total: number,
): string | undefined {
  const [server] = servers
  if (!server || total !== 1 || page || !/[.:]/.test(q)) return undefined
  return hostOf(q) === hostOf(server.connectAddress) ? serverPath(server) : undefined
}

/** The host of a typed address: with or without a port, IPv6 possibly in brackets, or a link that joins a server. */
function hostOf(typed: string): string {
  const text = typed
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\/(connect\/)?/, '')
  return /^\[(.+)\]/.exec(text)?.[1] ?? /^([^:]*)(:\d*)?$/.exec(text)?.[1] ?? text
}

/** Adds chosen games that the facets lack, because no server of them passes the other filters. */
export function withChosenGames(facets: Facets, query: ListQuery, nameOf: (type: string) => string): Facets {
  const missing = chosenOf(query, 'game').filter((type) => !facets.game.some(({ value }) => value === type))
  return { ...facets, game: [...facets.game, ...missing.map((value) => ({ value, name: nameOf(value), servers: 0 }))] }
}

/** How many filters are chosen. */
export const countChosen = ({ q: _q, sortBy: _sortBy, page: _page, ...filters }: ListQuery): number =>
  Object.values(filters).filter(Boolean).length

/** @returns the order; undefined: by relevance */
export const sortOf = ({ sortBy, q }: ListQuery): string | undefined => sortBy ?? (q ? undefined : DEFAULT_SORT)

/** @returns the address's value for an order: empty for the default one */
export const sortParameter = ({ q }: ListQuery, sort: string): string => (sort === DEFAULT_SORT && !q ? '' : sort)

/** How many servers of the list are on the pages before this one. */
export const countBefore = (page: number | null): number => ((page ?? 1) - 1) * PER_PAGE

/** Converts the list's query to one of the API, which checks its values. */
export const apiQuery = (query: ListQuery): object => {
  const sortBy = sortOf(query)
  return { ...query, ...(sortBy ? { sortBy } : {}), fields: ROW_FIELDS.join(','), limit: PER_PAGE }
}

/** Parameters of an address: only these, in this order; repeated ones are joined by commas, empty ones left out. */
export function queryOf({ searchParams }: URL, names: readonly string[]): Record<string, string> {
  const values = new Map(names.map((name) => [name, [] as string[]]))
  for (const [name, value] of searchParams) if (value !== '') values.get(name)?.push(value)
  return Object.fromEntries([...values].flatMap(([name, given]) => (given.length > 0 ? [[name, given.join(',')]] : [])))
}
