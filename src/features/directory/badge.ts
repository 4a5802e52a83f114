// Draws a server's badge: its name, and how it is, on grounds of its own, so that it reads on light and dark pages alike.
import { hasSlot } from './posting.ts'
import type { Snapshot } from './snapshot.ts'

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
/** Room for the name; a longer one is cut. */
const WIDEST_NAME = 280
const ONLINE = '#1a7f37'
const OFFLINE = '#6e4242'

/**
 * An SVG image without scripts, styles or anything from elsewhere: only attributes, which `default-src 'none'` lets be.
 * @returns its text; equal for equal servers
 */
export function renderBadge({ name, isOnline, players, maxPlayers }: Badge): string {
  const shown = readable(name) || '…'
  const state = `${players}/${maxPlayers} ${isOnline ? 'online' : 'offline'}`
  const label = xml(`${shown}: ${state}`)
  const { text: cutName, width: nameWidth } = cut(shown, WIDEST_NAME)
  const left = Math.ceil(nameWidth) + 2 * PADDING
  const width = left + DOT + Math.ceil(widthOf(state)) + 2 * PADDING
  const text = (x: number, words: string) => `<text x="${x}" y="16" fill="#fff">${xml(words)}</text>`
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" ` +
    `role="img" aria-label="${label}" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="${FONT_SIZE}">` +
    `<title>${label}</title>` +
    `<clipPath id="c"><rect width="${width}" height="${HEIGHT}" rx="5"/></clipPath>` +
    `<g clip-path="url(#c)"><rect width="${width}" height="${HEIGHT}" fill="#24292f"/>${text(PADDING, cutName)}` +
    `<rect x="${left}" width="${width - left}" height="${HEIGHT}" fill="${isOnline ? ONLINE : OFFLINE}"/>` +
    `<circle cx="${left + PADDING + 4}" cy="12" r="4" ${isOnline ? 'fill="#fff"' : 'fill="none" stroke="#fff" stroke-width="1.5"'}/>` +
    `${text(left + PADDING + DOT, state)}</g>` +
    // A hair of light around it: without one its dark half has no edge on a black page.
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
 * White space as one space each run, and without what XML can't hold, even escaped (XML 1.0 §2.2), what turns the direction
 * of writing, or has no picture.
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

/** Which font a page has is not known: each character gets the room it takes in a wide one. */
function widthOf(text: string): number {
  let ems = 0
  for (const { segment } of graphemes.segment(text)) ems += emsOf(segment)
  return ems * FONT_SIZE
}

function emsOf(grapheme: string): number {
  if (/^[ijl./,:;'|! ]/.test(grapheme)) return 0.38
  if (/^[mwMW@%]/.test(grapheme)) return 1
  if (/^[A-Z]/.test(grapheme)) return 0.78
  // Scripts of India write several letters as one character, side by side.
  if ((grapheme.codePointAt(0) ?? 0) < 0x1100) return 0.64 * Math.max(1, grapheme.match(/[\p{L}\p{Mc}]/gu)?.length ?? 0)
  return 1.35 // ideographs, emoji
}

/** @returns the text, cut between characters and ended by `…` where it is too wide, and its width */
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
  return { text: `${kept.trimEnd()}…`, width: widest }
}
