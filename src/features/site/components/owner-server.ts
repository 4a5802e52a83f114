// The pages of an owner's server: overview, listing, votes, rewards, console, wipes.
import {
  area,
  buttonForm,
  careful,
  checks,
  choice,
  copyBlock,
  field,
  hiddenFields,
  pager,
  type RefusedForm,
  refusal,
  refusedOf,
  saved,
} from './forms.ts'
import { type Content, html } from './html.ts'
import { around, type OwnerLocale, ownerPath, RANGES, type Range } from './owner.ts'
import { addressOf, playersBar } from './server-row.ts'
import type { Schemas, ServerDetail } from './types.ts'

interface OfServer {
  server: ServerDetail
  refused: RefusedForm | undefined
  saved?: string | undefined
  now: number
}

const EVENTS = ['serverOffline', 'serverOnline', 'serverWiped', 'voteMilestone'] as const

export interface OverviewData extends OfServer {
  range: Range
  subscribed: readonly string[]
}

export function overviewView(locale: OwnerLocale, data: OverviewData) {
  const { owner, common, forms } = locale.t
  const { overview: texts } = owner
  const { server, range, now } = data
  return around(locale, server, 'overview', [
    html`
      <section class="card stack">
        <div class="overview">
          <div class="players-cell">${playersBar(locale, server)}</div>
          <dl class="values">
            <dt>${texts.state}</dt><dd><span class="tag ${server.isOnline ? 'is-good' : 'is-bad'}">${server.isOnline ? common.online : common.offline}</span> <span class="hint">${texts.polled}: ${server.lastPolledAt ? locale.relative(server.lastPolledAt, now) : texts.never}</span></dd>
            <dt>${texts.address}</dt><dd>${addressOf(server)}</dd>
            <dt>${texts.uptime}</dt><dd>${server.uptime.month === null ? '–' : locale.percent(server.uptime.month)}</dd>
            <dt>${texts.votes}</dt><dd>${locale.say(texts.votesOf, { month: server.monthlyVotes, total: server.totalVotes })}</dd>
            <dt>${texts.rank}</dt><dd>#${locale.number(server.rank)}</dd>
            <dt>${texts.ownership}</dt><dd>${server.isVerified ? html`<span class="tag is-good">${texts.proven}</span>` : html`${texts.notProven} <a href=${locale.href(ownerPath(server.id, 'claim'))}>${texts.prove}</a>`}</dd>
          </dl>
        </div>
      </section>
    `,
    html`
      <section class="card stack">
        <div class="row spread">
          <h2>${texts.players}</h2>
          <nav class="sorts" aria-label=${texts.range}>
            ${RANGES.map((one) => html`<a href=${locale.href(ownerPath(server.id), { range: one === '24h' ? undefined : one })} aria-current=${one === range ? 'true' : null}>${texts.ranges[one]}</a>`)}
          </nav>
        </div>
        <div class="chart"><img src=${`/api/servers/${server.id}/chart.svg?range=${range}`} width="760" height="284" alt=${locale.say(texts.chartOf, { range: texts.ranges[range] })} /></div>
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.tell}</h2>
        ${saved(locale, data.saved)} ${refusal(locale, data.refused)}
        <form method="post" class="form">
          ${checks({
            name: 'events',
            label: texts.tell,
            isHeaded: true,
            refused: data.refused,
            chosen: data.subscribed,
            options: EVENTS.map((event) => [event, texts.events[event]] as const),
          })}
          <p class="hint">${texts.tellHint}</p>
          <div><button type="submit">${forms.save}</button></div>
        </form>
      </section>
    `,
  ])
}

export interface EditData extends OfServer {
  games: readonly (readonly [id: string, name: string])[]
}

const PORT = { inputmode: 'numeric', pattern: '[0-9]{1,5}', required: true }
const ADDRESS = { type: 'url', maxlength: 2000 }

