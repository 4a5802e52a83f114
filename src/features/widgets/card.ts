// Draws the card that chats and other sites show for a link to a server's page: banner, face, name, game,
// players and the last day.
import { initialsOf, markColor } from '../../platform/mark.ts'
import type { Brief } from '../directory/index.ts'
import type { PlayerHistory } from '../history/index.ts'
import { plot } from './plot.ts'
import { cleanText, escapeXml, truncate } from './svg-text.ts'
import { shortNumber } from './theme.ts'

/** The size that Open Graph's readers expect (docs/decisions/0061-cards.md). */
export const CARD_SIZE = { width: 1200, height: 630 } as const

/** `lastDay`: in hours. */
export interface Card extends Pick<Brief, 'name' | 'gameName' | 'map' | 'isOnline' | 'currentPlayers' | 'maxPlayers'> {
  game: string
  lastDay: PlayerHistory
  /** Pictures are data URLs. */
  banner: string | undefined
  logo: string | undefined
  site: {
    name: string
    /** Colour of lines on the dark ground; undefined: the product's. */
    accent: string | undefined
  }
}

const PADDING = 60
const BAND = 300
const FACE = { x: PADDING, y: 226, size: 180 }
const WORDS = { x: FACE.x + FACE.size + 32, width: CARD_SIZE.width - FACE.x - FACE.size - 32 - PADDING }
const FRAME = { left: 620, top: 466, width: 520, height: 104 }
const [GROUND, TEXT, QUIET, ACCENT, GOOD] = ['#161b22', '#e8ecf1', '#9aa6b5', '#6aa9ff', '#4cc38a']

/** An SVG with attributes only. Equal for equal cards. */
export function renderCard(card: Card): string {
  const { game, isOnline, currentPlayers, maxPlayers, lastDay, banner, logo, site } = card
  const accent = site.accent ?? ACCENT
  const name = cleanText(card.name)
  const facts = cleanText(card.map ? `${card.gameName} · ${card.map}` : card.gameName)
  const players = isOnline ? `${shortNumber(currentPlayers)}/${shortNumber(maxPlayers)}` : 'Offline'
  const color = markColor(game)
  const { line, area } = plot(lastDay.points, FRAME, {
    highest: Math.max(lastDay.peak ?? 0, 1),
    polledFrom: lastDay.polledFrom,
    polledTo: lastDay.polledTo,
  })
  const { width, height } = CARD_SIZE
  const center = FACE.x + FACE.size / 2
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="Noto Sans">` +
    `<defs><linearGradient id="band" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${color}"/><stop offset="1" stop-color="${GROUND}"/></linearGradient>` +
    `<clipPath id="face"><rect x="${FACE.x}" y="${FACE.y}" width="${FACE.size}" height="${FACE.size}" rx="28"/></clipPath></defs>` +
    `<rect width="${width}" height="${height}" fill="${GROUND}"/><rect width="${width}" height="${BAND}" fill="url(#band)"/>` +
    (banner ? `<image href="${banner}" width="${width}" height="${BAND}" preserveAspectRatio="xMidYMid slice"/>` : '') +
    `<rect x="${FACE.x - 8}" y="${FACE.y - 8}" width="${FACE.size + 16}" height="${FACE.size + 16}" rx="34" fill="${GROUND}"/>` +
    `<g clip-path="url(#face)">` +
    (logo
      ? `<image href="${logo}" x="${FACE.x}" y="${FACE.y}" width="${FACE.size}" height="${FACE.size}"/>`
      : `<rect x="${FACE.x}" y="${FACE.y}" width="${FACE.size}" height="${FACE.size}" fill="${color}"/>` +
        `<text x="${center}" y="${FACE.y + 122}" text-anchor="middle" font-size="88" font-weight="700" fill="#fff">${escapeXml(initialsOf(card.name))}</text>`) +
    '</g>' +
    textLine(name, { ...WORDS, y: 370, size: 54, color: TEXT, isBold: true }) +
    textLine(facts, { ...WORDS, y: 424, size: 32, color: QUIET }) +
    `<circle cx="${PADDING + 12}" cy="508" r="12" fill="${isOnline ? GOOD : QUIET}"/>` +
    textLine(players, { x: PADDING + 40, width: 480, y: 528, size: 60, color: TEXT, isBold: true }) +
    textLine(isOnline ? 'players' : 'at the moment', { x: PADDING + 40, width: 480, y: 572, size: 28, color: QUIET }) +
    textLine('last 24 hours', { x: FRAME.left, width: FRAME.width, y: 606, size: 24, color: QUIET }) +
    textLine(cleanText(site.name), { x: PADDING, width: 480, y: 614, size: 22, color: QUIET }) +
    `<path d="${area}" fill="${accent}" fill-opacity=".25"/><path d="${line}" fill="none" stroke="${accent}" stroke-width="4" stroke-linejoin="round"/></svg>`
  )
}

interface Look {
  x: number
  y: number
  width: number
  size: number
  color: string
  isBold?: boolean
}

/**
 * Text of any length and script: truncated to its width, and clipped to it where its letters are wider than estimated.
 */
const textLine = (words: string, { x, y, width, size, color, isBold }: Look) =>
  `<svg x="${x}" y="${y - 1.5 * size}" width="${width}" height="${2 * size}">` +
  `<text y="${1.5 * size}" font-size="${size}" fill="${color}"${isBold ? ' font-weight="700"' : ''}>${escapeXml(truncate(words, width, size))}</text></svg>`
