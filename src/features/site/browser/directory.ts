// The server list, live: filters without loading the page, suggestions, and numbers that move.
import { fold } from '../../../platform/fold-text.ts'
import { directoryView } from '../components/directory.ts'
import {
  apiQuery,
  LIST_PARAMETERS,
  type ListQuery,
  listQueryOf,
  pathOfAddressed,
  queryOf,
  withChosenGames,
} from '../components/list-query.ts'
import { listTitle } from '../components/list-title.ts'
import type { Row } from '../components/types.ts'
import { reportActions } from './actions.ts'
import { api } from './api.ts'
import { live } from './live.ts'
import { followList } from './stream.ts'
import { suggest } from './suggest.ts'

const page = live(directoryView)
reportActions()
const followAgain = followList(page, readAgainSoon)
suggest()

const isWhole = (query: ListQuery) => Object.keys(query).length === 0
/**
 * The content above the whole list, which only the server can render; undefined if the document shows a filtered list.
 */
const ofWholeList = isWhole(page.data.query)
  ? { featured: page.data.featured, introduction: page.data.introduction }
  : undefined
const OF_OTHERS = { featured: [], introduction: undefined }

/** Path and query: a fragment is only a place in the same list. */
const withoutFragment = ({ pathname, search }: URL | Location) => pathname + search
/** The address of the document, whose list is displayed or is loading. */
let address = withoutFragment(location)
/** The latest requested address: replies for earlier ones are dropped. */
let wanted = ''
/** Minimum time between the removal of a server and the read of the list without it. */
const READ_AGAIN_MS = 1_000
let isReadingAgain = false
/** Forms that the visitor has typed into since that address was requested. */
const typed = new Set<EventTarget | null>()

/** @returns the list of a query, and how many servers pass other filters */
async function read(query: ListQuery) {
  const { sortBy: _sortBy, page: _page, ...filters } = query
  const [{ servers: found, pagination }, counted] = await Promise.all([
    api.get('/servers', { query: apiQuery(query) }),
    api.get('/servers/facets', { query: filters as object }),
  ])
  const servers = found as Row[]
  const nameOf = (type: string) =>
    [...servers, ...page.data.servers].find(({ game }) => game === type)?.gameName ?? type
  return { servers, pagination, facets: withChosenGames(counted, query, nameOf) }
}

/** Several servers may leave at once, and all open pages must not request at the same time. */
function readAgainSoon(): void {
  if (isReadingAgain) return
  isReadingAgain = true
  setTimeout(() => void readAgain(), READ_AGAIN_MS * (1 + Math.random()))
}

/**
 * Shows the counts without a server that has left the list, and the one that takes its place. Without a
 * reply, nothing changes.
 */
async function readAgain(): Promise<void> {
  isReadingAgain = false
  const { query } = page.data
  const list = await read(query).catch(() => undefined)
  // The visitor may have chosen another list meanwhile.
  if (!list || page.data.query !== query) return
  page.show({ ...page.data, ...list })
  followAgain()
}

/** @returns whether the list is shown, and not another page or a later address */
async function show(url: URL): Promise<boolean> {
  url.hash = '' // with it, `assign` would only scroll
  wanted = url.href
  typed.clear()
  const query = listQueryOf(queryOf(url, LIST_PARAMETERS))
  const above = isWhole(query) ? ofWholeList : OF_OTHERS
  if (!above) {
    location.assign(url)
    return false
  }
  const list = await read(query)
  if (wanted !== url.href) return false
  document.documentElement.classList.remove('is-loading')
  const { servers, pagination, facets } = list
  // The server answers with the page of a searched address, or with what is nearest to a query without results.
  if (pagination.total === 0 || pathOfAddressed(query, servers, pagination.total)) {
    location.assign(url)
    return false
  }
  page.show({ ...page.data, query, ...list, nearby: undefined, ...above })
  const { locale } = page
  document.title = `${listTitle(locale, query, facets)} · ${locale.t.common.product}`
  // Renders keep what the visitor types, because live rows render at any time. Another address resets the forms to its
  // own values, except forms that were typed into since it was requested.
  for (const form of document.querySelectorAll<HTMLFormElement>('.search, .ranges')) if (!typed.has(form)) form.reset()
  for (const field of document.querySelectorAll<HTMLInputElement>('.facet-search')) findValues(field)
  followAgain()
  return true
}

/** Shows the list of an address. Without a reply, it loads the page, which may say why. */
async function go(url: URL): Promise<void> {
  document.documentElement.classList.add('is-loading')
  try {
    if (!(await show(url))) return
    // A double click requests the same address twice.
    if (withoutFragment(url) === address) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    address = withoutFragment(url)
  } catch {
    if (wanted === url.href) location.assign(url)
  }
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-live]')
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return
  event.preventDefault()
  // Checked before the list changes: the next page may not have this link.
  const isOfPager = link.closest('.pages') !== null
  link.classList.add('is-pressed')
  void go(new URL(link.href)).then(() => {
    link.classList.remove('is-pressed')
    if (isOfPager) document.querySelector('.results')?.scrollIntoView()
  })
})

/** Shows only the values of a long facet that contain what is typed, also those behind “more”. */
function findValues(field: HTMLInputElement): void {
  const term = fold(field.value.trim())
  const facet = field.closest('.facet')
  const more = facet?.querySelector('details')
  if (more && term) more.open = true
  for (const item of facet?.querySelectorAll('li') ?? [])
    item.hidden = !fold(item.querySelector('[dir]')?.textContent ?? '').includes(term)
}

document.addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  if (!form.matches('.search, .ranges')) return
  event.preventDefault()
  const given = [...new FormData(form)].flatMap(([name, value]) => (value ? [[name, String(value)]] : []))
  void go(new URL(`${form.action.split('?')[0]}?${new URLSearchParams(given)}`))
})

document.addEventListener('input', ({ target }) => {
  const field = target as HTMLInputElement
  if (field.matches('.facet-search')) findValues(field)
  else typed.add(field.form)
})

// The browser may have kept the page in memory while it showed another, and show it again.
addEventListener('pageshow', () => document.documentElement.classList.remove('is-loading'))

addEventListener('popstate', () => {
  const url = new URL(location.href)
  if (withoutFragment(url) === address) return
  address = withoutFragment(url)
  show(url).catch(() => wanted === url.href && location.reload())
})