export function editView(locale: OwnerLocale, data: EditData) {
  const { owner, forms } = locale.t
  const { edit: texts, add, claim } = owner
  const { server, refused, games } = data
  const modes = ['PvP', 'PvE', 'PvPvE'].map((mode) => [mode, mode] as const)
  const region = server.isRegionDerived ? '' : server.region
  return around(locale, server, 'edit', [
    html`
      <section class="card stack">
        <h2>${texts.title}</h2>
        ${saved(locale, data.saved)} ${refusal(locale, refused)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'edit' })}
          ${field({ name: 'name', label: add.name, value: server.name, refused, required: true, minlength: 3, maxlength: 100 })}
          ${area({ name: 'description', label: add.description, value: server.description, refused, maxlength: 2000 })}
          ${choice({ name: 'game', label: add.game, value: server.game, refused, options: games })}
          ${field({ name: 'ipAddress', label: add.address, hint: texts.moved, value: server.ipAddress, refused, required: true, maxlength: 300 })}
          <div class="pair-fields">
            ${field({ name: 'gamePort', label: add.gamePort, value: server.gamePort, refused, ...PORT })}
            ${field({ name: 'queryPort', label: add.queryPort, value: server.queryPort, refused, ...PORT })}
          </div>
          <div class="pair-fields">
            ${choice({ name: 'gameMode', label: texts.gameMode, value: server.gameMode, refused, options: [['', texts.noMode], ...modes] })}
            ${field({ name: 'region', label: texts.region, hint: texts.regionHint, value: region, refused, maxlength: 50 })}
          </div>
          ${field({ name: 'tags', label: add.tags, hint: add.tagsHint, value: server.tags, refused })}
          ${field({ name: 'rates', label: texts.rates, hint: texts.ratesHint, value: server.rates, refused })}
          ${field({ name: 'mods', label: texts.mods, hint: texts.modsHint, value: server.mods, refused, maxlength: 2000 })}
          ${field({ name: 'website', label: texts.website, value: server.website, refused, ...ADDRESS })}
          ${field({ name: 'chatUrl', label: texts.chatUrl, hint: texts.chatHint, value: server.chatUrl, refused, ...ADDRESS })}
          ${field({ name: 'bannerUrl', label: texts.bannerUrl, value: server.bannerUrl, refused, ...ADDRESS })}
          <div><button type="submit">${forms.save}</button></div>
        </form>
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${owner.overview.ownership}</h2>
        <div class="row">
          ${!server.isVerified && html`<a class="button" href=${locale.href(ownerPath(server.id, 'claim'))}>${owner.overview.prove}</a>`}
          ${careful({ fields: { action: 'stop' }, label: claim.stop, warning: claim.stopHint, confirm: claim.stop })}
          ${careful({ fields: { action: 'remove' }, label: texts.remove, warning: texts.removeWarning, confirm: texts.removeConfirm })}
        </div>
      </section>
    `,
  ])
}

export interface VotesData extends OfServer {
  keys: Schemas['VoteKey'][]
  /** Just made. */
  voteKey: string | undefined
  votes: Schemas['Vote'][]
  nextCursor: string | null
  voters: { username: string; votes: number }[]
  origin: string
}

