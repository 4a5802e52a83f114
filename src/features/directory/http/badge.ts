// Draws a server's badge: its name and status, on its own background, so that it is readable on light and dark pages.
import { hasSlot } from '../engine/posting.ts'
import type { Snapshot } from '../engine/snapshot.ts'

export interface Badge {
  name: string
  isOnline: boolean
  players: number
  maxPlayers: number
}

const HEIGHT = 24
const FONT_SIZE = 12
const PADDING = 9
const DOT = 14
/** Maximum width of the name; longer names are cut. */
const WIDEST_NAME = 280
/** Advance widths of Verdana's characters from U+0020 to U+007E, in hundredths of the font's size. */
const VERDANA = (
  '35 39 46 82 64 108 73 27 45 45 64 82 36 45 36 45 64 64 64 64 64 64 64 64 64 64 45 45 82 82 82 55 ' +
  '100 68 69 70 77 63 57 78 75 42 45 69 56 84 75 79 60 79 70 68 62 73 68 99 69 62 69 45 45 45 82 64 ' +
  '64 60 62 52 62 60 35 62 63 27 34 59 27 97 63 61 62 62 43 52 39 63 59 82 59 59 53 63 45 63 82'
)
  .split(' ')
  .map(Number)
const ONLINE = '#1a7f37'
const OFFLINE = '#6e4242'

/**
 * An SVG image without scripts, styles or external resources: attributes only, which `default-src 'none'` allows.
 * @returns the image's source; equal for equal servers
 */
export function renderBadge({ name, isOnline, players, maxPlayers }: Badge): string {
  const shown = readable(name) || '…'
  const state = isOnline ? `${players}/${maxPlayers} online` : 'offline'
  const label = xml(`${shown}: ${state}`)
  const { text: cutName, width: nameWidth } = cut(shown, WIDEST_NAME)
  const left = Math.ceil(nameWidth) + 2 * PADDING
  const width = left + DOT + Math.ceil(widthOf(state)) + 2 * PADDING
  // The measured length applies in whichever of the fonts the page has.
  const text = (x: number, words: string, length: number) =>
    `<text x="${x}" y="16" fill="#fff"${isMeasured(words) ? ` textLength="${Math.round(length)}"` : ''}>${xml(words)}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" ` +
    `role="img" aria-label="${label}" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_SIZE}">` +
    `<title>${label}</title>` +
    `<clipPath id="c"><rect width="${width}" height="${HEIGHT}" rx="5"/></clipPath>` +
    `<g clip-path="url(#c)"><rect width="${width}" height="${HEIGHT}" fill="#24292f"/>${text(PADDING, cutName, nameWidth)}` +
    `<rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${isOnline ? ONLINE : OFFLINE}"/>` +
    `<circle cx="${left + PADDING + 4}" cy="12" r="4" ${isOnline ? 'fill="#fff"' : 'fill="none" stroke="#fff" stroke-width="1.5"'}/>` +
    `${text(left + PADDING + DOT, state, widthOf(state))}</g>` +
    // A thin light border: without it the dark half has no edge on a black page.
    `<rect x=".5" y=".5" width="${width - 1}" height="${HEIGHT - 1}" rx="4.5" fill="none" stroke="#8c959f" stroke-opacity=".6"/></svg>`
  )
}

export function badgeOf(snapshot: Snapshot, slot: number): Badge {
  const { name } = JSON.parse(`${snapshot.records.read(slot)}}`) as { name: string }
  return {
    name,
    isOnline: hasSlot(snapshot.online, slot),
    players: snapshot.columns.currentPlayers[slot] ?? 0,
    maxPlayers: snapshot.columns.maxPlayers[slot] ?? 0,
  }
}

/**
 * Collapses white space, and removes characters that XML can't contain even escaped (XML 1.0 §2.2), that change the
 * direction of writing, or that are invisible.
 */
const readable = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\s+/gu, ' ')
    .replace(/[\p{Cc}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]/gu, '')
    .trim()

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const xml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Whether the widths of all characters are known rather than estimated. */
const isMeasured = (text: string): boolean => /^[\u0020-\u007e]+$/.test(text)

function widthOf(text: string): number {
  let ems = 0
  for (const { segment } of graphemes.segment(text)) ems += emsOf(segment)
  return ems * FONT_SIZE
}

function emsOf(grapheme: string): number {
  const measured = VERDANA[(grapheme.codePointAt(0) ?? 0) - 0x20]
  if (measured !== undefined) return measured / 100
  // Indic scripts combine several letters into one grapheme, written side by side.
  if ((grapheme.codePointAt(0) ?? 0) < 0x1100) return 0.64 * Math.max(1, grapheme.match(/[\p{L}\p{Mc}]/gu)?.length ?? 0)
  return /^\p{Emoji_Presentation}/u.test(grapheme) ? 1.35 : 1 // ideographs fill a square
}

/** @returns the text, cut between graphemes and ended by `…` if it is too wide, and its width */
function cut(text: string, widest: number): { text: string; width: number } {
  const width = widthOf(text)
  if (width <= widest) return { text, width }
  const room = widest - widthOf('…')
  let kept = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    const next = emsOf(segment) * FONT_SIZE
    if (used + next > room) break
    kept += segment
    used += next
  }
  const shown = `${kept.trimEnd()}…`
  return { text: shown, width: widthOf(shown) }
}
