// The server list, live: filters without loading the page, suggestions, and numbers that move.
import { directoryView } from '../components/directory.ts'
import { apiQuery, LIST_PARAMETERS, type ListQuery, queryOf } from '../components/list-query.ts'
import type { Row } from '../components/types.ts'
import { api } from './api.ts'
import { live } from './live.ts'
import { followList } from './stream.ts'
import { suggest } from './suggest.ts'

const page = live(directoryView)
const followAgain = followList(page)
suggest()

/** The latest address asked for: replies to earlier ones are dropped. */
let wanted = ''
/** Forms that the visitor has typed into since that address was asked for. */
const typed = new Set<EventTarget | null>()

async function show(url: URL): Promise<void> {
  wanted = url.href
  typed.clear()
  const query: ListQuery = queryOf(url, LIST_PARAMETERS)
  const { sortBy: _sortBy, page: _page, ...filters } = query
  const [{ servers, pagination }, facets] = await Promise.all([
    api.get('/servers', { query: apiQuery(query) }),
    api.get('/servers/facets', { query: filters as object }),
  ])
  if (wanted !== url.href) return
  page.show({ ...page.data, query, servers: servers as Row[], pagination, facets, featured: [] })
  // Typed values outlive renders, so that rows can change meanwhile. Another address shows its own values, except in a form with newer ones.
  for (const form of document.querySelectorAll<HTMLFormElement>('.search, .ranges')) if (!typed.has(form)) form.reset()
  followAgain()
}

/** Without a reply, the page itself may say why. */
async function go(url: URL): Promise<void> {
  try {
    await show(url)
    if (wanted === url.href) history.pushState(null, '', url)
  } catch {
    location.href = url.href
  }
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-live]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  void go(new URL(link.href)).then(() => {
    if (link.closest('.pages')) scrollTo({ top: 0 })
  })
})

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (!form.matches('.search, .ranges')) return
  event.preventDefault()
  const given = [...new FormData(form)].flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  void go(new URL(`${form.action.split('?')[0]}?${new URLSearchParams(given)}`))
})

document.addEventListener('input', ({ target }) => typed.add((target as HTMLInputElement).form))

addEventListener('popstate', () => void show(new URL(location.href)))