export function votesView(locale: OwnerLocale, data: VotesData) {
  const { votes: texts, overview } = locale.t.owner
  const { server, keys, voteKey, votes, nextCursor, voters, now } = data
  return around(locale, server, 'votes', [
    html`
      <section class="card stack">
        <h2>${texts.key}</h2>
        <p class="quiet">${texts.keyLead}</p>
        ${refusal(locale, data.refused)}
        ${voteKey && html`<div class="notice is-good stack" role="status"><p><b>${texts.made}</b></p>${copyBlock(locale, voteKey)}</div>`}
        <ul>${keys.map(({ startsWith, createdAt, lastUsedAt, validUntil }) => html`<li>${validUntil ? locale.say(texts.former, { start: startsWith, date: locale.time(validUntil) }) : locale.say(texts.current, { start: startsWith, date: locale.date(createdAt), used: lastUsedAt ? locale.relative(lastUsedAt, now) : overview.never })}</li>`)}</ul>
        ${
          keys.length > 0
            ? html`<div class="row">
                ${careful({ fields: { action: 'make' }, label: texts.replace, warning: texts.replaceWarning, confirm: texts.replaceConfirm })}
                ${careful({ fields: { action: 'revoke' }, label: texts.revoke, warning: texts.revokeWarning, confirm: texts.revokeConfirm })}
              </div>`
            : buttonForm({ fields: { action: 'make' }, label: texts.make, look: '' })
        }
      </section>
    `,
    blocks(locale, data),
    html`
      <section class="card stack">
        <h2>${texts.recent}</h2>
        ${
          votes.length > 0
            ? html`
              <ul class="lines">
                ${votes.map(
                  ({ id, username, gamePlatformId, votedAt, claimedAt }) => html`
                    <li class="row spread" key=${id}>
                      <span dir="auto">${username || gamePlatformId || html`<span class="quiet">${texts.nameless}</span>`}${username && gamePlatformId && html` <span class="hint">${gamePlatformId}</span>`}</span>
                      <span>${claimedAt && html`<span class="tag is-good">${texts.claimed}</span> `}<time class="hint" datetime=${votedAt} title=${locale.time(votedAt)}>${locale.relative(votedAt, now)}</time></span>
                    </li>
                  `,
                )}
              </ul>
              ${nextCursor && html`<p><a href=${locale.href(ownerPath(server.id, 'votes'), { cursor: nextCursor })}>${texts.more}</a></p>`}
            `
            : html`<p class="quiet">${texts.none}</p>`
        }
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.top}</h2>
        ${
          voters.length > 0
            ? html`<ol class="lines">${voters.map((voter) => html`<li class="row spread"><span dir="auto">${voter.username}</span><span>${locale.say(locale.t.common.votes, { n: voter.votes })}</span></li>`)}</ol>`
            : html`<p class="quiet">${texts.noVoters}</p>`
        }
      </section>
    `,
  ])
}

/** What docs/VOTES.md says to enter, filled in. */
function blocks(locale: OwnerLocale, { server, voteKey, origin }: VotesData) {
  const { votes: texts } = locale.t.owner
  const key = voteKey ?? 'vk_…'
  const api = `${origin}/api/plugins/votes`
  const link = `${origin}/servers/${server.id}`
  const lists = (player: string) =>
    [
      `${api}?object=votes&element=claim&key=${key}&${player}`,
      `${api}?action=post&object=votes&element=claim&key=${key}&${player}`,
    ].join('\n')
  const block = (name: string, text: string, games: RegExp) => html`
    <details open=${games.test(server.game)}>
      <summary>${name}</summary>
      ${copyBlock(locale, text)}
    </details>
  `
  return html`
    <section class="card stack blocks">
      <h2>${texts.blocks}</h2>
      ${!voteKey && html`<p class="quiet">${texts.placeholder}</p>`}
      <p class="hint">${texts.link}</p>
      ${copyBlock(locale, link)}
      ${block(
        texts.easyVote,
        `"${locale.t.common.product}": {
  "API Claim Reward (GET URL)": "${api}?action=claim&key={0}&steamid={1}",
  "API Vote status (GET URL)": "${api}?action=status&key={0}&steamid={1}",
  "Vote link (URL)": "${origin}/servers/{0}",
  "Site Uses Username Instead of Player Steam ID?": "false"
}`,
        /^rust$/,
      )}
      ${block(
        texts.easyVoteServer,
        `"ServerName1": {
  "${locale.t.common.product}": "${server.id}:${key}"
}`,
        /^rust$/,
      )}
      ${block(texts.lists, lists('username={player}'), /minecraft/)}
      ${block(texts.steam, lists('steamid={steamid}'), /^(ark|asa|ase|unturned|spaceengineers)/)}
      ${block(
        texts.fivem,
        `local endpoints = {
    ["vote"] = "${origin}/servers/%s",
    ["status"] = "${api}?action=status&key=%s&"..Config.identifier.."=%s&customid=%s",
    ["claim"] = "${api}?action=claim&key=%s&"..Config.identifier.."=%s&customid=%s"
}`,
        /fivem|gta5f/,
      )}
      ${block(
        texts.fivemConfig,
        `Config.trackyServerId = "${server.id}"
Config.trackyServerKey = "${key}"
Config.identifier = "steamid"`,
        /fivem|gta5f/,
      )}
      <p>${texts.votifier} <a href=${locale.href(ownerPath(server.id, 'endpoints'))}>${texts.votifierLink}</a></p>
    </section>
  `
}

