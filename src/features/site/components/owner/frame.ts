// Shared by the pages of an owner's server: their head and menu.
import type { RefusedForm } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { breadcrumb, links, notice } from '../parts.ts'
import { serverPath } from '../server-parts.ts'
import type { Listing } from '../types.ts'

export type OwnerLocale = Locale<'owner' | 'forms'>

const TABS = ['overview', 'edit', 'endpoints', 'votes', 'rewards', 'rcon', 'wipes'] as const
export type OwnerTab = (typeof TABS)[number]

export const ownerPath = (id: string, tab: OwnerTab | 'claim' = 'overview') =>
  tab === 'overview' ? `/my/servers/${id}` : `/my/servers/${id}/${tab}`

export const isListed = ({ visibility }: Listing) => visibility === 'listed'

/** What can be proven: a hidden server can't be claimed. */
export const proveLink = (locale: OwnerLocale, { id, isVerified, visibility }: Listing, look: string | null = null) =>
  !isVerified &&
  visibility !== 'hidden' &&
  html`<a class=${look} href=${locale.href(ownerPath(id, 'claim'))}>${locale.t.owner.overview.prove}</a>`

/** What every tab gets. */
export interface OwnerTabData {
  server: Listing
  refused: RefusedForm | undefined
  saved?: string | undefined
  now: number
}

/** The page of a tab: what all have around its sections. */
export const ownerTab =
  <Data extends OwnerTabData>(tab: OwnerTab, view: (locale: OwnerLocale, data: Data) => Content) =>
  (locale: OwnerLocale, data: Data) => {
    const { owner } = locale.t
    const { server } = data
    const prove = proveLink(locale, server)
    const tabs = TABS.map((one) => ({
      href: locale.href(ownerPath(server.id, one)),
      name: owner.tabs[one],
      isHere: one === tab,
    }))
    return html`
      <div class="area stack">
        <header>
          ${breadcrumb(locale, '/my/servers', owner.list.title)}
          <div class="row spread">
            <h1 dir="auto">${server.name}</h1>
            ${isListed(server) && html`<a href=${locale.href(serverPath(server))}>${owner.tabs.public}</a>`}
          </div>
        </header>
        ${server.visibility !== 'listed' && notice('warn', [owner.unlisted[server.visibility], prove && ' ', prove])}
        ${links('tabs', owner.tabs.label, tabs)}
        ${view(locale, data)}
      </div>
    `
  }

export const PORT = { inputmode: 'numeric', pattern: '[0-9]{1,5}' }
