// The server list at `/`.
import { gameName, isGameType, isNameOfType, similarGames } from '../../games/index.ts'
import type { Client } from '../components/client.ts'
import { type DirectoryData, directoryView, type Nearby } from '../components/directory.ts'
import {
  apiQuery,
  chosenOf,
  countChosen,
  LIST_PARAMETERS,
  type ListQuery,
  listHref,
  listQueryOf,
  pathOfAddressed,
  withChosenGames,
} from '../components/list-query.ts'
import { listTitle } from '../components/list-title.ts'
import type { Locale } from '../components/locale.ts'
import { type Facets, ROW_FIELDS, type Row } from '../components/types.ts'
import { htmlOf } from '../markdown.ts'
import { fallbackOn, page, TemporaryRedirect } from '../page.ts'
import { TEXTS } from '../texts/index.ts'

const FIELDS = ROW_FIELDS.join(',')
const FEATURED = { isFeatured: 'true', fields: FIELDS, limit: 100 } as const
/** Maximum cards above the list, unless more places were bought. */
const MAX_CARDS = 3
/** How many games and servers are suggested if nothing was found. */
const MAX_NEARBY = 5
/** Maximum words of a query that are searched one by one, if all together find nothing. */
const MAX_WORDS = 4

export const directoryPage = page({
  path: '/',
  texts: ['directory'],
  shared: true,
  query: LIST_PARAMETERS,
  script: 'directory.ts',
  async data({ api, cursor: position, query: given, locale, appearance, placed }): Promise<DirectoryData> {
    const cursor = position()
    const query = listQueryOf(given)
    const unknownGame = chosenOf(query, 'game').find((type) => !isGameType(type))
    const totals = await api.get('/public/stats')
    if (unknownGame !== undefined) {
      await leadToNamedGames(api, locale, query, unknownGame)
      return readWithoutGame(api, unknownGame, { cursor, query, totals })
    }
    const isWhole = Object.keys(query).length === 0
    const [{ servers: found, pagination }, counted, featured, bought] = await Promise.all([
      api.get('/servers', { query: apiQuery(query) }),
      api.get('/servers/facets', { query: filtersOf(query) }),
      isWhole ? api.get('/servers', { query: FEATURED }) : { servers: [] },
      isWhole ? placed() : [],
    ])
    const servers = found as Row[]
    const facets = withChosenGames(counted, query, gameName)
    leadElsewhere(locale, query, servers, pagination)
    const isNothing = pagination.total === 0 && totals.totalServers > 0
    return {
      cursor,
      query,
      servers,
      pagination,
      facets,
      totals,
      featured: cardsOf(featured.servers as Row[], bought),
      ...(isWhole ? { introduction: introductionOf(appearance()) } : {}),
      ...(isNothing ? { nearby: await findNearby(api, query) } : {}),
      ...(totals.totalServers === 0 ? { firstSteps: await firstStepsOf(api, locale) } : {}),
    }
  },
  head(locale, { query, pagination, facets, nearby }) {
    const { directory } = locale.t
    // Search engines index lists by one game, map or country, but no combinations of filters.
    const { game, map, country, q, ...others } = query
    const [value, ...more] = [game, map, country].filter((one) => one !== undefined)
    const isOwn =
      more.length === 0 && q === undefined && !value?.includes(',') && countChosen(others) === 0 && !others.sortBy
    return {
      title: listTitle(locale, query, facets),
      description: directory.description,
      canonical: listPath({ game, map, country, page: (pagination.page ?? 1) > 1 ? query.page : undefined }),
      noindex: !isOwn || nearby !== undefined,
      isWide: true,
    }
  },
  view: directoryView,
})

/** The cards: first all bought places, the best ones first, then servers that administrators feature. */
function cardsOf(featured: readonly Row[], placed: readonly string[]): Row[] {
  const bought = placed.flatMap((id) => featured.find((server) => server.id === id) ?? [])
  const others = featured.filter(({ id }) => !placed.includes(id))
  return [...bought, ...others].slice(0, Math.max(bought.length, MAX_CARDS))
}

