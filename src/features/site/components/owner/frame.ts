// What the pages of an owner's server share: their head and menu.
import type { RefusedForm } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { crumb, links } from '../parts.ts'
import { serverPath } from '../server-parts.ts'
import type { ServerDetail } from '../types.ts'

export type OwnerLocale = Locale<'owner' | 'forms'>

const TABS = ['overview', 'edit', 'endpoints', 'votes', 'rewards', 'rcon', 'wipes'] as const
export type OwnerTab = (typeof TABS)[number]

export const ownerPath = (id: string, tab: OwnerTab | 'claim' = 'overview') =>
  tab === 'overview' ? `/my/servers/${id}` : `/my/servers/${id}/${tab}`

/** @param content sections of the tab */
export function around(locale: OwnerLocale, server: ServerDetail, tab: OwnerTab | 'claim', content: Content) {
  const { owner } = locale.t
  return html`
    <div class="area stack">
      <header>
        ${crumb(locale, '/my/servers', owner.list.title)}
        <div class="row spread">
          <h1 dir="auto">${server.name}</h1>
          <a href=${locale.href(serverPath(server.id))}>${owner.tabs.public}</a>
        </div>
      </header>
      ${links(
        'tabs',
        owner.tabs.label,
        TABS.map((one) => ({
          href: locale.href(ownerPath(server.id, one)),
          name: owner.tabs[one],
          isHere: one === tab,
        })),
      )}
      ${content}
    </div>
  `
}

export interface OfServer {
  server: ServerDetail
  refused: RefusedForm | undefined
  saved?: string | undefined
  now: number
}

export const PORT = { inputmode: 'numeric', pattern: '[0-9]{1,5}' }
