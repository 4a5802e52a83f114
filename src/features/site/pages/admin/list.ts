// The frame of administrators' lists (filters, number of entries, pages), and common parts of their entries.
import { type AdminLocale, type Area, accessOf, adminFrame, adminPath } from '../../components/admin/frame.ts'
import type { Options } from '../../components/fields.ts'
import { type Content, html } from '../../components/html.ts'
import { languageField, pager } from '../../components/lists.ts'
import { time } from '../../components/parts.ts'
import { serverPath } from '../../components/server-parts.ts'
import type { Schemas } from '../../components/types.ts'
import type { PageDeclaration, PageHead, PageInput } from '../../page.ts'
import { adminPage, type Part, type Shared } from './page.ts'

export type Query = Record<string, string>

interface Declaration<Own extends object>
  extends Pick<PageDeclaration<Own, Part>, 'query' | 'kept' | 'script' | 'embedded' | 'post'>,
    Pick<PageHead, 'isWide'> {
  area: Area
  /** @param filters the list's parameters, which the API checks */
  data(input: PageInput<Part>, filters: object): Promise<Own>
  view(locale: AdminLocale, data: Own & Shared): { intro?: Content; filters?: Content; items: Content }
}

export const listPage = <Own extends { pagination: Schemas['Pagination'] }>(declaration: Declaration<Own>) => {
  const { area, view, ...others } = declaration
  const title = (locale: AdminLocale) => locale.t.admin.frame.areas[area]
  return adminPage<Own, `/admin${string}`>({
    ...others,
    path: adminPath(area),
    access: accessOf(area),
    title,
    view(locale, data) {
      const { admin: t } = locale.t
      const { pagination, query } = data
      const { intro, filters, items } = view(locale, data)
      return adminFrame(
        locale,
        area,
        data,
        title(locale),
        html`
          ${intro}
          ${
            filters &&
            html`
              <form class="row filter" method="get" action=${adminPath(area)} role="search">
                ${languageField(locale)}${filters}<button type="submit" class="quiet-button">${t.common.filter}</button>
              </form>
            `
          }
          <p class="quiet" role="status">${locale.say(t.common.total, { n: pagination.total })}</p>
          ${pagination.total === 0 ? html`<p class="empty">${isFiltered(query) ? t.common.nothing : t.common.none}</p>` : items}
          ${pager(locale, pagination, (page) => locale.href(adminPath(area), { ...query, done: '', n: '', page }))}
        `,
      )
    },
  })
}

/** Whether the list has a filter. */
const isFiltered = ({ done: _done, n: _n, page: _page, ...filters }: Query) => Object.keys(filters).length > 0

export const cards = (items: Content) => html`<ul class="stack">${items}</ul>`

export const textFilter = (query: Query, name: string, label: string, type = 'search') =>
  html`<label>${label} <input type=${type} name=${name} value=${query[name] ?? ''} maxlength="100" /></label>`

export const choiceFilter = (query: Query, name: string, label: string, options: Options) => html`
  <label>${label}
    <select name=${name}>
      ${options.map(([value, text]) => html`<option value=${value} selected=${(query[name] ?? '') === value}>${text}</option>`)}
    </select>
  </label>
`

export const flagFilter = ({ t: { admin: t } }: AdminLocale, query: Query, name: string, label: string) =>
  choiceFilter(query, name, label, [
    ['', t.common.any],
    ['true', t.common.yes],
    ['false', t.common.no],
  ])

export const timeOrNone = (locale: AdminLocale, instant: string | null) =>
  instant === null ? locale.t.admin.common.never : time(locale, instant)

/** A link to the account in the list of accounts; only the name for moderators, who do not have that list. */
export const accountLink = (locale: AdminLocale, { isAdmin }: Shared, id: string, name: Content) =>
  isAdmin ? targetLink(locale, 'users', id, name) : html`<bdi>${name}</bdi>`

/** A link to an account or a server in its list. */
export const targetLink = (locale: AdminLocale, area: 'users' | 'servers', id: string, name: Content) =>
  html`<a href=${locale.href(adminPath(area), { search: id })} dir="auto">${name}</a>`

/** A server's name, which leads to its page if it has one. */
export const listedName = (locale: AdminLocale, id: string, name: string, isListed: boolean) =>
  html`<h2 dir="auto">${isListed ? html`<a href=${locale.href(serverPath({ id, name }))}>${name}</a>` : name}</h2>`

export const auditLink = (locale: AdminLocale, query: Query, text = locale.t.admin.common.showAudit) =>
  html`<a class="button quiet-button" href=${locale.href(adminPath('audit'), query)}>${text}</a>`

export const json = (value: unknown) =>
  html`<pre class="json" tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