export interface RewardsData extends OfServer {
  settings: Schemas['VoteRewards']
  rewards: Schemas['VoteReward'][]
  pagination: Schemas['Pagination']
  hasRcon: boolean
}

export function rewardsView(locale: OwnerLocale, data: RewardsData) {
  const { owner, forms } = locale.t
  const { rewards: texts } = owner
  const { server, settings, rewards, pagination, hasRcon, refused, now } = data
  const looks: Record<string, string> = {
    ran: 'is-good',
    not_run: 'is-bad',
    may_have_run: 'is-warn',
    ran_partly: 'is-warn',
  }
  return around(locale, server, 'rewards', [
    html`
      <section class="card stack">
        <div class="row"><h2>${texts.title}</h2><span class="tag ${settings.isEnabled ? 'is-good' : ''}">${settings.isEnabled ? texts.on : texts.off}</span></div>
        <p class="quiet">${texts.lead}</p>
        ${!hasRcon && html`<p class="notice is-warn"><a href=${locale.href(ownerPath(server.id, 'rcon'))}>${texts.setUp}</a></p>`}
        ${settings.stoppedAt && html`<p class="notice is-bad">${texts.stopped}</p>`}
        ${saved(locale, data.saved)} ${refusal(locale, refused)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'set' })}
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
          <div><button type="submit">${forms.save}</button></div>
        </form>
        ${settings.isEnabled && buttonForm({ fields: { action: 'remove' }, label: texts.remove, look: 'danger-button' })}
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.log}</h2>
        ${
          rewards.length > 0
            ? html`
              <ul class="lines">
                ${rewards.map(
                  ({ voteId, username, gamePlatformId, status, message, commands, answer, createdAt }) => html`
                    <li key=${voteId}>
                      <div class="row spread"><b dir="auto">${username || gamePlatformId}</b><span><span class="tag ${looks[status] ?? ''}">${texts.statuses[status]}</span> <time class="hint" datetime=${createdAt}>${locale.relative(createdAt, now)}</time></span></div>
                      ${message && html`<p class="hint">${message}</p>`}
                      ${commands.length > 0 && html`<pre class="answer" tabindex="0">${commands.join('\n')}</pre>`}
                      ${answer && html`<p class="hint">${texts.answer}: <code dir="auto">${answer}</code></p>`}
                    </li>
                  `,
                )}
              </ul>
            `
            : html`<p class="quiet">${texts.none}</p>`
        }
        ${pager(locale, pagination, (page) => locale.href(ownerPath(server.id, 'rewards'), { page }))}
      </section>
    `,
  ])
}

export interface RconData extends OfServer {
  rcon: Schemas['Rcon']
  /** Commands of this visit with their answers, oldest first. */
  transcript: readonly { command: string; response?: string; problem?: string }[]
  isSending?: boolean
}

