// The faces of servers: a logo or, without one, a mark drawn from the name in the colour of the game.
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
    <rect width="32" height="32" rx="6" fill=${COLORS[hashOf(game) % COLORS.length]} />
    <text x="16" y="21.5" text-anchor="middle">${initials}</text>
  </svg>
`

/** White text is readable on each (WCAG AA, 4.5:1). */
const COLORS = [
  ...['#a3342f', '#9a4b12', '#7d5a00', '#5b6b0c', '#2c7328', '#13745a'],
  ...['#0f6e80', '#1a66a8', '#3f57b5', '#6547b3', '#8a3d9f', '#a5316f'],
] as const

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}

/** The first letters of the first two words; of one word its first; `#` of a name without letters and digits. */
export function initialsOf(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = words.slice(0, 2).map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0))
  return letters.join('').toUpperCase() || '#'
}
