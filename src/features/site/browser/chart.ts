// The players of a server over time, by uPlot: the value under the pointer, gaps where no poll was answered.
import uPlot from 'uplot'
import type { Locale } from '../components/locale.ts'
import type { Range } from '../components/player-chart.ts'
import { api } from './api.ts'

const HEIGHT = 240

/** @param createdAt since when the server is listed */
export function createChart(
  holder: HTMLElement,
  locale: Locale<'server'>,
  { id, createdAt }: { id: string; createdAt: string },
) {
  let plot: uPlot | undefined
  // The image stays until the chart is drawn; both are equally high.
  const place = document.createElement('div')
  place.className = 'plot'

  const tenths = (value: number | null) => locale.number(value === null ? null : Math.round(value * 10) / 10)

  async function show(range: Range): Promise<void> {
    const { points, peak, average, uptime } = await api.get('/servers/{id}/player-history', {
      path: { id },
      query: { range },
    })
    const times = points.map(({ at }) => Date.parse(at) / 1000)
    const players = points.map((point) => point.players)
    plot?.destroy()
    holder.replaceChildren(place)
    plot = new uPlot(options(range), [times, players], place)
    const { server: texts } = locale.t
    const isYoung = createdAt > (points[0]?.at ?? '')
    const legend = document.querySelector('#chart-legend')
    if (legend)
      legend.textContent = [
        `${texts.peak} ${locale.number(peak)}`,
        `${texts.average} ${tenths(average)}`,
        `${texts.answered} ${locale.percent(uptime)}`,
        ...(isYoung ? [locale.say(texts.collecting, { date: locale.date(createdAt) })] : []),
      ].join(' · ')
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
      legend: { live: true },
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
        { value: (_plot, value) => (value === null ? '–' : format.format(value * 1000)), label: '' },
        {
          label: locale.t.common.chart.title,
          stroke: color('--accent'),
          fill: `${color('--accent')}26`,
          width: 2,
          points: { show: false },
          value: (_plot, value) => tenths(value),
        },
      ],
    }
  }

  new ResizeObserver(() => plot?.setSize({ width: holder.clientWidth, height: HEIGHT })).observe(holder)
  let shown: Range = '24h'
  // The colors are read when it is drawn.
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => show(shown).catch(() => undefined))
  return {
    show(range: Range): Promise<void> {
      shown = range
      return show(range)
    },
  }
}