export function rconView(locale: OwnerLocale, data: RconData) {
  const { owner, forms } = locale.t
  const { rcon: texts } = owner
  const { server, rcon, transcript, refused } = data
  const ofAccess = refusedOf(refused, 'configure')
  return around(locale, server, 'rcon', [
    rcon.isConfigured &&
      html`
        <section class="card stack">
          <h2>${texts.title}</h2>
          <p class="quiet">${texts.lead}</p>
          <div class="transcript" role="log" aria-live="polite" tabindex="0">
            ${transcript.map(({ command, response, problem }) => html`<p class="prompt">› ${command}</p>${problem ? html`<p class="problem">${problem}</p>` : response === undefined ? html`<p class="quiet">${texts.sending}</p>` : html`<pre dir="auto">${response || texts.empty}</pre>`}`)}
          </div>
          ${refusal(locale, refusedOf(refused, 'send'))}
          <form method="post" class="console" data-console data-wait=${texts.sending}>
            ${hiddenFields({ action: 'send' })}
            <label class="visually-hidden" for="command">${texts.command}</label>
            <input id="command" name="command" type="text" maxlength="1000" required autocomplete="off" autocapitalize="none" spellcheck=${false} placeholder=${texts.command} />
            <button type="submit" disabled=${data.isSending ?? false}>${texts.send}</button>
          </form>
        </section>
      `,
    html`
      <section class="card stack">
        <h2>${texts.access}</h2>
        ${!rcon.isConfigured && html`<p class="quiet">${texts.lead}</p>`}
        ${rcon.isConfigured && rcon.updatedAt && html`<p>${locale.say(texts.set, { port: String(rcon.port), date: locale.date(rcon.updatedAt) })}</p>`}
        ${saved(locale, data.saved)} ${refusal(locale, ofAccess)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'configure' })}
          ${field({ name: 'port', label: texts.port, value: rcon.port, refused: ofAccess, ...PORT })}
          ${field({ name: 'password', label: texts.password, hint: texts.passwordHint, type: 'password', refused: ofAccess, required: true, maxlength: 128, autocomplete: 'off' })}
          <div><button type="submit">${forms.save}</button></div>
        </form>
        ${rcon.isConfigured && buttonForm({ fields: { action: 'remove' }, label: texts.remove, look: 'danger-button' })}
      </section>
    `,
  ])
}

export interface WipesData extends OfServer {
  wipes: Schemas['Wipe'][]
  pagination: Schemas['Pagination']
}

export function wipesView(locale: OwnerLocale, data: WipesData) {
  const { wipes: texts } = locale.t.owner
  const { server, wipes, pagination, refused } = data
  const kinds = (['full', 'map', 'partial'] as const).map((kind) => [kind, texts.kinds[kind]] as const)
  const list: Content =
    wipes.length > 0
      ? html`
        <ul class="lines">
          ${wipes.map(
            ({ id, wipedAt, kind, note, source }) => html`
              <li class="row spread">
                <div class="grow"><b>${locale.time(wipedAt)}</b> · ${texts.kinds[kind]} <span class="hint">${texts.sources[source]}</span>${note && html`<p dir="auto">${note}</p>`}</div>
                ${buttonForm({ fields: { action: 'remove', id }, label: html`${texts.remove}<span class="visually-hidden"> ${locale.time(wipedAt)}</span>` })}
              </li>
            `,
          )}
        </ul>
      `
      : html`<p class="quiet">${texts.none}</p>`
  return around(locale, server, 'wipes', [
    html`
      <section class="card stack">
        <h2>${texts.title}</h2>
        <p class="quiet">${texts.lead}</p>
        ${list} ${pager(locale, pagination, (page) => locale.href(ownerPath(server.id, 'wipes'), { page }))}
      </section>
    `,
    html`
      <section class="card stack">
        <h2>${texts.add}</h2>
        ${refusal(locale, refused)}
        <form method="post" class="form">
          ${hiddenFields({ action: 'add' })}
          ${choice({ name: 'kind', label: texts.kind, value: 'full', refused, options: kinds })}
          ${field({ name: 'wipedAt', label: texts.at, hint: texts.atHint, refused, type: 'datetime-local' })}
          ${area({ name: 'note', label: texts.note, refused, maxlength: 500 })}
          <div><button type="submit">${texts.add}</button></div>
        </form>
      </section>
    `,
  ])
}
