// The form that votes: open, running, done or on cooldown.
import { field, hiddenFields, type RefusedForm, refusal } from './fields.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { clockTime, inEnglish, notice } from './parts.ts'
import type { ServerDetail } from './types.ts'

export interface Voting {
  state: 'open' | 'sending' | 'done' | 'cooldown' | 'failed'
  username: string
  gamePlatformId: string
  /** Whether the vote was sent to the game server's owner. */
  wasSent?: boolean
  /** ISO 8601. */
  nextVoteAt?: string
  /** Why it failed or must wait. */
  refused?: RefusedForm | undefined
}

export const OPEN_FORM: Voting = { state: 'open', username: '', gamePlatformId: '' }

export interface VoteFormData {
  server: Pick<ServerDetail, 'id' | 'name'>
  voting: Voting
  needsProof: boolean
  /** Whether the page's script runs. Set by it. */
  isLive?: boolean
  /** Epoch ms: what a countdown is shown from. */
  now: number
}

export function voteForm(locale: Locale<'server' | 'forms'>, data: VoteFormData) {
  const { server, voting, needsProof } = data
  const { server: texts } = locale.t
  const { state, username, gamePlatformId, wasSent, refused } = voting
  const isClosed = isOver(voting)
  return html`
    <section class="card vote-card" id="vote">
      <h2>${locale.say(texts.voteFor, { name: '' })}<span class="visually-hidden"> ${server.name}</span></h2>
      <div class="vote-status" aria-live="polite">
        ${notice('good', state === 'done' && [texts.thanks, wasSent && ` ${texts.wasSent}`])}
        ${notice('warn', state === 'cooldown' && (refused ? inEnglish(refused.message) : texts.cooldown))}
        ${notice('', state === 'sending' && needsProof && texts.proving)}
        ${state === 'failed' && refusal(locale, refused)}
      </div>
      <form class="form" method="post" data-vote>
        ${hiddenFields({ action: 'vote' })}
        ${needsProof && html`<noscript><p class="notice is-warn">${texts.needsScripts}</p></noscript>`}
        ${field({ name: 'username', label: texts.username, value: username, refused, maxlength: 50, autocomplete: 'nickname', disabled: isClosed })}
        ${field({ name: 'gamePlatformId', label: texts.platformId, value: gamePlatformId, refused, maxlength: 100, autocomplete: 'off', placeholder: '76561198000000000', disabled: isClosed })}
        <p class="hint">${texts.voteHint}</p>
        ${voteButton(locale, data)}
      </form>
    </section>
  `
}

const isOver = ({ state }: Voting) => state === 'done' || state === 'cooldown'

/**
 * Waits for the page's script where scripts run: pressed earlier, the form would be posted, and vote by the id in the cookie,
 * although the script has another id for this visitor.
 */
function voteButton(locale: Locale<'server'>, { voting, needsProof, isLive = false, now }: VoteFormData) {
  const { state, nextVoteAt } = voting
  const { vote } = locale.t.server
  if (isOver(voting))
    return html`<button type="submit" disabled>${nextVoteAt ? html`<span class="countdown">${countdown(locale, nextVoteAt, now)}</span>` : vote}</button>`
  return html`
    <button type="submit" class="script-button" disabled=${!isLive || state === 'sending'}>${vote}</button>
    ${!needsProof && html`<noscript><button type="submit">${vote}</button></noscript>`}
  `
}

function countdown(locale: Locale<'server'>, nextVoteAt: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(nextVoteAt) - now) / 1000))
  return locale.say(locale.t.server.again, { time: clockTime(seconds) })
}
