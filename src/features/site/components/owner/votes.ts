// A server's votes, and the key with which reward plugins ask for them.
import { buttonForm } from '../fields.ts'
import { careful, shownOnce } from '../forms.ts'
import { html } from '../html.ts'
import { ago, card, lines, tag } from '../parts.ts'
import { refusal } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { around, type OfServer, type OwnerLocale, ownerPath } from './frame.ts'
import { plugins } from './plugins.ts'

export interface VotesData extends OfServer {
  keys: Schemas['VoteKey'][]
  /** Just made. */
  voteKey: string | undefined
  votes: Schemas['Vote'][]
  nextCursor: string | null
  /** Undefined if the server is not listed. */
  voters: { username: string; votes: number }[] | undefined
  origin: string
}

export function votesView(locale: OwnerLocale, data: VotesData) {
  const { votes: texts, overview } = locale.t.owner
  const { server, keys, voteKey, votes, nextCursor, voters, now } = data
  return around(locale, server, 'votes', [
    card(texts.key)`
      <p class="quiet">${texts.keyLead}</p>
      ${refusal(locale, data.refused)}
      ${voteKey && shownOnce(locale, texts.made, voteKey)}
      <ul>${keys.map(({ startsWith, createdAt, lastUsedAt, validUntil }) => html`<li>${validUntil ? locale.say(texts.former, { start: startsWith, date: locale.time(validUntil) }) : locale.say(texts.current, { start: startsWith, date: locale.date(createdAt), used: lastUsedAt ? locale.relative(lastUsedAt, now) : overview.never })}</li>`)}</ul>
      ${
        keys.length > 0
          ? html`<div class="row">
              ${careful({ fields: { action: 'make' }, label: texts.replace, warning: texts.replaceWarning, confirm: texts.replaceConfirm })}
              ${careful({ fields: { action: 'revoke' }, label: texts.revoke, warning: texts.revokeWarning, confirm: texts.revokeConfirm })}
            </div>`
          : buttonForm({ fields: { action: 'make' }, label: texts.make, look: '' })
      }
    `,
    plugins(locale, data),
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
    voters &&
      card(texts.top)`
      ${lines(
        voters.map(
          (voter) =>
            html`<li class="row spread"><span dir="auto">${voter.username}</span><span>${locale.say(locale.t.common.votes, { n: voter.votes })}</span></li>`,
        ),
        texts.noVoters,
      )}
    `,
  ])
}
