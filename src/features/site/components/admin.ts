// What the administrators' pages share: their menu, notices, lists with filters, and actions.
import { type RefusedForm, refusal, tabs } from './forms.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Schemas } from './types.ts'

export type AdminLocale = Locale<'admin' | 'forms'>
export type Query = Record<string, string>
export type Pagination = Schemas['Pagination']

/** What each page shows besides its own. */
export interface AdminPage {
  query: Query
  refused: RefusedForm | undefined
}

const AREAS = {
  overview: '/admin',
  reports: '/admin/reports',
  contact: '/admin/contact',
  servers: '/admin/servers',
  users: '/admin/users',
  auctions: '/admin/auctions',
  slots: '/admin/slots',
  votes: '/admin/votes',
  audit: '/admin/audit',
} as const
export type Area = keyof typeof AREAS

export const adminPath = (area: Area) => AREAS[area]

export function adminFrame(
  locale: AdminLocale,
  here: Area,
  { query, refused }: AdminPage,
  title: string,
  content: Content,
) {
  const { admin: t } = locale.t
  const links = Object.entries(AREAS).map(([area, href]) => ({
    href,
    name: t.areas[area as Area],
    isHere: area === here,
  }))
  const done = t.done[query.done as keyof typeof t.done] as (typeof t.done)['saved' | 'retried'] | undefined
  return html`
    <div class="stack admin">
      ${tabs(locale, t.title, links)}
      <h1>${title}</h1>
      ${done && !refused && html`<p class="notice is-good" role="status">${locale.say(done, { n: Number(query.n) || 0 })}</p>`}
      ${refusal(locale, refused)}
      ${content}
    </div>
  `
}

/** A form of fields that filter a list by its address. */
export const filterForm = (locale: AdminLocale, area: Area, fields: Content) => html`
  <form class="row filter" method="get" action=${adminPath(area)} role="search">
    ${language(locale)}${fields}<button type="submit" class="quiet-button">${locale.t.admin.filter}</button>
  </form>
`

function language(locale: AdminLocale) {
  const chosen = new URL(locale.href('/'), 'http://site').searchParams.get('lang')
  return chosen && html`<input type="hidden" name="lang" value=${chosen} />`
}

export const textFilter = (query: Query, name: string, label: string, type = 'search') =>
  html`<label>${label} <input type=${type} name=${name} value=${query[name] ?? ''} maxlength="100" /></label>`

export const choiceFilter = (
  query: Query,
  name: string,
  label: string,
  options: readonly (readonly [value: string, name: string])[],
) => html`
  <label>${label}
    <select name=${name}>
      ${options.map(([value, text]) => html`<option value=${value} selected=${(query[name] ?? '') === value}>${text}</option>`)}
    </select>
  </label>
`

export const flagFilter = ({ t: { admin: t } }: AdminLocale, query: Query, name: string, label: string) =>
  choiceFilter(query, name, label, [
    ['', t.any],
    ['true', t.yes],
    ['false', t.no],
  ])

/** Previous and next page, with the chosen filters. */
export const pageHref = (locale: AdminLocale, area: Area, query: Query) => (to: string | undefined) => {
  const { done: _done, n: _n, ...filters } = query
  return locale.href(adminPath(area), { ...filters, page: to })
}

export const at = (locale: AdminLocale, instant: string | null) =>
  instant === null ? locale.t.admin.never : html`<time datetime=${instant}>${locale.time(instant)}</time>`

export const scrolling = (label: string, table: Content) =>
  html`<div class="table-wrap" tabindex="0" role="region" aria-label=${label}>${table}</div>`

export const headings = (...names: string[]) =>
  html`<thead><tr>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>`

export const userLink = (locale: AdminLocale, id: string, name: string) =>
  html`<a href=${locale.href(adminPath('users'), { search: id })} dir="auto">${name}</a>`

export const json = (value: unknown) =>
  html`<pre class="json" tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
