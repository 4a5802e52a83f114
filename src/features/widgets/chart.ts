// Draws the players of a server over time.
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import type { Language } from '../../platform/language.ts'
import type { PlayerHistory, Range } from '../history/index.ts'
import { CHART_TEXTS } from './chart-texts.ts'
import { plot, scaleOf } from './plot.ts'
import { cleanText, escapeXml, widthOf } from './svg-text.ts'
import { boundedText, card, plainNumber, shortNumber, type TextLook, text } from './theme.ts'

const WIDTH = 760
const HEIGHT = 284
const PADDING = 20
const FRAME = { left: 56, top: 74, width: 684, height: 148 }
const BOTTOM = FRAME.top + FRAME.height
const SMALL: TextLook = { colour: 'quiet', size: 11 }
const LARGE: TextLook = { colour: 'text', size: 16 }
const MESSAGE: TextLook = { colour: 'quiet', size: 14, anchor: 'middle' }
/** Width of each of the three figures at the right. */
const FIGURE_WIDTH = 84

const TICKS_MS: Record<Range, number> = {
  '24h': 4 * HOUR_MS,
  '7d': DAY_MS,
  '30d': 5 * DAY_MS,
  '90d': 15 * DAY_MS,
}

interface Chart {
  name: string
  range: Range
  history: PlayerHistory
  language?: Language
}

/**
 * The line is the mean of each interval and the area reaches its peak, so that long ranges show peaks too. Intervals
 * without an answered poll are gaps, up to the last poll. At most 20 kB, because a history has at most 360 points.
 */
export function renderChart({ range, history, language = 'en', ...chart }: Chart): string {
  const { points, polledFrom, polledTo, peak, average, uptime } = history
  const name = cleanText(chart.name)
  const texts = CHART_TEXTS[language]
  const rangeText = texts.ranges[range]
  const number = (value: number) => shortNumber(value, language)
  const share = (value: number) => percent(value, language)
  const ticks = scaleOf(peak ?? 0)
  const highest = ticks.at(-1) ?? 1
  const { line, area, gaps } = plot(points, FRAME, { highest, polledFrom, polledTo })
  const figures: [name: string, figure: string][] = [
    [texts.uptime, uptime === null ? '–' : share(uptime)],
    [texts.average, average === null ? '–' : number(average)],
    [texts.peak, peak === null ? '–' : number(peak)],
  ]
  const nothing = uptime === null ? texts.noData : texts.noAnswerInTime
  return card(
    {
      width: WIDTH,
      height: HEIGHT,
      title: escapeXml(texts.title(name, rangeText)),
      description:
        peak === null
          ? nothing
          : texts.description(plainNumber(peak, language), plainNumber(average ?? 0, language), share(uptime ?? 0)),
    },
    boundedText(name, { x: PADDING, y: 34, maxWidth: WIDTH - 2 * PADDING - 3 * FIGURE_WIDTH, look: LARGE }) +
      text(texts.players(rangeText), PADDING, 54, SMALL) +
      figures
        .map(([label, figure], index) => {
          const x = WIDTH - PADDING - index * FIGURE_WIDTH
          return text(figure, x, 34, { ...LARGE, anchor: 'end' }) + text(label, x, 54, { ...SMALL, anchor: 'end' })
        })
        .join('') +
      `<path class="gap" d="${gaps}"/>` +
      ticks.map((tick) => horizontal(BOTTOM - (FRAME.height * tick) / highest, number(tick))).join('') +
      timeTicks(points, TICKS_MS[range], language)
        .map(([x, label]) => text(label, x, BOTTOM + 18, { ...SMALL, anchor: 'middle' }))
        .join('') +
      (peak === null
        ? text(nothing, FRAME.left + FRAME.width / 2, FRAME.top + FRAME.height / 2, MESSAGE)
        : `<path class="area" d="${area}"/><path class="line" d="${line}"/>${legend(texts.legend, gaps !== '')}`),
  )
}

function horizontal(y: number, label: string): string {
  const at = Math.round(y) + 0.5
  return (
    `<path class="grid" d="M${FRAME.left} ${at}h${FRAME.width}"/>` +
    text(label, FRAME.left - 8, at + 3.5, { ...SMALL, anchor: 'end' })
  )
}

/** Labels at multiples of `tickMs` that lie wholly below the plot. */
function timeTicks(points: PlayerHistory['points'], tickMs: number, language: Language): [x: number, label: string][] {
  const [first, second] = points
  if (!first || !second) return []
  const start = first.at.getTime()
  const lengthMs = (second.at.getTime() - start) * points.length
  const ticks: [number, string][] = []
  for (let at = Math.ceil(start / tickMs) * tickMs; at < start + lengthMs; at += tickMs) {
    const x = Math.round(FRAME.left + ((at - start) / lengthMs) * FRAME.width)
    const label = tickMs < DAY_MS ? new Date(at).toISOString().slice(11, 16) : DAY[language].format(at)
    if (x + widthOf(label, SMALL.size) / 2 <= WIDTH - PADDING) ticks.push([x, label])
  }
  return ticks
}

function legend(texts: { average: string; peak: string; noAnswer: string }, hasGaps: boolean): string {
  const entries = [
    { swatch: (x: number) => `<path class="line" d="M${x} ${LEGEND_Y - 4}h16"/>`, words: texts.average },
    { swatch: (x: number) => swatch('area', x), words: texts.peak },
    ...(hasGaps ? [{ swatch: (x: number) => swatch('gap', x), words: texts.noAnswer }] : []),
  ]
  let x = FRAME.left
  let drawn = ''
  for (const entry of entries) {
    drawn += entry.swatch(x) + text(entry.words, x + 22, LEGEND_Y, SMALL)
    x += 22 + Math.ceil(widthOf(entry.words, SMALL.size)) + 20
  }
  return drawn
}

const LEGEND_Y = HEIGHT - 18
const swatch = (colour: string, x: number) =>
  `<rect class="${colour}" x="${x}" y="${LEGEND_Y - 9}" width="16" height="10"/>`

const DAY_AND_MONTH = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const
const DAY: Record<Language, Intl.DateTimeFormat> = {
  en: new Intl.DateTimeFormat('en-US', DAY_AND_MONTH),
  de: new Intl.DateTimeFormat('de', DAY_AND_MONTH),
}
/** Rounded down: only a server that answered every poll has 100 %. */
const percent = (share: number, language: Language) => `${plainNumber(Math.floor(share * 1000) / 10, language)} %`