const introductionOf = ({ introduction }: { introduction: string }) =>
  introduction ? htmlOf(introduction, { highestHeading: 2 }) : undefined

/** The first steps; undefined for visitors who are not administrators. */
async function firstStepsOf(api: Client, { language }: Locale<never>): Promise<DirectoryData['firstSteps']> {
  const steps = await fallbackOn(401, undefined, fallbackOn(403, undefined, api.get('/admin/first-steps')))
  return steps && { ...steps, texts: TEXTS[language].admin.firstSteps }
}

/** The filters of the query, which decide what servers are counted. */
const filtersOf = ({ sortBy: _sortBy, page: _page, ...filters }: ListQuery): object =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value))

/** Redirects a list whose `game` is the name of games, and not a type, to the list of these. */
async function leadToNamedGames(api: Client, locale: Locale<never>, query: ListQuery, typed: string): Promise<void> {
  const games = gamesCalled(typed, await allGames(api))
  if (games.length > 0) throw new TemporaryRedirect(listHref(locale, query, { game: games.join(',') }))
}

/** The page of a list whose `game` is none: it has no servers, but those nearest to it. */
async function readWithoutGame(
  api: Client,
  unknownGame: string,
  { cursor, query, totals }: Pick<DirectoryData, 'cursor' | 'query' | 'totals'>,
): Promise<DirectoryData> {
  const pagination = { page: 1, total: 0, totalPages: 0 }
  const facets = await api.get('/servers/facets', { query: filtersOf({ ...query, game: '' }) })
  const nearby = { ...(await findNearby(api, { q: unknownGame })), unknownGame }
  return { cursor, query, servers: [], pagination, facets, totals, featured: [], nearby }
}

/** Redirects a search for an address to its server, and a page after the last one to the last. */
function leadElsewhere(
  locale: Locale<never>,
  query: ListQuery,
  servers: readonly Row[],
  { page: asked, total, totalPages }: DirectoryData['pagination'],
): void {
  const server = pathOfAddressed(query, servers, total)
  if (server) throw new TemporaryRedirect(locale.href(server))
  if (total > 0 && (asked ?? 1) > totalPages)
    throw new TemporaryRedirect(listHref(locale, query, { page: totalPages > 1 ? String(totalPages) : '' }))
}

const allGames = async (api: Client): Promise<Facets['game']> => (await api.get('/servers/facets')).game

const gamesCalled = (typed: string, games: Facets['game']): string[] =>
  games.filter(({ value }) => isNameOfType(typed, value)).map(({ value }) => value)

/** What is nearest to a query without results: games by their names, and servers by fewer filters or words. */
async function findNearby(api: Client, query: ListQuery): Promise<Nearby> {
  const { q = '' } = query
  const games = await allGames(api)
  const similar = similarGames(
    q,
    games.map(({ value }) => value),
  ).flatMap((type) => games.find(({ value }) => value === type) ?? [])
  const servers = await findNearServers(api, query)
  return {
    games: (similar.length > 0 ? similar : games).slice(0, MAX_NEARBY),
    areGamesSimilar: similar.length > 0,
    servers: servers.length > 0 ? servers : await findRows(api, {}),
    areServersSimilar: servers.length > 0,
  }
}

const findRows = async (api: Client, wanted: { q?: string; limit?: number }) =>
  (await api.get('/servers', { query: { limit: MAX_NEARBY, fields: FIELDS, ...wanted } })).servers as Row[]

async function findNearServers(api: Client, query: ListQuery): Promise<Row[]> {
  const { q = '' } = query
  const withoutFilters = q && countChosen(query) > 0 ? await findRows(api, { q }) : []
  if (withoutFilters.length > 0) return withoutFilters
  const words = q.split(/\s+/).filter((word) => word.length > 2)
  const byWord = await Promise.all(words.slice(0, MAX_WORDS).map((word) => findRows(api, { q: word, limit: 2 })))
  return [...new Map(byWord.flat().map((server) => [server.id, server])).values()].slice(0, MAX_NEARBY)
}

function listPath(query: Record<string, string | undefined>): string {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return search.size > 0 ? `/?${search}` : '/'
}
