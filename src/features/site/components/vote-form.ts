// The form that votes: open, running, done or on cooldown.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { ServerDetail } from './types.ts'

export interface Voting {
  state: 'open' | 'sending' | 'done' | 'cooldown' | 'failed'
  username: string
  gamePlatformId: string
  /** Whether the vote was sent to the game server's owner. */
  wasSent?: boolean
  /** ISO 8601. */
  nextVoteAt?: string
  /** Why it failed. */
  message?: string
}

export const OPEN: Voting = { state: 'open', username: '', gamePlatformId: '' }

/** @param now epoch ms: what a countdown is shown from */
export function voteForm(locale: Locale<'server'>, { name }: ServerDetail, voting: Voting, now: number) {
  const { server: texts } = locale.t
  const { state, username, gamePlatformId, wasSent, nextVoteAt, message } = voting
  const isClosed = state === 'done' || state === 'cooldown'
  return html`
    <section class="card vote-card" id="vote">
      <h2>${locale.say(texts.voteFor, { name: '' })}<span class="visually-hidden"> ${name}</span></h2>
      <div role="status" class="vote-status">
        ${state === 'done' && html`<p class="notice is-good">${texts.thanks}${wasSent && html` ${texts.wasSent}`}</p>`}
        ${state === 'cooldown' && html`<p class="notice is-warn">${message ?? texts.cooldown}</p>`}
        ${state === 'failed' && html`<p class="notice is-bad">${message}</p>`}
      </div>
      <form class="form" method="post" data-vote>
        <input type="hidden" name="action" value="vote" />
        <label class="field">${texts.username}<input name="username" value=${username} maxlength="50" autocomplete="nickname" disabled=${isClosed} /></label>
        <label class="field">${texts.platformId}<input name="gamePlatformId" value=${gamePlatformId} maxlength="100" autocomplete="off" placeholder="76561198000000000" disabled=${isClosed} /></label>
        <p class="hint">${texts.voteHint}</p>
        <button type="submit" disabled=${isClosed || state === 'sending'}>
          ${nextVoteAt && isClosed ? html`<span class="countdown">${countdown(locale, nextVoteAt, now)}</span>` : texts.vote}
        </button>
      </form>
    </section>
  `
}

/** `23:59:12`, of fixed width. */
function countdown({ t: { server } }: Locale<'server'>, nextVoteAt: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(nextVoteAt) - now) / 1000))
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  )
  return server.again.replace('{time}', parts.join(':'))
}
