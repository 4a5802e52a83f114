// Commands that run when a player votes.
import { area, buttonForm, choice, form, refusal } from '../../components/fields.ts'
import { savedNotice } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { pager } from '../../components/lists.ts'
import { mayOn, ownerPath } from '../../components/owner/frame.ts'
import { ago, card, inEnglish, lines, notice, tag } from '../../components/parts.ts'
import { pageOf } from '../../page.ts'
import { ownerPage } from './page.ts'

const TONES = {
  waiting: '',
  running: '',
  ran: 'good',
  not_run: 'bad',
  may_have_run: 'warn',
  ran_partly: 'warn',
} as const

export const rewardsPage = ownerPage({
  tab: 'rewards',
  query: ['page'],
  async data({ api, params, query }) {
    const path = { path: params }
    const [settings, list, rcon] = await Promise.all([
      api.get('/servers/{id}/vote-rewards', path),
      api.get('/servers/{id}/vote-rewards/log', { ...path, query: pageOf(query) }),
      api.get('/servers/{id}/rcon', path),
    ])
    return { settings, ...list, hasRcon: rcon.isConfigured }
  },
  view(locale, data) {
    const { owner, forms } = locale.t
    const { rewards: texts } = owner
    const { server, settings, rewards, pagination, hasRcon, refused, now } = data
    return [
      html`
        <section class="card stack">
          <div class="row"><h2>${texts.title}</h2>${settings.isEnabled ? tag('good', texts.on) : tag('', texts.off)}</div>
          <p class="quiet">${texts.lead}</p>
          ${!hasRcon && mayOn(server, 'rcon') && html`<p class="notice is-warn"><a href=${locale.href(ownerPath(server.id, 'rcon'))}>${texts.setUp}</a></p>`}
          ${notice('bad', settings.stoppedAt && texts.stopped)}
          ${savedNotice(locale, data.saved)} ${refusal(locale, refused)}
          ${
            mayOn(server, 'rcon') &&
            form(forms.save, { action: 'set' })`
            ${choice({ name: 'when', label: texts.when, value: settings.when ?? 'vote', refused, options: Object.entries(texts.whens) })}
            ${area({ name: 'commands', label: texts.commands, hint: texts.commandsHint, value: settings.commands.join('\n'), refused, required: true, class: 'code' })}
          `
          }
          ${settings.isEnabled && buttonForm({ fields: { action: 'remove' }, label: texts.remove, look: 'danger-button' })}
        </section>
      `,
      card(texts.log)`
        ${lines(
          rewards.map(
            ({ voteId, username, gamePlatformId, status, message, commands, answer, createdAt }) => html`
              <li key=${voteId}>
                <div class="row spread"><b dir="auto">${username || gamePlatformId}</b><span>${tag(TONES[status], texts.statuses[status])} <span class="hint">${ago(locale, createdAt, now)}</span></span></div>
                ${message && html`<p class="hint">${inEnglish(message)}</p>`}
                ${commands.length > 0 && html`<pre class="answer" tabindex="0">${commands.join('\n')}</pre>`}
                ${answer && html`<p class="hint">${texts.answer}: <code dir="auto">${answer}</code></p>`}
              </li>
            `,
          ),
          texts.none,
        )}
        ${pager(locale, pagination, (page) => locale.href(ownerPath(server.id, 'rewards'), { page }))}
      `,
    ]
  },
  async post({ api, form, params, locale }) {
    if (form.action === 'remove') await api.delete('/servers/{id}/vote-rewards', { path: params })
    else {
      const commands = (form.commands ?? '').split(/\r?\n/).filter((line) => line.trim() !== '')
      const when = form.when as 'vote' | 'claim'
      await api.put('/servers/{id}/vote-rewards', { path: params, body: { when, commands } })
    }
    return locale.href(ownerPath(params.id, 'rewards'), { saved: form.action })
  },
})
