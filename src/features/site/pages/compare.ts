// Servers side by side; the address holds their ids.
import { type CompareData, compareView, MAX_COMPARED } from '../components/compare.ts'
import { ifFound, page } from '../page.ts'

const MAX_FOUND = 8

export const comparePage = page({
  path: '/compare',
  texts: ['compare', 'server'],
  shared: true,
  query: ['ids', 'find'],
  script: 'compare.ts',
  async data({ api, cursor: position, query: { ids = '', find = '' } }): Promise<CompareData> {
    const cursor = position()
    const wanted = [...new Set(ids.toLowerCase().split(',').filter(Boolean))].slice(0, MAX_COMPARED)
    // A server that has left the directory is left out.
    const details = await Promise.all(wanted.map((id) => ifFound(api.get('/servers/{id}', { path: { id } }))))
    const found = find
      ? (await api.get('/servers/suggestions', { query: { q: find.slice(0, 100), limit: MAX_FOUND } })).suggestions
      : []
    return { cursor, servers: details.filter((server) => server !== undefined), find, found }
  },
  head: ({ t: { compare } }, { servers }) => ({
    title: servers.length > 1 ? servers.map(({ name }) => name).join(' – ') : compare.title,
    description: compare.about,
    noindex: servers.length > 0,
  }),
  view: compareView,
})
