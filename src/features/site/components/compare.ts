// Servers side by side.
import { hiddenFields } from './fields.ts'
import { type Content, html } from './html.ts'
import { languageField } from './lists.ts'
import type { Locale } from './locale.ts'
import { chartImage } from './player-chart.ts'
import { copyButton, playersBar, serverPath } from './server-parts.ts'
import type { Followed, Schemas, ServerDetail } from './types.ts'

export const MAX_COMPARED = 5

export interface CompareData extends Followed {
  servers: ServerDetail[]
  /** The text of the search for another server. */
  find: string
  found: Schemas['Suggestion'][]
  /** Highest player count of the last 24 hours by id; the script reads it. */
  peaks?: Record<string, number | null>
}

export function compareView(locale: Locale<'compare' | 'server'>, { servers, find, found, peaks }: CompareData) {
  const { compare, server: texts } = locale.t
  const ids = servers.map(({ id }) => id)
  const hrefOf = (wanted: readonly string[]) => locale.href('/compare', { ids: wanted.join(',') })
  // The roles are explicit, because a narrow page displays the table as blocks.
  const line = (name: string, cell: (server: ServerDetail) => Content) =>
    html`<tr role="row"><th scope="row" role="rowheader">${name}</th>${servers.map((server) => html`<td key=${server.id} role="cell">${cell(server)}</td>`)}</tr>`
  return html`
    <div class="stack">
      <h1>${compare.title}</h1>
      <p class="quiet">${compare.about}</p>
      ${servers.length < MAX_COMPARED ? finder(locale, ids, find, found) : html`<p>${compare.full}</p>`}
      ${
        servers.length === 0
          ? html`<div class="empty"><p>${compare.none}</p></div>`
          : html`
            <div class="card table-wrap" tabindex="0" role="group" aria-label=${compare.title}>
              <table class=${`compare of-${servers.length}`} role="table">
                <thead role="rowgroup">
                  <tr role="row">
                    <td role="cell"><span class="visually-hidden">${compare.property}</span></td>
                    ${servers.map(
                      ({ id, name }) => html`
                        <th scope="col" role="columnheader" key=${id}><a href=${locale.href(serverPath({ id, name }))} dir="auto">${name}</a>
                        <a class="remove" href=${hrefOf(ids.filter((one) => one !== id))} aria-label=${`${compare.remove}: ${name}`}>×</a></th>
                      `,
                    )}
                  </tr>
                </thead>
                <tbody role="rowgroup">
                  ${line(texts.game, (server) => server.gameName)}
                  ${line(compare.players, (server) => playersBar(locale, server))}
                  ${line(compare.peak, ({ id }) => locale.number(peaks?.[id] ?? null))}
                  ${line(texts.rank, ({ rank }) => `#${locale.number(rank)}`)}
                  ${line(compare.votes, ({ totalVotes }) => locale.number(totalVotes))}
                  ${line(texts.votesMonth, ({ monthlyVotes }) => locale.number(monthlyVotes))}
                  ${line(texts.uptime, ({ uptime }) => locale.percent(uptime.month))}
                  ${line(texts.rates, ({ rates }) => html`<span dir="auto">${rates.replaceAll(',', ', ') || '–'}</span>`)}
                  ${line(texts.region, ({ region }) => html`<span dir="auto">${locale.region(region) || '–'}</span>`)}
                  ${line(texts.version, ({ version }) => html`<span dir="auto">${version || '–'}</span>`)}
                  ${line(texts.lastWipe, ({ lastWipeAt }) => (lastWipeAt ? locale.date(lastWipeAt) : '–'))}
                  ${line(compare.address, (server) => copyButton(locale, server.connectAddress, server.id))}
                  ${line(compare.chart, (server) => chartImage(locale, server, '7d', { width: 304, height: 114, loading: 'lazy' }))}
                </tbody>
              </table>
            </div>
          `
      }
    </div>
  `
}

function finder(locale: Locale<'compare'>, ids: readonly string[], find: string, found: CompareData['found']) {
  const { compare } = locale.t
  return html`
    <form class="search" action="/compare" method="get" role="search">
      ${hiddenFields({ ids: ids.join(',') })} ${languageField(locale)}
      <label class="visually-hidden" for="find">${compare.add}</label>
      <input id="find" name="find" type="search" defaultValue=${find} placeholder=${compare.addHint} maxlength="100" />
      <button type="submit">${compare.find}</button>
    </form>
    ${
      find &&
      html`<ul class="chips" aria-label=${compare.found}>
        ${found.length === 0 && html`<li>${compare.nothing}</li>`}
        ${found
          .filter(({ id }) => !ids.includes(id))
          .map(
            ({ id, name }) =>
              html`<li><a class="chip" href=${locale.href('/compare', { ids: [...ids, id].join(',') })} dir="auto">+ ${name}</a></li>`,
          )}
      </ul>`
    }
  `
}
