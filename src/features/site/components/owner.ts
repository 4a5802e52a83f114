// An owner's servers: the list, adding one, and the parts that every page of a server shares.
import {
  area,
  choice,
  copyBlock,
  field,
  hiddenFields,
  pager,
  type RefusedForm,
  refusal,
  refusedOf,
  tabs,
} from './forms.ts'
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import { addressOf, serverPath } from './server-row.ts'
import type { Schemas, ServerDetail } from './types.ts'

export type OwnerLocale = Locale<'owner' | 'forms'>

const TABS = ['overview', 'edit', 'endpoints', 'votes', 'rewards', 'rcon', 'wipes'] as const
export type OwnerTab = (typeof TABS)[number]

export const ownerPath = (id: string, tab: OwnerTab | 'claim' = 'overview') =>
  tab === 'overview' ? `/my/servers/${id}` : `/my/servers/${id}/${tab}`

/** @param content sections of the tab */
export function around(locale: OwnerLocale, server: ServerDetail, tab: OwnerTab | 'claim', content: Content) {
  const { owner } = locale.t
  return html`
    <div class="area stack">
      <header class="owner-head">
        <p class="crumbs"><a href=${locale.href('/my/servers')}>${owner.list.title}</a></p>
        <div class="row spread">
          <h1 dir="auto">${server.name}</h1>
          <a href=${locale.href(serverPath(server.id))}>${owner.tabs.public}</a>
        </div>
      </header>
      ${tabs(
        locale,
        owner.tabs.label,
        TABS.map((one) => ({ href: ownerPath(server.id, one), name: owner.tabs[one], isHere: one === tab })),
      )}
      ${content}
    </div>
  `
}

export interface OwnedData {
  servers: Schemas['OwnedServer'][]
  pagination: Schemas['Pagination']
}

export function ownedView(locale: OwnerLocale, { servers, pagination }: OwnedData) {
  const { common, owner } = locale.t
  const { list } = owner
  const add = html`<a class="button" href=${locale.href('/my/servers/new')}>${list.add}</a>`
  return html`
    <div class="area stack">
      <div class="row spread"><h1>${list.title}</h1>${servers.length > 0 && add}</div>
      ${
        servers.length > 0
          ? html`
            <ul class="card lines">
              ${servers.map(
                (server) => html`
                  <li class="row spread">
                    <div class="grow">
                      <h2><a href=${locale.href(ownerPath(server.id))} dir="auto">${server.name}</a></h2>
                      <p class="hint">${addressOf(server)}</p>
                    </div>
                    <span class="tag ${server.isOnline ? 'is-good' : 'is-bad'}">${server.isOnline ? common.online : common.offline}</span>
                    <span class="owned-votes"><b>${locale.say(common.votes, { n: server.totalVotes })}</b> <span class="hint">${locale.number(server.monthlyVotes)} ${list.month}, ${locale.number(server.recentVotes)} ${list.today}</span></span>
                  </li>
                `,
              )}
            </ul>
            ${pager(locale, pagination, (page) => locale.href('/my/servers', { page }))}
          `
          : html`<div class="empty"><p>${list.none}</p><p>${list.noneHint}</p><p>${add}</p></div>`
      }
    </div>
  `
}

export interface AddData {
  games: readonly (readonly [id: string, name: string])[]
  /** What was typed. */
  typed: Record<string, string>
  probe: Schemas['ServerProbe'] | undefined
  problem: 'busy' | undefined
  refused: RefusedForm | undefined
}

const PORT = { inputmode: 'numeric', pattern: '[0-9]{1,5}' }

