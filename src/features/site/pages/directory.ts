// The server list at `/`.
import { type DirectoryData, directoryView } from '../components/directory.ts'
import { apiQuery, countChosen, LIST_PARAMETERS, type ListQuery } from '../components/list-query.ts'
import { ROW_FIELDS, type Row } from '../components/types.ts'
import { page } from '../page.ts'

const FEATURED = { isFeatured: 'true', fields: ROW_FIELDS.join(','), limit: 3 } as const

export const directoryPage = page({
  path: '/',
  texts: ['directory'],
  shared: true,
  query: LIST_PARAMETERS,
  script: 'directory.ts',
  async data({ api, cursor: position, query }): Promise<DirectoryData> {
    const cursor = position()
    const { sortBy: _sortBy, page: _page, ...filters } = query as ListQuery
    const isWhole = Object.keys(query).length === 0
    const [{ servers, pagination }, facets, totals, featured] = await Promise.all([
      api.get('/servers', { query: apiQuery(query) }),
      api.get('/servers/facets', { query: filters as object }),
      api.get('/public/stats'),
      isWhole ? api.get('/servers', { query: FEATURED }) : { servers: [] },
    ])
    return { cursor, query, servers: servers as Row[], pagination, facets, totals, featured: featured.servers as Row[] }
  },
  head(locale, { query, pagination, facets }) {
    const { directory } = locale.t
    // For search engines, a list by one game, map or country is a page; combinations of filters are not.
    const { game, map, country, q, ...others } = query
    const [value, ...more] = [game, map, country].filter((one) => one !== undefined)
    const isOwn =
      more.length === 0 && q === undefined && !value?.includes(',') && countChosen(others) === 0 && !others.sortBy
    const name =
      facets.game.find((one) => one.value === game)?.name ?? map ?? country?.split(',').map(locale.country).join(', ')
    return {
      title: value && name ? `${name}: ${directory.title}` : directory.title,
      description: directory.description,
      canonical: listPath({ game, map, country, page: (pagination.page ?? 1) > 1 ? query.page : undefined }),
      noindex: !isOwn,
    }
  },
  view: directoryView,
})

function listPath(query: Record<string, string | undefined>): string {
  const search = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  return search.size > 0 ? `/?${search}` : '/'
}
