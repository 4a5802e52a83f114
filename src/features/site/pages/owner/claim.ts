// The proof that a server belongs to an account.
import type { Client } from '../../components/client.ts'
import { buttonForm, refusal } from '../../components/fields.ts'
import { copyBlock } from '../../components/forms.ts'
import { html } from '../../components/html.ts'
import { ownerPath } from '../../components/owner/frame.ts'
import { breadcrumb, notice } from '../../components/parts.ts'
import { fallbackOn, ifFound, orBusy, page } from '../../page.ts'
import { OWNER } from './page.ts'

/** The server as its owner reads it, or else its public detail, if it is listed. */
async function claimedServer(api: Client, path: { id: string }) {
  const own = await fallbackOn(403, undefined, api.get('/servers/{id}/listing', { path }))
  const server = own ?? (await ifFound(api.get('/servers/{id}', { path })))
  const isOfTeam = own?.role === 'manager' || own?.role === 'viewer'
  return { server, isOfTeam, isListed: own ? own.visibility === 'listed' : server !== undefined }
}

export const claimPage = page({
  ...OWNER,
  path: '/my/servers/{id}/claim',
  script: 'buttons.ts',
  query: ['new'],
  async data({ api, params, query, refused, once }) {
    const [listing, claim] = await Promise.all([
      claimedServer(api, params),
      api.get('/servers/{id}/claim', { path: params }),
    ])
    return {
      id: params.id,
      ...listing,
      claim,
      isChecked: once?.isChecked === true,
      problem: once?.problem === 'busy',
      isNew: query.new === 'true',
      refused,
    }
  },
  head: (locale) => ({ title: locale.t.owner.claim.title, noindex: true }),
  view(locale, { id, server, isOfTeam, isListed, claim, isChecked, isNew, problem, refused }) {
    const { claim: texts, list, tabs, unlisted } = locale.t.owner
    const { status, verificationToken, expiresAt, takeoverAt, lastCheck } = claim
    const seen = lastCheck && lastCheck !== 'token_found' && texts.checks[lastCheck]
    return html`
      <div class="area stack">
        <header>${breadcrumb(locale, '/my/servers', list.title)}<h1 dir="auto">${server?.name ?? tabs.label}</h1>${server && html`<p class="hint">${server.connectAddress}</p>`}</header>
        ${isListed ? notice('good', isNew && texts.listed) : notice('warn', unlisted.unverified)}
        ${notice('good', isOfTeam && html`${texts.inTeam} <a href=${locale.href(ownerPath(id))}>${texts.open}</a>`)}
        ${refusal(locale, refused)} ${notice('bad', problem && texts.busy)}
        ${notice('warn', isChecked && seen)}
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
                  <p>${locale.say(texts.step, { token: verificationToken })} ${server && texts.where[server.game]}</p>
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
  },
  async post({ api, form, params, query, locale }) {
    const here = locale.href(ownerPath(params.id, 'claim'), { new: query.new })
    if (form.action === 'claim') {
      await api.post('/servers/{id}/claim', { path: params })
      return here
    }
    const result = await orBusy(api.post('/servers/{id}/claim/verify', { path: params }))
    if (result === 'busy') return { problem: 'busy' }
    return result.status === 'verified' ? here : { isChecked: true }
  },
})
