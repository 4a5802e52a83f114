// A server's state and players, and about what its owner is notified.
import { form } from '../fields.ts'
import { checks, saved } from '../forms.ts'
import { html } from '../html.ts'
import { ago, card, onlineTag, pairs, tag } from '../parts.ts'
import { playerChart, type Range } from '../player-chart.ts'
import { refusal } from '../refusal.ts'
import { addressOf, playersBar } from '../server-parts.ts'
import { around, isListed, type OfServer, type OwnerLocale, ownerPath, proveLink } from './frame.ts'

export interface OverviewData extends OfServer {
  range: Range
  /** What its owner is notified about; undefined if nothing can be chosen, since the server is not listed. */
  subscribed: readonly string[] | undefined
  /** Undefined if it is not listed. */
  rank: number | undefined
}

export function overviewView(locale: OwnerLocale, data: OverviewData) {
  const { owner, forms } = locale.t
  const { overview: texts } = owner
  const { server, subscribed, rank, now } = data
  return around(locale, server, 'overview', [
    html`
      <section class="card stack">
        <div class="overview">
          <div class="players-cell">${playersBar(locale, server)}</div>
          ${pairs([
            [
              texts.state,
              html`${onlineTag(locale, server)} <span class="hint">${texts.polled}: ${server.lastPolledAt ? ago(locale, server.lastPolledAt, now) : texts.never}</span>`,
            ],
            [texts.address, addressOf(server)],
            [texts.uptime, server.uptime.month === null ? '–' : locale.percent(server.uptime.month)],
            [texts.votes, locale.say(texts.votesOf, { month: server.monthlyVotes, total: server.totalVotes })],
            rank !== undefined && [texts.rank, `#${locale.number(rank)}`],
            [
              texts.ownership,
              server.isVerified ? tag('good', texts.proven) : html`${texts.notProven} ${proveLink(locale, server)}`,
            ],
          ])}
        </div>
      </section>
    `,
    isListed(server) && playerChart(locale, data, ownerPath(server.id)),
    subscribed &&
      card(texts.tell)`
      ${saved(locale, data.saved)} ${refusal(locale, data.refused)}
      ${form(forms.save, {})`
        ${checks({
          name: 'events',
          label: texts.tell,
          isHeaded: true,
          refused: data.refused,
          chosen: subscribed,
          options: Object.entries(texts.events),
        })}
        <p class="hint">${texts.tellHint}</p>
      `}
    `,
  ])
}
