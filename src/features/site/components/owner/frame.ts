// Shared by the pages of an owner's server: their head and menu.
import type { RefusedForm } from '../fields.ts'
import { type Content, html } from '../html.ts'
import type { Locale } from '../locale.ts'
import { breadcrumb, links, notice } from '../parts.ts'
import { serverPath } from '../server-parts.ts'
import type { Listing } from '../types.ts'

export type OwnerLocale = Locale<'owner' | 'forms'>

type Right = Listing['rights'][number]

/** The tabs, each with the right on the server that it needs. */
export const TABS = {
  overview: 'read',
  edit: 'edit',
  endpoints: 'edit',
  votes: 'read',
  rewards: 'edit',
  rcon: 'rcon',
  wipes: 'edit',
  team: 'read',
} as const satisfies Record<string, Right>
export type OwnerTab = keyof typeof TABS

/** Whether the visitor has a right on a server. */
export const mayOn = ({ rights }: Listing, right: Right) => rights.includes(right)

export const ownerPath = (id: string, tab: OwnerTab | 'claim' = 'overview') =>
  tab === 'overview' ? `/my/servers/${id}` : `/my/servers/${id}/${tab}`

export const isListed = ({ visibility }: Listing) => visibility === 'listed'

/** A link to the proof of ownership, if it can be proven: a hidden server can't be claimed. */
export const proveLink = (locale: OwnerLocale, server: Listing, look: string | null = null) =>
  !server.isVerified &&
  mayOn(server, 'own') &&
  server.visibility !== 'hidden' &&
  html`<a class=${look} href=${locale.href(ownerPath(server.id, 'claim'))}>${locale.t.owner.overview.prove}</a>`

/** What the owner of a server that is not listed can do about it. */
function wayToBeListed(locale: OwnerLocale, server: Listing): Content {
  if (server.visibility !== 'hidden') return proveLink(locale, server)
  const { contact, contactSubject } = locale.t.owner.unlisted
  const subject = locale.say(contactSubject, { name: server.name })
  return html`<a href=${locale.href('/contact', { subject })}>${contact}</a>`
}

/** The data that every tab gets. */
export interface OwnerTabData {
  server: Listing
  refused: RefusedForm | undefined
  saved?: string | undefined
  now: number
}

/** The page of a tab: adds the head and the menu around the tab's sections. */
export const ownerTab =
  <Data extends OwnerTabData>(tab: OwnerTab, view: (locale: OwnerLocale, data: Data) => Content) =>
  (locale: OwnerLocale, data: Data) => {
    const { owner } = locale.t
    const { server } = data
    const mine = (Object.keys(TABS) as OwnerTab[]).filter((one) => mayOn(server, TABS[one]))
    const tabs = mine.map((one) => ({
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
        ${server.visibility !== 'listed' && notice('warn', [owner.unlisted[server.visibility], ' ', wayToBeListed(locale, server)])}
        ${links('tabs', owner.tabs.label, tabs)}
        ${view(locale, data)}
      </div>
    `
  }

export const PORT = { inputmode: 'numeric', pattern: '[0-9]{1,5}' }
