// Draws the players of a server over time with uPlot: with the value at the pointer, and gaps where
// no poll was answered.
import uPlot from 'uplot'
import type { Locale } from '../components/locale.ts'
import type { Range } from '../components/player-chart.ts'
import { api } from './api.ts'

/** The height of the image that the chart replaces. */
const HEIGHT = 284

export function createChart(holder: HTMLElement, locale: Locale<'server'>, { id }: { id: string }) {
  let plot: uPlot | undefined
  let wanted: Range = '24h'
  // The image stays until the chart is drawn. The page's view updates it to the chosen range.
  const image = holder.querySelector('img') as HTMLImageElement
  const place = document.createElement('div')
  place.className = 'plot'
  place.role = 'img'

  const tenths = (value: number | null) => locale.number(value === null ? null : Math.round(value * 10) / 10)

  async function draw(range: Range): Promise<void> {
    const { points, peak, average, uptime } = await api.get('/servers/{id}/player-history', {
      path: { id },
      query: { range },
    })
    if (range !== wanted) return // the visitor has chosen another range in the meantime
    const times = points.map(({ at }) => Date.parse(at) / 1000)
    const players = points.map((point) => point.players)
    plot?.destroy()
    holder.replaceChildren(place)
    place.ariaLabel = image.alt
    plot = new uPlot(options(range), [times, players], place)
    const { server: texts } = locale.t
    describe([
      `${texts.peak} ${locale.number(peak)}`,
      `${texts.average} ${tenths(average)}`,
      `${texts.answered} ${locale.percent(uptime)}`,
    ])
  }

  function describe(facts: readonly string[]): void {
    const legend = document.querySelector('#chart-legend')
    if (legend) legend.textContent = facts.join(' · ')
  }

  /** Shows the image of the range, when the API did not reply. */
  function showImage(range: Range): void {
    if (range !== wanted) return
    plot?.destroy()
    plot = undefined
    holder.replaceChildren(image)
    describe([])
  }

  function options(range: Range): uPlot.Options {
    const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
    const format = new Intl.DateTimeFormat(locale.language, {
      ...(range === '24h' ? {} : { month: 'short', day: 'numeric' }),
      hour: 'numeric',
      minute: '2-digit',
      timeZoneName: 'short',
    })
    const tick = new Intl.DateTimeFormat(
      locale.language,
      range === '24h' ? { timeStyle: 'short' } : { month: 'short', day: 'numeric' },
    )
    const axis = {
      stroke: color('--quiet'),
      grid: { stroke: color('--line'), width: 1 },
      ticks: { show: false },
      font: '12px system-ui',
    }
    return {
      width: holder.clientWidth,
      height: HEIGHT,
      cursor: { y: false, points: { size: 8 } },
      legend: { show: false },
      plugins: [tooltip((at, players) => `${players === null ? '–' : tenths(players)} · ${format.format(at * 1000)}`)],
      scales: { y: { range: (_plot, _least, most) => [0, Math.max(5, Math.ceil((most ?? 0) * 1.1))] } },
      axes: [
        { ...axis, space: 70, values: (_plot, values) => values.map((value) => tick.format(value * 1000)) },
        {
          ...axis,
          size: 44,
          values: (_plot, values) => values.map((value) => (Number.isInteger(value) ? locale.short(value) : '')),
        },
      ],
      series: [
        {},
        {
          stroke: color('--accent'),
          fill: `${color('--accent')}26`,
          width: 2,
          points: { show: false },
        },
      ],
    }
  }

  new ResizeObserver(() => plot?.setSize({ width: holder.clientWidth, height: HEIGHT })).observe(holder)
  // The chart reads its colors when it is drawn.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw(wanted).catch(() => undefined))
  return {
    show(range: Range): Promise<void> {
      wanted = range
      return draw(range).catch(() => showImage(range))
    },
  }
}

/**
 * Shows a line of text next to the pointer.
 * @param text the text of a point; `at` in seconds, players null without an answer
 */
function tooltip(text: (at: number, players: number | null) => string): uPlot.Plugin {
  const tip = document.createElement('p')
  tip.className = 'chart-tip'
  return {
    hooks: {
      init: (plot) => plot.over.append(tip),
      setCursor({ cursor: { idx, left = -1 }, data: [times, players], width }) {
        const at = typeof idx === 'number' && left >= 0 ? times[idx] : undefined
        tip.hidden = at === undefined
        if (at === undefined) return
        tip.textContent = text(at, players?.[idx as number] ?? null)
        // Shows the text on the side of the pointer with more space.
        tip.classList.toggle('is-left', left > width / 2)
        tip.style.left = `${left}px`
      },
    },
  }
}
