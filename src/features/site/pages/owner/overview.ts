// A server's state and players, and the events that its owner is notified of.
import { form, refusal } from '../../components/fields.ts'
import { checkboxes, savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { activityCard, daysOf } from '../../components/owner/activity.ts'
import { isListed, ownerPath, proveLink } from '../../components/owner/frame.ts'
import { ago, card, factList, onlineTag, tag } from '../../components/parts.ts'
import { playerChart, rangeOf } from '../../components/player-chart.ts'
import { playersBar } from '../../components/server-parts.ts'
import type { Schemas } from '../../components/types.ts'
import { listOf } from '../../form.ts'
import { ifFound } from '../../page.ts'
import { ownerPage } from './page.ts'

export const serverOverviewPage = ownerPage({
  tab: 'overview',
  query: ['range', 'days'],
  async data({ api, params, query }) {
    const [subscription, listed, activity] = await Promise.all([
      ifFound(api.get('/servers/{id}/notifications', { path: params })),
      ifFound(api.get('/servers/{id}', { path: params })),
      api.get('/servers/{id}/activity', { path: params, query: { days: daysOf(query.days) } }),
    ])
    return { query, activity, range: rangeOf(query.range), subscribed: subscription?.events, rank: listed?.rank }
  },
  view(locale, data) {
    const { owner, forms } = locale.t
    const { overview: texts } = owner
    const { server, query, subscribed, rank, now } = data
    return [
      html`
        <section class="card stack">
          <div class="overview">
            <div class="players-cell">${playersBar(locale, server)}</div>
            ${factList([
              [
                texts.state,
                html`${onlineTag(locale, server)} <span class="hint">${texts.polled}: ${server.lastPolledAt ? ago(locale, server.lastPolledAt, now) : texts.never}</span>`,
              ],
              [texts.address, server.connectAddress],
              [texts.uptime, locale.percent(server.uptime.month)],
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
      isListed(server) && playerChart(locale, data, ownerPath(server.id), { days: query.days }),
      activityCard(locale, server.id, data.activity, query.range),
      subscribed &&
        card(texts.tell)`
          ${savedNotice(locale, data.saved)} ${refusal(locale, data.refused)}
          ${form(forms.save)`
            ${checkboxes({
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
    ]
  },
  async post({ api, form, params, query: { range, days }, locale }) {
    const events = listOf(form.events) as Schemas['ServerSubscription']['events']
    if (events.length > 0) await api.put('/servers/{id}/notifications', { path: params, body: { events } })
    else await api.delete('/servers/{id}/notifications', { path: params })
    return locale.href(ownerPath(params.id), { range, days, saved: 'events' })
  },
})
