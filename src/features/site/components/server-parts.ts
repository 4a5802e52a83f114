// Parts of a server that several pages show: its link, address, players and marks, its face (a logo or, without one, a
// mark) and its country.
import { initialsOf, markColor } from '../../../platform/mark.ts'
import { slugOf } from '../../../platform/slug.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Row } from './types.ts'

/** How many hex digits at the end of an id are its short id, which `slotOfShort` looks up. */
const SHORT_ID_LENGTH = 12

/** The canonical path of a server's page; paths with an earlier name or only an id lead to it. */
export const serverPath = ({ id, name }: Pick<Row, 'id' | 'name'>) =>
  `/servers/${slugOf(name) || 'server'}-${id.slice(-SHORT_ID_LENGTH)}`

/** The players of a server, with a fixed width, so that nothing moves when the numbers change. */
export function playersBar(
  locale: Locale<never>,
  { currentPlayers, maxPlayers, isOnline }: Pick<Row, 'currentPlayers' | 'maxPlayers' | 'isOnline'>,
) {
  const { common } = locale.t
  if (!isOnline) return html`<span class="players is-offline"><span class="dot"></span>${common.offline}</span>`
  const label = locale.say(common.playersOf, { now: currentPlayers, n: maxPlayers })
  return html`
    <span class="players" title=${label}>
      <span class="visually-hidden">${label}</span>
      <span class="count" aria-hidden="true"><b>${locale.number(currentPlayers)}</b><span class="quiet">/${locale.number(maxPlayers)}</span></span>
      ${gauge(maxPlayers > 0 ? Math.min(currentPlayers / maxPlayers, 1) : 0)}
    </span>
  `
}

/** @param share 0 to 1 */
export const gauge = (share: number) => html`
  <svg class="gauge" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect class="gauge-all" width="100" height="6" /><rect class="gauge-now" width=${Math.round(share * 100)} height="6" />
  </svg>
`

/**
 * Attributes that make browser/actions.ts count a click for the owner.
 * @param serverId left out in list rows, which have it
 */
export const reportedAs = (action: 'copy' | 'join', serverId?: string) => ({
  'data-action': action,
  'data-server': serverId,
})

/** browser/copy.ts makes the button work; without it the text can be selected. @param serverId left out in list rows */
export const copyButton = (locale: Locale<never>, text: string, serverId?: string) => html`
  <button class="copy" type="button" data-copy=${text} ...${reportedAs('copy', serverId)}>
    <code>${text}</code><span class="copy-word">${locale.t.common.copy}</span>
  </button>
`

export const verifiedMark = (label: string) => html`
  <svg class="verified" viewBox="0 0 16 16" width="16" height="16" role="img" aria-label=${label}><title>${label}</title><path d="M8 .8l1.9 1.5 2.4-.1.7 2.3 2 1.4-.9 2.2.9 2.2-2 1.4-.7 2.3-2.4-.1L8 15.4l-1.9-1.5-2.4.1-.7-2.3-2-1.4.9-2.2-.9-2.2 2-1.4.7-2.3 2.4.1z" fill="currentColor"/><path d="M5 8.2l2.1 2.1L11.2 6" fill="none" stroke="var(--ground)" stroke-width="1.6"/></svg>
`

interface Pictured {
  name: string
  game: string
  logoUrl: string | null
}

/** The size in pixels of the smaller encoded logo, whose name ends with `-64`. */
const SMALL_LOGO = 64

/**
 * A server's logo, from the page's own origin, or else its mark.
 * @param size in CSS pixels
 * @param isLate far down the page
 */
export function face({ name, game, logoUrl }: Pictured, size: number, isLate = false) {
  if (logoUrl === null) return mark(initialsOf(name), game, size)
  const { pathname } = new URL(logoUrl)
  const source = size * 1.5 <= SMALL_LOGO ? pathname.replace(/\.webp$/, `-${SMALL_LOGO}.webp`) : pathname
  const look = pathname.endsWith('.png') ? 'face is-icon' : 'face'
  return html`<img class=${look} src=${source} width=${size} height=${size} alt="" loading=${isLate ? 'lazy' : null} decoding="async" />`
}

/** The mark of a game, next to its name. */
export const gameMark = (game: string, gameName: string, size = 16) => mark(initialsOf(gameName), game, size)

const mark = (initials: string, game: string, size: number) => html`
  <svg class="face" viewBox="0 0 32 32" width=${size} height=${size} aria-hidden="true">
    <rect width="32" height="32" rx="6" fill=${markColor(game)} />
    <text x="16" y="21.5" text-anchor="middle">${initials}</text>
  </svg>
`

/** Browsers cache flags forever: change the number when the package with the flags changes. */
export const FLAGS_PATH = '/flags/1'

/** @param code ISO 3166-1 alpha-2 @param isLate far down the page */
export const countryWithFlag = (locale: Locale<never>, code: string, isLate = false) => html`
  <span><img class="flag" src=${`${FLAGS_PATH}/${code}.svg`} width="18" height="12" alt="" loading=${isLate ? 'lazy' : null} /> ${locale.country(code)}</span>
`
