// Shared by the pages of administrators and moderators: their menu, and the result of an action.
import type { StaffAccess } from '../../../../platform/http/staff-access.ts'
import { type RefusedForm, refusal } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { links, notice } from '../parts.ts'

export type AdminLocale = Locale<'admin' | 'forms'>

/** The data of each page, in addition to its own. */
export interface AdminPage {
  /** False for moderators. */
  isAdmin: boolean
  query: Record<string, string>
  refused: RefusedForm | undefined
}

const AREAS = {
  overview: { path: '/admin', access: 'moderator' },
  reports: { path: '/admin/reports', access: 'moderator' },
  contact: { path: '/admin/contact', access: 'moderator' },
  servers: { path: '/admin/servers', access: 'moderator' },
  sources: { path: '/admin/sources', access: 'admin' },
  users: { path: '/admin/users', access: 'admin' },
  auctions: { path: '/admin/auctions', access: 'admin' },
  slots: { path: '/admin/slots', access: 'admin' },
  votes: { path: '/admin/votes', access: 'moderator' },
  audit: { path: '/admin/audit', access: 'admin' },
  appearance: { path: '/admin/appearance', access: 'admin' },
} as const satisfies Record<string, { path: string; access: StaffAccess }>
export type Area = keyof typeof AREAS

export const adminPath = (area: Area) => AREAS[area].path
export const accessOf = (area: Area): StaffAccess => AREAS[area].access

export function adminFrame(
  locale: AdminLocale,
  here: Area,
  { isAdmin, query, refused }: AdminPage,
  title: string,
  content: Content,
) {
  const { admin: t } = locale.t
  const menu = (Object.keys(AREAS) as Area[])
    .filter((area) => isAdmin || accessOf(area) === 'moderator')
    .map((area) => ({ href: locale.href(adminPath(area)), name: t.frame.areas[area], isHere: area === here }))
  const { done: name = '' } = query
  const done = Object.hasOwn(t.frame.done, name) && t.frame.done[name as keyof typeof t.frame.done]
  return html`
    <div class="stack admin">
      ${links('tabs', t.frame.title, menu)}
      <h1>${title}</h1>
      ${notice('good', done && !refused && locale.say(done, { n: Number(query.n) || 0 }))}
      ${refusal(locale, refused)}
      ${content}
    </div>
  `
}
