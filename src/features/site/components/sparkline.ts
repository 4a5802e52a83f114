// A line of a server's players in the last 24 hours.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Row } from './types.ts'

const STEP = 4
const HEIGHT = 24

/** Empty while fewer than two hours are known; a gap for an unknown hour. */
export function sparkline(locale: Locale<'directory'>, hours: Row['playersByHour']) {
  const known = hours.filter((players) => players !== null)
  if (known.length < 2) return html`<span class="sparkline"></span>`
  const [least, most] = [Math.min(...known), Math.max(...known)]
  const label = locale.say(locale.t.directory.playersOfDay, { least: locale.number(least), most: locale.number(most) })
  const line = hours.map((players, hour) => {
    if (players === null) return ''
    const isStart = (hours[hour - 1] ?? null) === null
    const y = HEIGHT - 2 - Math.round((players / Math.max(most, 1)) * (HEIGHT - 4))
    return isStart ? `M${hour * STEP} ${y}h0` : `L${hour * STEP} ${y}`
  })
  return html`
    <svg class="sparkline" viewBox="0 0 ${23 * STEP} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label=${label}>
      <title>${label}</title><path d=${line.join('')} />
    </svg>
  `
}
