// Commands that run when a player votes.
import { area, buttonForm, choice, form } from '../fields.ts'
import { saved } from '../forms.ts'
import { html } from '../html.ts'
import { pager } from '../lists.ts'
import { ago, card, inEnglish, lines, notice, tag } from '../parts.ts'
import { refusal } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { around, type OfServer, type OwnerLocale, ownerPath } from './frame.ts'

export interface RewardsData extends OfServer {
  settings: Schemas['VoteRewards']
  rewards: Schemas['VoteReward'][]
  pagination: Schemas['Pagination']
  hasRcon: boolean
}

const TONES = {
  waiting: '',
  running: '',
  ran: 'good',
  not_run: 'bad',
  may_have_run: 'warn',
  ran_partly: 'warn',
} as const

export function rewardsView(locale: OwnerLocale, data: RewardsData) {
  const { owner, forms } = locale.t
  const { rewards: texts } = owner
  const { server, settings, rewards, pagination, hasRcon, refused, now } = data
  return around(locale, server, 'rewards', [
    html`
      <section class="card stack">
        <div class="row"><h2>${texts.title}</h2>${settings.isEnabled ? tag('good', texts.on) : tag('', texts.off)}</div>
        <p class="quiet">${texts.lead}</p>
        ${!hasRcon && html`<p class="notice is-warn"><a href=${locale.href(ownerPath(server.id, 'rcon'))}>${texts.setUp}</a></p>`}
        ${notice('bad', settings.stoppedAt && texts.stopped)}
        ${saved(locale, data.saved)} ${refusal(locale, refused)}
        ${form(forms.save, { action: 'set' })`
          ${choice({
            name: 'when',
            label: texts.when,
            value: settings.when ?? 'vote',
            refused,
            options: [
              ['vote', texts.whens.vote],
              ['claim', texts.whens.claim],
            ],
          })}
                    ${area({ name: 'commands', label: texts.commands, hint: texts.commandsHint, value: settings.commands.join('\n'), refused, required: true, class: 'code' })}
        `}
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
  ])
}
