// Draws a server's badge: its name and status, on its own background, so that it is readable on light and dark pages.
import type { Brief } from '../directory/index.ts'
import { cleanText, escapeXml, FONTS, textElement, truncate, widthOf } from './svg-text.ts'

export type Badge = Pick<Brief, 'name' | 'isOnline' | 'currentPlayers' | 'maxPlayers'>

const HEIGHT = 24
const FONT_SIZE = 12
const PADDING = 9
const DOT = 14
/** Maximum width of the name; longer names are truncated. */
const MAX_NAME_WIDTH = 280
const ONLINE = '#1a7f37'
const OFFLINE = '#6e4242'

/**
 * An SVG image without scripts, styles or external resources: attributes only, which `default-src 'none'` allows.
 * @returns the image's source; equal for equal servers
 */
export function renderBadge({ name, isOnline, currentPlayers, maxPlayers }: Badge): string {
  const shown = cleanText(name)
  const state = isOnline ? `${currentPlayers}/${maxPlayers} online` : 'offline'
  const label = escapeXml(`${shown}: ${state}`)
  const cutName = truncate(shown, MAX_NAME_WIDTH, FONT_SIZE)
  const left = Math.ceil(widthOf(cutName, FONT_SIZE)) + 2 * PADDING
  const width = left + DOT + Math.ceil(widthOf(state, FONT_SIZE)) + 2 * PADDING
  const text = (x: number, words: string) => textElement(words, `x="${x}" y="16" fill="#fff"`, FONT_SIZE)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" ` +
    `role="img" aria-label="${label}" font-family="${FONTS}" font-size="${FONT_SIZE}">` +
    `<title>${label}</title>` +
    `<clipPath id="c"><rect width="${width}" height="${HEIGHT}" rx="5"/></clipPath>` +
    `<g clip-path="url(#c)"><rect width="${width}" height="${HEIGHT}" fill="#24292f"/>${text(PADDING, cutName)}` +
    `<rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${isOnline ? ONLINE : OFFLINE}"/>` +
    `<circle cx="${left + PADDING + 4}" cy="12" r="4" ${isOnline ? 'fill="#fff"' : 'fill="none" stroke="#fff" stroke-width="1.5"'}/>` +
    `${text(left + PADDING + DOT, state)}</g>` +
    // A thin light border: without it the dark half has no edge on a black page.
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="4.5" fill="none" stroke="#8c959f" stroke-opacity=".6"/></svg>`
  )
}