export function addView(locale: OwnerLocale, { games, typed, probe, problem, refused }: AddData) {
  const { add, list } = locale.t.owner
  const ofProbe = refusedOf(refused, 'probe')
  const ofCreate = refusedOf(refused, 'create')
  const given = ofCreate?.form ?? typed
  const address = Object.fromEntries(
    ['game', 'ipAddress', 'gamePort', 'queryPort'].map((name) => [name, given[name] ?? '']),
  )
  return html`
    <div class="area stack">
      <header><p class="crumbs"><a href=${locale.href('/my/servers')}>${list.title}</a></p><h1>${add.title}</h1></header>
      ${problem && html`<p class="notice is-bad" role="alert">${add.busy}</p>`}
      ${refusal(locale, refused)}
      ${probe && probeResult(locale, probe)}
      ${
        (probe || ofCreate) &&
        !probe?.listedId &&
        html`
          <section class="card stack">
            <h2>${add.details}</h2>
            <form method="post" class="form">
              ${hiddenFields({ action: 'create', ...address })}
              ${field({ name: 'name', label: add.name, value: probe?.result.outcome === 'answered' ? probe.result.name : undefined, refused: ofCreate, required: true, minlength: 3, maxlength: 100 })}
              ${area({ name: 'description', label: add.description, refused: ofCreate, maxlength: 2000 })}
              ${field({ name: 'tags', label: add.tags, hint: add.tagsHint, refused: ofCreate })}
              <div><button type="submit">${add.save}</button></div>
            </form>
          </section>
        `
      }
      <section class="card stack">
        <p class="quiet">${add.lead}</p>
        <form method="post" class="form" data-wait=${add.checking}>
          ${hiddenFields({ action: 'probe' })}
          ${choice({ name: 'game', label: add.game, value: given.game, refused: ofProbe, options: games })}
          ${field({ name: 'ipAddress', label: add.address, hint: add.addressHint, value: given.ipAddress, refused: ofProbe ?? ofCreate, required: true, maxlength: 300, autocomplete: 'off', autocapitalize: 'none', spellcheck: false })}
          <div class="pair-fields">
            ${field({ name: 'gamePort', label: add.gamePort, hint: add.gamePortHint, value: given.gamePort, refused: ofProbe ?? ofCreate, required: true, ...PORT })}
            ${field({ name: 'queryPort', label: add.queryPort, hint: add.queryPortHint, value: given.queryPort, refused: ofProbe ?? ofCreate, ...PORT })}
          </div>
          <div><button type="submit" class=${probe ? 'quiet-button' : ''}>${add.check}</button></div>
        </form>
      </section>
    </div>
  `
}

function probeResult(locale: OwnerLocale, probe: Schemas['ServerProbe']): Content {
  const { add } = locale.t.owner
  const { listedId, result } = probe
  return html`
    <section class="notice stack ${result.outcome === 'answered' ? 'is-good' : 'is-warn'}" role="status" id="probe">
      ${
        result.outcome === 'answered'
          ? html`
            <p><b>${add.answered}</b> · <span dir="auto">${result.name}</span></p>
            <p class="hint" dir="auto">${[locale.say(locale.t.common.playersOf, { n: result.players, max: result.maxPlayers }), result.map, result.version, result.queryMs !== null && `${locale.number(result.queryMs)} ms`].filter(Boolean).join(' · ')}</p>
          `
          : html`
            <p><b>${locale.say(add.silent, { address: probe.ipAddress, port: String(probe.queryPort) })}</b></p>
            <p>${add.reasons[result.outcome]}</p>
            ${!listedId && result.outcome !== 'refused' && html`<p>${add.anyway}</p>`}
          `
      }
      ${listedId && html`<p><b>${add.listed}</b> <a href=${locale.href(ownerPath(listedId, 'claim'))}>${add.claimIt}</a></p>`}
    </section>
  `
}

export interface ClaimData {
  server: ServerDetail
  claim: Schemas['Claim']
  /** The reply to a check. */
  checked: string | undefined
  isNew: boolean
  problem: boolean
  refused: RefusedForm | undefined
}

export function claimView(locale: OwnerLocale, { server, claim, checked, isNew, problem, refused }: ClaimData) {
  const { claim: texts, add, list } = locale.t.owner
  const { status, verificationToken, expiresAt, takeoverAt } = claim
  return html`
    <div class="area stack">
      <header><p class="crumbs"><a href=${locale.href('/my/servers')}>${list.title}</a></p><h1 dir="auto">${server.name}</h1><p class="hint">${addressOf(server)}</p></header>
      ${isNew && html`<p class="notice is-good" role="status">${texts.listed}</p>`}
      ${refusal(locale, refused)} ${problem && html`<p class="notice is-bad" role="alert">${add.busy}</p>`}
      ${checked && status !== 'verified' && html`<p class="notice is-warn" role="status">${checked}</p>`}
      <section class="card stack">
        <h2>${texts.title}</h2>
        ${
          status === 'verified'
            ? html`
              <p class="notice is-good" role="status">${texts.done}</p>
              <p><a class="button" href=${locale.href(ownerPath(server.id))}>${texts.open}</a></p>
            `
            : status === 'pending' && verificationToken
              ? html`
                <p>${texts.lead}</p>
                ${copyBlock(locale, verificationToken)}
                <p>${locale.say(texts.step, { token: verificationToken })}</p>
                ${expiresAt && html`<p class="hint">${locale.say(texts.expires, { date: locale.date(expiresAt) })}</p>`}
                ${takeoverAt && html`<p class="notice is-warn">${locale.say(texts.takeover, { date: locale.time(takeoverAt) })}</p>`}
                <div class="row">
                  <form method="post" data-wait=${texts.checking}>${hiddenFields({ action: 'verify' })}<button type="submit">${texts.check}</button></form>
                  ${isNew && html`<a href=${locale.href(ownerPath(server.id))}>${texts.later}</a>`}
                </div>
              `
              : html`
                <p>${texts.lead}</p>
                <form method="post">${hiddenFields({ action: 'claim' })}<button type="submit">${texts.start}</button></form>
              `
        }
      </section>
    </div>
  `
}

export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]
