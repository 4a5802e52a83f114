// The vote form: open, sending, done, on cooldown or failed.
import { field, hiddenFields, type RefusedForm, refusal } from './fields.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { clockTime, notice } from './parts.ts'
import type { ServerDetail } from './types.ts'

export interface Voting {
  state: 'open' | 'sending' | 'done' | 'cooldown' | 'failed'
  username: string
  gamePlatformId: string
  /** Whether the vote was sent to the game server's owner. */
  wasSent?: boolean
  /** ISO 8601. */
  nextVoteAt?: string
  /** Days in a row with a vote. */
  streak?: number
  /** The effects of the vote so far; undefined: there is none to wait for. */
  progress?: { delivered?: boolean | undefined; rewarded?: boolean | undefined }
  /** The server's place before and after the vote, if it rose. */
  places?: { before: number; after: number }
  reminder?: Reminder
  /** Whether the browser can get push messages. */
  canPush?: boolean
  /** Why the vote failed or must wait. */
  refused?: RefusedForm | undefined
}

export type ReminderChannel = 'push' | 'email'

export interface Reminder {
  /** The channel of the reminder; undefined if its request failed. */
  channel?: ReminderChannel
  /** The id that ends the reminder. */
  id?: string
  refused?: RefusedForm
  isForbidden?: boolean
}

export const OPEN_FORM: Voting = { state: 'open', username: '', gamePlatformId: '' }

export interface VoteFormData {
  server: Pick<ServerDetail, 'id' | 'name'>
  voting: Voting
  needsProof: boolean
  /** Whether the page's script runs, which sets this. */
  isLive?: boolean
  /** Epoch ms: the time that the countdown is based on. */
  now: number
}

export function voteForm(locale: Locale<'vote' | 'forms'>, data: VoteFormData) {
  const { server, voting, needsProof } = data
  const { vote: texts } = locale.t
  const { state, wasSent, refused, nextVoteAt } = voting
  // The live region tells minutes, at least one, because each change of it is read aloud.
  return html`
    <section class="card vote-card" id="vote">
      <h2>${texts.voteFor}<span class="visually-hidden"> ${server.name}</span></h2>
      <div class="vote-status" aria-live="polite" tabindex="-1">
        ${notice('good', state === 'done' && [texts.thanks, wasSent && ` ${texts.wasSent}`])}
        ${notice('warn', state === 'cooldown' && nextVoteAt && locale.say(texts.cooldown, { when: locale.relative(nextVoteAt, Math.min(data.now, Date.parse(nextVoteAt) - 60_000)) }))}
        ${notice('', state === 'sending' && needsProof && texts.proving)}
        ${state === 'failed' && refusal(locale, refused)}
        ${isOver(voting) && progressOf(locale, voting)}
      </div>
      ${isOver(voting) ? waiting(locale, data) : openForm(locale, data)}
    </section>
  `
}

function openForm(locale: Locale<'vote' | 'forms'>, data: VoteFormData) {
  const { voting, needsProof } = data
  const { vote: texts } = locale.t
  const { username, gamePlatformId, refused } = voting
  return html`
      <form class="form" method="post" data-vote>
        ${hiddenFields({ action: 'vote' })}
        ${needsProof && html`<noscript><p class="notice is-warn">${texts.needsScripts}</p></noscript>`}
        ${field({ name: 'username', label: texts.username, value: username, refused, maxlength: 50, autocomplete: 'nickname' })}
        ${field({ name: 'gamePlatformId', label: texts.platformId, value: gamePlatformId, refused, maxlength: 100, autocomplete: 'off', placeholder: '76561198000000000' })}
        <p class="hint">${texts.voteHint}</p>
        ${voteButton(locale, data)}
      </form>
  `
}

/** The effects of the vote, as they happen. */
function progressOf({ t, say }: Locale<'vote'>, { streak = 0, progress = {}, places }: Voting) {
  const { vote: texts } = t
  const lines = [
    progress.delivered && texts.delivered,
    progress.rewarded !== undefined && (progress.rewarded ? texts.rewarded : texts.rewardWaits),
    places && say(texts.placeRose, { ...places }),
    streak > 1 && say(texts.streak, { n: streak }),
  ].filter(Boolean)
  return lines.length > 0 && html`<ul class="lines">${lines.map((line) => html`<li>${line}</li>`)}</ul>`
}

/** Replaces the form until the next vote is possible: the countdown, and reminders. */
function waiting(locale: Locale<'vote' | 'forms'>, { voting, now }: VoteFormData) {
  const { nextVoteAt, canPush, reminder = {} } = voting
  const { vote: texts } = locale.t
  return html`
    <div class="form">
      <button type="submit" class="quiet-button" disabled>${nextVoteAt ? html`<span class="countdown">${countdown(locale, nextVoteAt, now)}</span>` : texts.vote}</button>
      ${
        reminder.channel
          ? html`<p role="status">${texts.reminded} ${reminder.id && html`<button class="quiet-button" type="button" data-remind="not">${texts.remindNot}</button>`}</p>`
          : html`<div class="row">${canPush && html`<button class="quiet-button" type="button" data-remind="push">${texts.remind.push}</button>`}
              <form method="post" data-remind-mail>${hiddenFields({ action: 'remind' })}<button class="quiet-button" type="submit">${texts.remind.email}</button></form></div>`
      }
      ${reminder.isForbidden && notice('warn', texts.remindForbidden)}
      ${refusal(locale, reminder.refused)}
    </div>
  `
}

const isOver = ({ state }: Voting) => state === 'done' || state === 'cooldown'

/**
 * The button is disabled until the page's script runs. Otherwise an early press would post the form, and vote with the
 * id in the cookie, although the script has another id for this visitor.
 */
function voteButton(locale: Locale<'vote'>, { voting, needsProof, isLive = false }: VoteFormData) {
  const { state } = voting
  const { vote } = locale.t.vote
  return html`
    <button type="submit" class="script-button" disabled=${!isLive || state === 'sending'}>${vote}</button>
    ${!needsProof && html`<noscript><button type="submit">${vote}</button></noscript>`}
  `
}

function countdown(locale: Locale<'vote'>, nextVoteAt: string, now: number): string {
  const seconds = Math.max(0, Math.ceil((Date.parse(nextVoteAt) - now) / 1000))
  return locale.say(locale.t.vote.again, { time: clockTime(seconds) })
}
