// Draws a server's banner: name, game, map, address and players, and the players of the last 24 hours as a small line.
import type { Brief } from '../directory/index.ts'
import type { PlayerHistory } from '../history/index.ts'
import { plot } from './plot.ts'
import { cleanText, escapeXml } from './svg-text.ts'
import { boundedText, card, shortNumber, type TextLook, text } from './theme.ts'

/** `lastDay`: in hours. */
export type Banner = Omit<Brief, 'id'> & { lastDay: PlayerHistory }

const WIDTH = 560
const HEIGHT = 100
const PADDING = 20
const FRAME = { left: 388, top: 46, width: 152, height: 28 }
const BOTTOM = FRAME.top + FRAME.height
/** Width of the words at the left. */
const WORDS_WIDTH = FRAME.left - 2 * PADDING
const NAME: TextLook = { colour: 'text', size: 16 }
const FACT: TextLook = { colour: 'quiet', size: 12 }
const PLAYERS: TextLook = { colour: 'text', size: 18, anchor: 'end' }
const LABEL: TextLook = { colour: 'quiet', size: 10 }

/** A banner has at most 20 kB, because its line has 24 points. */
export function renderBanner(banner: Banner): string {
  const { isOnline, currentPlayers, maxPlayers, lastDay } = banner
  const [name, address] = [cleanText(banner.name), cleanText(banner.connectAddress)]
  const facts = cleanText(banner.map ? `${banner.gameName} · ${banner.map}` : banner.gameName)
  const state = isOnline ? `${shortNumber(currentPlayers)}/${shortNumber(maxPlayers)}` : 'Offline'
  const { peak, average } = lastDay
  const lately =
    peak === null ? 'no data for the last 24 hours' : `in the last 24 hours peak ${peak}, average ${average}`
  const { line, area, gaps } = plot(lastDay.points, FRAME, {
    highest: Math.max(peak ?? 0, 1),
    polledFrom: lastDay.polledFrom,
    polledTo: lastDay.polledTo,
  })
  return card(
    {
      width: WIDTH,
      height: HEIGHT,
      title: escapeXml(`${name}: ${isOnline ? `${state} online` : 'offline'}`),
      description: escapeXml(`${facts}, ${address}; ${lately}.`),
    },
    `<circle class="${isOnline ? 'on' : 'off'}" cx="${PADDING + 5}" cy="28" r="5"/>` +
      boundedText(name, { x: PADDING + 18, y: 34, maxWidth: WORDS_WIDTH - 18, look: NAME }) +
      boundedText(facts, { x: PADDING, y: 59, maxWidth: WORDS_WIDTH, look: FACT }) +
      boundedText(address, { x: PADDING, y: 81, maxWidth: WORDS_WIDTH, look: FACT }) +
      text(state, WIDTH - PADDING, 34, PLAYERS) +
      (isOnline ? text('players', FRAME.left, 34, LABEL) : '') +
      text('last 24 hours', FRAME.left, BOTTOM + 14, LABEL) +
      `<path class="gap" d="${gaps}"/><path class="grid" d="M${FRAME.left} ${BOTTOM + 0.5}h${FRAME.width}"/>` +
      `<path class="area" d="${area}"/><path class="line" d="${line}"/>`,
  )
}
