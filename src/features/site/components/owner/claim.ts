// The proof that a server belongs to an account.
import { buttonForm, type RefusedForm } from '../fields.ts'
import { copyBlock } from '../forms.ts'
import { html } from '../html.ts'
import { crumb, inEnglish, notice } from '../parts.ts'
import { refusal } from '../refusal.ts'
import { addressOf } from '../server-parts.ts'
import type { Row, Schemas } from '../types.ts'
import { type OwnerLocale, ownerPath } from './frame.ts'

export interface ClaimData {
  id: string
  /** Undefined if it is not listed and belongs to another user. */
  server: Pick<Row, 'name' | 'ipAddress' | 'gamePort'> | undefined
  isListed: boolean
  claim: Schemas['Claim']
  /** The reply to a check. */
  checked: string | undefined
  isNew: boolean
  problem: boolean
  refused: RefusedForm | undefined
}

export function claimView(locale: OwnerLocale, data: ClaimData) {
  const { id, server, isListed, claim, checked, isNew, problem, refused } = data
  const { claim: texts, add, list, tabs, unlisted } = locale.t.owner
  const { status, verificationToken, expiresAt, takeoverAt } = claim
  return html`
    <div class="area stack">
      <header>${crumb(locale, '/my/servers', list.title)}<h1 dir="auto">${server?.name ?? tabs.label}</h1>${server && html`<p class="hint">${addressOf(server)}</p>`}</header>
      ${isListed ? notice('good', isNew && texts.listed) : notice('warn', unlisted.unverified)}
      ${refusal(locale, refused)} ${notice('bad', problem && add.busy)}
      ${notice('warn', checked && status !== 'verified' && inEnglish(checked))}
      <section class="card stack">
        <h2>${texts.title}</h2>
        ${
          status === 'verified'
            ? html`
              <p class="notice is-good" role="status">${texts.done}</p>
              <p><a class="button" href=${locale.href(ownerPath(id))}>${texts.open}</a></p>
            `
            : status === 'pending' && verificationToken
              ? html`
                <p>${texts.lead}</p>
                ${copyBlock(locale, verificationToken)}
                <p>${locale.say(texts.step, { token: verificationToken })}</p>
                ${expiresAt && html`<p class="hint">${locale.say(texts.expires, { date: locale.date(expiresAt) })}</p>`}
                ${notice('warn', takeoverAt && locale.say(texts.takeover, { date: locale.time(takeoverAt) }))}
                <div class="row">
                  ${buttonForm({ fields: { action: 'verify' }, label: texts.check, look: '', wait: texts.checking })}
                  ${isNew && html`<a href=${locale.href(ownerPath(id))}>${texts.later}</a>`}
                </div>
              `
              : html`
                <p>${texts.lead}</p>
                ${buttonForm({ fields: { action: 'claim' }, label: texts.start, look: '' })}
              `
        }
      </section>
    </div>
  `
}
