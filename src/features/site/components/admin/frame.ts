// What the administrators' pages share: their menu, notices, filters and tables.
import type { RefusedForm } from '../fields.ts'
import { type Content, html } from '../html.ts'
import { languageField } from '../lists.ts'
import type { Locale } from '../locale.ts'
import { links, notice, time } from '../parts.ts'
import { refusal } from '../refusal.ts'
import { serverPath } from '../server-parts.ts'
import type { Schemas } from '../types.ts'

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
  const menu = Object.entries(AREAS).map(([area, path]) => ({
    href: locale.href(path),
    name: t.areas[area as Area],
    isHere: area === here,
  }))
  const { done: name = '' } = query
  const done = Object.hasOwn(t.done, name) && t.done[name as keyof typeof t.done]
  return html`
    <div class="stack admin">
      ${links('tabs', t.title, menu)}
      <h1>${title}</h1>
      ${notice('good', done && !refused && locale.say(done, { n: Number(query.n) || 0 }))}
      ${refusal(locale, refused)}
      ${content}
    </div>
  `
}

/** A form of fields that filter a list by its address. */
export const filterForm = (locale: AdminLocale, area: Area, fields: Content) => html`
  <form class="row filter" method="get" action=${adminPath(area)} role="search">
    ${languageField(locale)}${fields}<button type="submit" class="quiet-button">${locale.t.admin.filter}</button>
  </form>
`

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

export const at = (locale: AdminLocale, instant: string | null) =>
  instant === null ? locale.t.admin.never : time(locale, instant)

/** To an account or a server in its list. */
export const targetLink = (locale: AdminLocale, area: 'users' | 'servers', id: string, name: Content) =>
  html`<a href=${locale.href(adminPath(area), { search: id })} dir="auto">${name}</a>`

/** A server's name, which leads to its page if it has one. */
export const listedName = (locale: AdminLocale, id: string, name: string, isListed: boolean) =>
  html`<h2 dir="auto">${isListed ? html`<a href=${locale.href(serverPath(id))}>${name}</a>` : name}</h2>`

export const auditLink = (locale: AdminLocale, query: Query, text = locale.t.admin.showAudit) =>
  html`<a class="button quiet-button" href=${locale.href(adminPath('audit'), query)}>${text}</a>`

export const json = (value: unknown) =>
  html`<pre class="json" tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
