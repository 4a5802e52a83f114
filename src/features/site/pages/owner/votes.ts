// A server's votes, and the key that reward plugins use to request them.

import { monthBefore } from '../../../../platform/months.ts'
import { withoutUndefined } from '../../../../platform/without-undefined.ts'
import { buttonForm, refusal } from '../../components/fields.ts'
import { confirmButton, shownOnce } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { ago, card, lines, tag } from '../../components/parts.ts'
import { ifAllowed, ifFound } from '../../page.ts'
import { ownerPage } from './page.ts'
import { plugins } from './plugins.ts'

const votersCsv = (id: string, month: string) => `/api/servers/${id}/votes/top.csv?month=${month}`

export const votesPage = ownerPage({
  tab: 'votes',
  query: ['cursor'],
  script: 'buttons.ts',
  async data({ api, params, query, once, origin }) {
    const path = { path: params }
    const [own, { votes, nextCursor }, top] = await Promise.all([
      ifAllowed(api.get('/servers/{id}/vote-key', path)),
      api.get('/servers/{id}/votes', {
        ...path,
        query: { order: 'desc', ...withoutUndefined({ cursor: query.cursor }) },
      }),
      ifFound(api.get('/servers/{id}/votes/top', path)),
    ])
    const voteKey = once?.voteKey as string | undefined
    return { keys: own?.keys, voteKey, votes, nextCursor, top, origin }
  },
  view(locale, data) {
    const { votes: texts, overview } = locale.t.owner
    const { server, keys, voteKey, votes, nextCursor, top, now } = data
    return [
      keys &&
        card(texts.key)`
        <p class="quiet">${texts.keyLead}</p>
        ${refusal(locale, data.refused)}
        ${voteKey && shownOnce(locale, texts.made, voteKey)}
        <ul>${keys.map(({ startsWith, createdAt, lastUsedAt, validUntil }) => html`<li>${validUntil ? locale.say(texts.former, { start: startsWith, date: locale.time(validUntil) }) : locale.say(texts.current, { start: startsWith, date: locale.date(createdAt), used: lastUsedAt ? locale.relative(lastUsedAt, now) : overview.never })}</li>`)}</ul>
        ${
          keys.length > 0
            ? html`<div class="row">
                ${confirmButton({ fields: { action: 'make' }, label: texts.replace, warning: texts.replaceWarning, confirm: texts.replaceConfirm })}
                ${confirmButton({ fields: { action: 'revoke' }, label: texts.revoke, warning: texts.revokeWarning, confirm: texts.revokeConfirm })}
              </div>`
            : buttonForm({ fields: { action: 'make' }, label: texts.make, look: '' })
        }
      `,
      keys && plugins(locale, data),
      card(texts.recent)`
        ${lines(
          votes.map(
            ({ id, username, gamePlatformId, votedAt, claimedAt }) => html`
              <li class="row spread" key=${id}>
                <span dir="auto">${username || gamePlatformId || html`<span class="quiet">${texts.nameless}</span>`}${username && gamePlatformId && html` <span class="hint">${gamePlatformId}</span>`}</span>
                <span>${claimedAt && tag('good', texts.claimed)} <span class="hint">${ago(locale, votedAt, now)}</span></span>
              </li>
            `,
          ),
          texts.none,
        )}
        ${nextCursor && html`<p><a href=${locale.href(ownerPath(server.id, 'votes'), { cursor: nextCursor })}>${texts.more}</a></p>`}
      `,
      top &&
        card(texts.top)`
          ${lines(
            top.voters.map(
              (voter) =>
                html`<li class="row spread"><span dir="auto">${voter.username}</span><span>${locale.say(locale.t.common.votes, { n: voter.votes })}</span></li>`,
            ),
            texts.noVoters,
          )}
          <p>${texts.csv} ${[top.month, monthBefore(top.month)].map((month, n) => html`${n > 0 && ' · '}<a href=${votersCsv(server.id, month)} download=${`voters-${month}.csv`}>${locale.month(month)}</a>`)}</p>
          <p class="hint">${texts.csvHint}</p>
        `,
    ]
  },
  async post({ api, form, params, locale }) {
    if (form.action === 'make') {
      const { voteKey } = await api.post('/servers/{id}/vote-key', { path: params })
      return { voteKey }
    }
    await api.delete('/servers/{id}/vote-key', { path: params })
    return locale.href(ownerPath(params.id, 'votes'))
  },
})
