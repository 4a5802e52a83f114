// A list of administrators with its filters, number of entries and pages.
import { type Content, html } from '../html.ts'
import { pager } from '../lists.ts'
import {
  type AdminLocale,
  type AdminPage,
  type Area,
  adminFrame,
  adminPath,
  filterForm,
  type Pagination,
} from './frame.ts'

export interface List extends AdminPage {
  pagination: Pagination
  /** Epoch ms. */
  now: number
}

/** A list with its filters, number of entries and pages. */
export function list(
  locale: AdminLocale,
  area: Area,
  data: List,
  { filters = null, intro = null, items }: { filters?: Content; intro?: Content; items: Content },
) {
  const { admin: t } = locale.t
  const { pagination, query } = data
  return adminFrame(
    locale,
    area,
    data,
    t.areas[area],
    html`
      ${intro} ${filters && filterForm(locale, area, filters)}
      <p class="quiet" role="status">${locale.say(t.total, { n: pagination.total })}</p>
      ${pagination.total === 0 ? html`<p class="empty">${t.nothing}</p>` : items}
      ${pager(locale, pagination, (page) => locale.href(adminPath(area), { ...query, done: '', n: '', page }))}
    `,
  )
}

export const cards = (items: Content) => html`<ul class="stack">${items}</ul>`
