// The standings of a month: places, the change against the month before, votes.
import { html } from './html.ts'
import { pager, table } from './lists.ts'
import type { Locale } from './locale.ts'
import { links, tag } from './parts.ts'
import { serverPath } from './server-parts.ts'
import type { Schemas } from './types.ts'

export interface StandingsData {
  /** The page's path without the month: `/top`, `/games/rust/top`. */
  path: string
  gameName: string | undefined
  standings: Schemas['Standings']
  /** Months before and after this one, `2026-10`; none after the running one. */
  near: string[]
}

type StandingsLocale = Locale<'standings'>

export const standingsTitle = (locale: StandingsLocale, { gameName, standings: { month } }: StandingsData): string => {
  const { standings: texts } = locale.t
  return locale.say(gameName ? texts.titleOf : texts.title, { month: locale.month(month), game: gameName ?? '' })
}

export function standingsView(locale: StandingsLocale, data: StandingsData) {
  const { standings: texts } = locale.t
  const { path, gameName, near } = data
  const { month, isRunning, standings, pagination } = data.standings
  const hrefOf = (to: string, page?: string) => locale.href(`${path}/${to}`, { page })
  return html`
    <div class="stack">
      <h1>${standingsTitle(locale, data)}</h1>
      <p class="quiet">${isRunning ? texts.running : texts.finished}</p>
      ${links(
        'sorts',
        texts.title.replace('{month}', ''),
        near.map((to) => ({ href: hrefOf(to), name: locale.month(to), isHere: to === month })),
      )}
      ${
        standings.length > 0
          ? table(
              standingsTitle(locale, data),
              [texts.place, texts.change, texts.server, texts.votes],
              standings.map(
                ({ place, previousPlace, votes, server }) => html`
                  <tr key=${`${place} ${server?.id}`}>
                    <td>${locale.number(place)}</td>
                    <td>${change(locale, place, previousPlace)}</td>
                    <td>${server ? html`<a href=${locale.href(serverPath(server))} dir="auto">${server.name}</a>` : html`<span class="quiet">${texts.gone}</span>`}</td>
                    <td>${locale.number(votes)}</td>
                  </tr>
                `,
              ),
            )
          : html`<div class="empty"><p>${texts.none}</p></div>`
      }
      ${pager(locale, pagination, (page) => hrefOf(month, page))}
      <p>
        ${gameName && html`<a href=${locale.href(`/top/${month}`)}>${texts.all}</a> · `}<a href=${locale.href('/ranking')}>${texts.ranking}</a>
      </p>
    </div>
  `
}

function change(locale: StandingsLocale, place: number, previous: number | null) {
  const { standings: texts } = locale.t
  if (previous === null) return tag('', texts.isNew)
  const by = previous - place
  if (by === 0) return html`<span class="quiet" title=${texts.same}>=</span>`
  const label = locale.say(by > 0 ? texts.up : texts.down, { n: Math.abs(by) })
  return html`<span title=${label}><span aria-hidden="true">${by > 0 ? '▲' : '▼'} ${locale.number(Math.abs(by))}</span><span class="visually-hidden">${label}</span></span>`
}
