// The faces of servers: a logo or, without one, a mark drawn from the name in the colour of the game.
import { initialsOf, markColor } from '../../../platform/mark.ts'
import { html } from './html.ts'

interface Pictured {
  name: string
  game: string
  logoUrl: string | null
}

/** Of an encoded logo, in pixels; `-64` names the smaller one. */
const SMALL_LOGO = 64

/** Pages show images of their own origin only, whatever the operator calls it. @param size in CSS pixels @param isLate far down the page */
export function face({ name, game, logoUrl }: Pictured, size: number, isLate = false) {
  if (logoUrl === null) return mark(initialsOf(name), game, size)
  const { pathname } = new URL(logoUrl)
  const source = size * 1.5 <= SMALL_LOGO ? pathname.replace(/\.webp$/, `-${SMALL_LOGO}.webp`) : pathname
  const look = pathname.endsWith('.png') ? 'face is-icon' : 'face'
  return html`<img class=${look} src=${source} width=${size} height=${size} alt="" loading=${isLate ? 'lazy' : null} decoding="async" />`
}

/** Of a game, beside its name. */
export const gameMark = (game: string, gameName: string, size = 16) => mark(initialsOf(gameName), game, size)

const mark = (initials: string, game: string, size: number) => html`
  <svg class="face" viewBox="0 0 32 32" width=${size} height=${size} aria-hidden="true">
    <rect width="32" height="32" rx="6" fill=${markColor(game)} />
    <text x="16" y="21.5" text-anchor="middle">${initials}</text>
  </svg>
`
