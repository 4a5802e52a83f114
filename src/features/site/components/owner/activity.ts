// What visitors did with an owner's server: the views of each day, the sums, a table, and what placements brought.
import { html } from '../html.ts'
import { table } from '../lists.ts'
import { lines, links } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type OwnerLocale, ownerPath } from './frame.ts'

export const DAYS = ['7', '30', '90', '365'] as const

export const daysOf = (asked: string | undefined): number => Number(DAYS.find((days) => days === asked) ?? 30)

type Activity = Schemas['ServerActivity']
type Day = Activity['days'][number]

const COUNTS = ['views', 'copies', 'joins', 'votes', 'favorites'] as const
const HEIGHT = 100

/** @param range the parameter of the chart on the same page, which the links keep */
export function activityCard(
  locale: OwnerLocale,
  serverId: string,
  { days, placements }: Activity,
  range: string | undefined,
) {
  const { activity: texts } = locale.t.owner
  const path = ownerPath(serverId)
  const sum = (count: (typeof COUNTS)[number]) => days.reduce((total, day) => total + day[count], 0)
  const choices = DAYS.map((one) => ({
    href: `${locale.href(path, { range, days: one === '30' ? undefined : one })}#visitors`,
    name: locale.say(texts.days, { n: Number(one) }),
    isHere: Number(one) === days.length,
  }))
  return html`
    <section class="card stack" id="visitors">
      <div class="results-head"><h2>${texts.title}</h2>${links('sorts', texts.period, choices)}</div>
      <dl class="figures">
        ${COUNTS.map((count) => html`<div><dt>${texts.counts[count]}</dt><dd>${locale.number(sum(count))}</dd></div>`)}
      </dl>
      ${bars(locale, days, sum('views'))}
      <p class="hint">${texts.how}</p>
      <details>
        <summary>${texts.table}</summary>
        ${table(
          texts.title,
          [texts.day, ...COUNTS.map((count) => texts.counts[count]), texts.crawlers],
          [...days].reverse().map(
            (day) => html`
              <tr key=${day.day}>
                <td>${dayOf(locale, day)}</td>
                ${[...COUNTS.map((count) => day[count]), day.crawlerViews].map((count) => html`<td>${locale.number(count)}</td>`)}
              </tr>
            `,
          ),
        )}
        <p><a href=${`/api/servers/${serverId}/activity.csv?days=${days.length}`} download>${texts.csv}</a></p>
      </details>
      ${
        placements.length > 0 &&
        html`
          <h3>${texts.placements}</h3>
          ${lines(
            placements.map(
              (one) => html`
                <li key=${one.placementId}>
                  <b>${locale.money(one.priceCents, one.currency)}</b> · ${locale.date(one.startsAt)} – ${locale.date(one.endsAt)} · <span dir="auto">${one.location}</span>
                  <p class="hint">${locale.say(texts.effect, { n: one.views, days: locale.say(texts.effectDays, { n: one.days }), before: locale.number(one.viewsBefore) })}</p>
                </li>
              `,
            ),
            '',
          )}
        `
      }
    </section>
  `
}

const dayOf = (locale: OwnerLocale, { day }: Day) => locale.date(`${day}T12:00:00.000Z`)

/** A bar for each day, as high as its share of the most views. */
function bars(locale: OwnerLocale, days: readonly Day[], views: number) {
  const { activity: texts } = locale.t.owner
  const most = Math.max(1, ...days.map((day) => day.views))
  const label = locale.say(texts.chart, { n: views, most: locale.number(most) })
  return html`
    <svg class="day-bars" viewBox=${`0 0 ${days.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label=${label}>
      ${days.map((day, place) => {
        const height = Math.round((day.views / most) * HEIGHT)
        return html`<rect key=${day.day} x=${place + 0.1} y=${HEIGHT - height} width="0.8" height=${height}><title>${dayOf(locale, day)}: ${locale.number(day.views)}</title></rect>`
      })}
    </svg>
  `
}
