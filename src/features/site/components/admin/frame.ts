// Shared by the administrators' pages: their menu, and the result of an action.
import { type RefusedForm, refusal } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { links, notice } from '../parts.ts'

export type AdminLocale = Locale<'admin' | 'forms'>

/** What each page shows besides its own. */
export interface AdminPage {
  query: Record<string, string>
  refused: RefusedForm | undefined
}

const AREAS = {
  overview: '/admin',
  reports: '/admin/reports',
  contact: '/admin/contact',
  servers: '/admin/servers',
  sources: '/admin/sources',
  users: '/admin/users',
  auctions: '/admin/auctions',
  slots: '/admin/slots',
  votes: '/admin/votes',
  audit: '/admin/audit',
  appearance: '/admin/appearance',
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
