// Players by hour, game and country.
import { html } from '../html.ts'
import { card } from '../parts.ts'
import { gauge } from '../server-parts.ts'
import type { Schemas } from '../types.ts'
import type { AdminLocale } from './frame.ts'

/** Maximum number of bars of a list. */
const SHOWN_TOTALS = 8

export function charts(locale: AdminLocale, { hours, playersByHour, games, countries }: Schemas['Statistics']) {
  const { admin: t } = locale.t
  const bars = (title: string, rows: { name: string; players: number }[]) => {
    const most = Math.max(1, ...rows.map(({ players }) => players))
    return card(title)`
      <ul class="bars">
        ${rows.slice(0, SHOWN_TOTALS).map(
          ({ name, players }) => html`<li>
            <span dir="auto">${name}</span> <b>${locale.number(players)}</b>
            ${gauge(players / most)}
          </li>`,
        )}
      </ul>
    `
  }
  return html`
    ${card(t.overview.playersDay)`
      ${playersByHour.every((value) => value === null) ? html`<p class="quiet">${t.overview.noHours}</p>` : hoursChart(locale, hours, playersByHour)}
    `}
    <div class="admin-columns">
      ${bars(
        t.overview.playersByGame,
        games.map(({ gameName, players }) => ({ name: gameName, players })),
      )}
      ${bars(
        t.overview.playersByCountry,
        countries.map(({ country, players }) => ({ name: locale.country(country), players })),
      )}
    </div>
  `
}

const CHART = { width: 960, height: 120, gap: 4 }

/** A bar for each hour; an hour without polls has none. */
function hoursChart(locale: AdminLocale, hours: string[], players: (number | null)[]) {
  const most = Math.max(1, ...players.map((value) => value ?? 0))
  const step = CHART.width / hours.length
  const label = locale.say(locale.t.admin.overview.peak, { n: most })
  return html`
    <svg class="hours" viewBox="0 0 ${CHART.width} ${CHART.height}" preserveAspectRatio="none" role="img" aria-label="${locale.t.admin.overview.playersDay}: ${label}">
      ${players.map((value, index) => {
        if (value === null) return null
        const height = Math.max(1, (value / most) * CHART.height)
        return html`<rect x=${index * step + CHART.gap / 2} y=${CHART.height - height} width=${step - CHART.gap} height=${height} rx="2"><title>${locale.time(hours[index] ?? '')}: ${locale.number(value)}</title></rect>`
      })}
    </svg>
    <p class="row spread hint"><span>${locale.time(hours[0] ?? '')}</span><span>${label}</span><span>${locale.time(hours.at(-1) ?? '')}</span></p>
  `
}
