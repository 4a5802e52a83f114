// The players of a server over time: an image that needs no script, and the choice of its range.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { links } from './parts.ts'

export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]

export const rangeOf = (asked: string | undefined): Range => RANGES.find((range) => range === asked) ?? '24h'

const DAY_MS = 86_400_000
const DAYS: Record<Range, number> = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }

interface ChartProps {
  server: { id: string; name: string; createdAt: string }
  range: Range
  /** Epoch ms. */
  now: number
}

/**
 * browser/chart.ts replaces the image by its chart.
 * @param path the page's path, which takes the range as a parameter
 * @param others other parameters of the page, which its links keep
 */
export function playerChart(
  locale: Locale<never>,
  { server, range, now }: ChartProps,
  path: string,
  others: Record<string, string | undefined> = {},
) {
  const { chart } = locale.t.common
  const ranges = RANGES.map((one) => ({
    href: locale.href(path, { ...others, range: one === '24h' ? undefined : one }),
    name: chart.ranges[one],
    isHere: one === range,
    'data-range': one,
    rel: 'nofollow',
  }))
  return html`
    <section class="card" aria-label=${chart.title}>
      <div class="results-head"><h2>${chart.title}</h2>${links('sorts', chart.range, ranges)}</div>
      <div class="chart" id="chart">${chartImage(locale, server, range)}</div>
      <p class="chart-legend" id="chart-legend" aria-live="off"></p>
      ${isYoung(server, range, now) && html`<p class="chart-legend">${locale.say(chart.collecting, { date: locale.date(server.createdAt) })}</p>`}
    </section>
  `
}

/** Whether the server has been listed for less than the range, so that the line begins after the left edge. */
const isYoung = ({ createdAt }: ChartProps['server'], range: Range, now: number) =>
  now - Date.parse(createdAt) < DAYS[range] * DAY_MS

export const chartImage = (
  locale: Locale<never>,
  { id, name }: Pick<ChartProps['server'], 'id' | 'name'>,
  range: Range,
  size: object = { width: 760, height: 284 },
) => html`
  <img src=${chartPath(locale, id, range)} ...${size} alt=${locale.say(locale.t.common.chart.of, { name, range: locale.t.common.chart.ranges[range] })} />
`

function chartPath({ language }: Locale<never>, id: string, range: Range): string {
  const query = new URLSearchParams({ range, ...(language === 'en' ? {} : { lang: language }) })
  return `/api/servers/${id}/chart.svg?${query}`
}
