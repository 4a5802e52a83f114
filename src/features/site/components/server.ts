// The page of a server: what it is, its players over time, and the vote.

import { area, choice, form, type RefusedForm, refusal, refusedOf } from './fields.ts'
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { ago, card, factList, markdown, notice, onlineTag, tag } from './parts.ts'
import { playerChart, type Range } from './player-chart.ts'
import { serverActions } from './server-actions.ts'
import { countryWithFlag, face, playersBar, serverPath, verifiedMark } from './server-parts.ts'
import { relatedServers } from './server-related.ts'
import type { Followed, Row, Schemas, ServerDetail, StyledText } from './types.ts'
import { type Voting, voteForm } from './vote-form.ts'

export interface ServerData extends Followed {
  server: ServerDetail
  /** Its place in the ranking and what decides it, as texts: before a vote, the browser needs no code for them. */
  ranked: { title: string; counted: string; facts: [name: string, value: string][]; how: string }
  /** The path of the game's page. */
  gamePath: string
  range: Range
  /** What the player's game must have in common with the server's. */
  needs: 'version' | 'version and mods' | undefined
  /** The owner's description as HTML; empty if there is none. */
  about: string
  /** The message of the day. */
  motd: StyledText[]
  /** Address of the directory, for code that other sites embed. */
  origin: string
  /** Epoch ms. */
  now: number
  voting: Voting
  /** Servers of the same game, most similar first. */
  related: Row[]
  /** Whether a vote needs a proof of work, which only a script can make. */
  needsProof: boolean
  /** The result of a form. */
  done: 'favorite' | 'unfavorite' | 'report' | undefined
  /** Why another form than the vote was refused. */
  refused: RefusedForm | undefined
  /** True once the script runs. The script also sets the fields below. */
  isLive?: boolean
  topVoters?: { username: string; votes: number }[]
  wipes?: Schemas['Wipe'][]
  bestMonths?: Schemas['ServerStanding'][]
  /** Whether the server was removed or hidden while the page is open. */
  isRemoved?: boolean
  /** The access to the server of a visitor with a session. */
  access?: Schemas['ServerAccess'] | undefined
}

type ServerLocale = Locale<'server' | 'vote' | 'directory' | 'forms' | 'rank'>

export function serverView(locale: ServerLocale, data: ServerData) {
  const { server: texts } = locale.t
  const { server, motd, done, refused, isRemoved } = data
  if (isRemoved)
    return html`
      <article class="server-page">
        <header class="server-head">${crumbs(locale, data)}<h1 dir="auto">${server.name}</h1></header>
        ${notice('warn', texts.removed)}
      </article>
    `
  return html`
    <article class="server-page" data-server=${server.id}>
      ${server.bannerImageUrl && html`<img class="banner" src=${new URL(server.bannerImageUrl).pathname} width="960" height="240" alt="" />`}
      <header class="server-head">
        ${crumbs(locale, data)}
        <h1 dir="auto" title=${server.name}>${face(server, 64)}<span>${server.name}${server.isVerified && verifiedMark(locale.t.directory.verified)}</span></h1>
        <p class="facts">
          ${onlineTag(locale, server)}
          ${server.hasPassword && tag('', locale.t.directory.locked)}
          ${server.map && html`<span dir="auto">${server.map}</span>`}
          ${server.gameMode && html`<span>${server.gameMode}</span>`}
          ${server.country && countryWithFlag(locale, server.country)}
          ${server.version && html`<span dir="auto">${texts.version} ${server.version}</span>`}
        </p>
        ${motd.length > 0 && html`<p class="motd" dir="auto">${motd.map(({ text, classes }) => html`<span class=${classes}>${text}</span>`)}</p>`}
        <ul class="chips">${listOf(server.tags).map((tag) => html`<li><a class="chip" href=${locale.href('/', { tags: tag })} dir="auto">${tag}</a></li>`)}</ul>
        ${serverActions(locale, data)}
      </header>
      ${notice('good', done && texts.done[done])}
      ${refusal(locale, refused)}
      <div class="server-columns">
        <div class="server-side">
          ${voteForm(locale, data)} ${figuresCard(locale, data)} ${rankCard(locale, data)} ${bestMonthsCard(locale, data)}
        </div>
        <div class="server-main">
          ${playerChart(locale, data, serverPath(server))} ${votersCard(locale, data)}
          ${aboutCard(locale, data)}
          ${factsCard(locale, data)} ${wipesCard(locale, data)} ${relatedServers(locale, data.related)} ${shareCard(locale, data)} ${reportCard(locale, refusedOf(refused, 'report'))}
        </div>
      </div>
    </article>
  `
}

const crumbs = (locale: ServerLocale, data: ServerData) => html`
  <p class="crumbs">
    <span><a href=${locale.href('/')}>${locale.t.common.nav.servers}</a> / <a href=${locale.href(data.gamePath)}>${data.server.gameName}</a></span>
    ${accessLinks(locale, data)}
  </p>
`

const listOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** The description: an owner's is Markdown, the game server's own is plain text. */
function aboutCard({ t: { server: texts } }: ServerLocale, { server, about }: ServerData) {
  if (!server.description) return null
  return about
    ? card(texts.about)`${markdown(about)}`
    : card(texts.about)`<p class="prose" dir="auto">${server.description}</p><p class="hint">${texts.selfReported}</p>`
}

/** The current players, the votes and the uptime. */
function figuresCard(locale: ServerLocale, data: ServerData) {
  const { server, needs } = data
  const { server: texts } = locale.t
  return html`
    <section class="card stack">
      <h2 class="visually-hidden">${texts.numbers}</h2>
      ${playersBar(locale, server)}
      ${server.currentBots > 0 && html`<p class="hint">${locale.say(texts.bots, { n: server.currentBots })}</p>`}
      ${needs && html`<p class="hint">${texts.needs[needs]}</p>`}
      ${factList(
        [
          [texts.votesTotal, locale.number(server.totalVotes)],
          [texts.votesMonth, locale.number(server.monthlyVotes)],
          [texts.uptime, locale.percent(server.uptime.month)],
        ],
        '',
      )}
      ${!server.isVerified && html`<p class="hint">${ownershipHint(locale, data)}</p>`}
    </section>
  `
}

/** Says that the server can be claimed: it has no verified owner, and the visitor does not manage it. */
function ownershipHint(locale: ServerLocale, { server, access }: ServerData) {
  const { server: texts } = locale.t
  const role = access?.role ?? 'admin'
  if (role !== 'admin') return html`${texts.team[role]} ${manageLink(locale, server.id, texts.manageIt)}`
  const howFound = server.source === 'announcements' ? texts.announced : texts.unclaimed
  const found = !server.isClaimed && server.source !== 'import' && `${howFound} `
  return html`${found}${texts.yours} <a href=${locale.href(`/my/servers/${server.id}/claim`)} rel="nofollow">${texts.claim}</a>`
}

const manageLink = (locale: ServerLocale, id: string, name: string) =>
  html`<a href=${locale.href(`/my/servers/${id}`)} rel="nofollow">${name}</a>`

/** Links for the team and for moderators, in a line that every visitor has, so that nothing moves when they appear. */
function accessLinks(locale: ServerLocale, { server, access }: ServerData) {
  const { server: texts } = locale.t
  if (!access) return null
  const { role, rights, isAdmin, isModerator } = access
  const mayModerate = isAdmin || isModerator
  if (!role && !mayModerate) return null
  return html`
    <span class="access">
      ${role && manageLink(locale, server.id, rights.includes('edit') ? texts.manage : texts.seeNumbers)}
      ${mayModerate && html`<a href=${locale.href('/admin/servers', { search: server.id })} rel="nofollow">${texts.moderate}</a>`}
    </span>
  `
}

function factsCard(locale: ServerLocale, { server, now }: ServerData) {
  const { server: texts } = locale.t
  const [rates, mods] = [listOf(server.rates), listOf(server.mods)]
  const link = (url: string) =>
    html`<a href=${url} rel="nofollow ugc noopener noreferrer">${url.replace(/^https?:\/\//, '')}</a>`
  const spans = (['day', 'week', 'month'] as const).map(
    (span) =>
      html`<span class="uptime"><span class="quiet">${texts.spans[span]}</span> ${locale.percent(server.uptime[span])}</span> `,
  )
  return card(texts.facts)`
      ${factList([
        [texts.game, server.gameName],
        rates.length > 0 && [
          texts.rates,
          rates.map((rate) => html`<span class="tag" dir="auto">${rate.replace(':', ' ×')}</span> `),
        ],
        server.region && [texts.region, html`<span dir="auto">${locale.region(server.region)}</span>`],
        server.queryMs !== null && [texts.latency, `${locale.number(server.queryMs)} ms`],
        [texts.uptimes, spans],
        server.nextWipeAt && [texts.nextWipe, ago(locale, server.nextWipeAt, now)],
        [texts.lastWipe, server.lastWipeAt ? ago(locale, server.lastWipeAt, now) : texts.unknown],
        [texts.lastPoll, server.lastPolledAt ? ago(locale, server.lastPolledAt, now) : texts.never],
        [texts.listedSince, locale.date(server.createdAt)],
        server.website && [texts.website, link(server.website)],
        server.chatUrl && [texts.chat, link(server.chatUrl)],
        mods.length > 0 && [
          texts.mods,
          html`<ul class="mods">${mods.map((mod) => html`<li dir="auto">${mod}</li>`)}</ul>`,
        ],
      ])}
  `
}

const rankCard = (locale: ServerLocale, { ranked }: ServerData) => card(ranked.title)`
  <p>${ranked.counted}</p>
  ${factList(ranked.facts, '')}
  <p><a href=${locale.href('/ranking')}>${ranked.how}</a></p>
`

const SHOWN_MONTHS = 3

const bestMonthsCard = (locale: ServerLocale, { bestMonths = [] }: ServerData) =>
  bestMonths.length > 0 &&
  card(locale.t.server.bestMonths)`
    ${factList(
      bestMonths
        .slice(0, SHOWN_MONTHS)
        .map(({ month, place }) => [
          html`<a href=${locale.href(`/top/${month}`)}>${locale.month(month)}</a>`,
          `#${locale.number(place)}`,
        ]),
      '',
    )}
  `

function votersCard({ t: { server: texts }, number }: ServerLocale, { topVoters = [] }: ServerData) {
  if (topVoters.length === 0) return null
  return card(texts.topVoters)`
    <ol class="voters">
      ${topVoters.slice(0, 10).map(({ username, votes }) => html`<li><span dir="auto">${username}</span><b>${number(votes)}</b></li>`)}
    </ol>
  `
}

function wipesCard(locale: ServerLocale, { wipes = [] }: ServerData) {
  const { server: texts } = locale.t
  if (wipes.length === 0) return null
  return card(texts.wipes)`
    <ul class="wipes">
      ${wipes.map(
        ({ wipedAt, kind, note, source }) => html`
          <li><time datetime=${wipedAt}>${locale.date(wipedAt)}</time> ${tag('', texts.wipeKinds[kind])}
          ${source === 'detected' && html`<span class="quiet">${texts.detected}</span>`} <span dir="auto">${note}</span></li>
        `,
      )}
    </ul>
  `
}

function shareCard(locale: ServerLocale, { server, origin }: ServerData) {
  const { server: texts } = locale.t
  const page = origin + serverPath(server)
  const images = [
    ['banner', `${origin}/api/servers/${server.id}/banner.svg`],
    ['badge', `${origin}/api/public/servers/${server.id}/badge.svg`],
    ['chartImage', `${origin}/api/servers/${server.id}/chart.svg?range=7d`],
  ] as const
  const alt = server.name.replace(/[[\]"<>&\\]/g, '')
  return html`
    <section class="card">
      <details class="share">
        <summary><h2>${texts.share}</h2></summary>
        <div class="stack">
          ${images.map(
            ([name, image]) => html`
              <div class="field">
                <b>${texts[name]}</b>
                <img class="preview" src=${new URL(image).pathname + new URL(image).search} alt="" loading="lazy" />
                ${snippet(locale, 'HTML', `<a href="${page}"><img src="${image}" alt="${alt}"></a>`)}
                ${snippet(locale, 'Markdown', `[![${alt}](${image})](${page})`)}
              </div>
            `,
          )}
        </div>
      </details>
    </section>
  `
}

const snippet = ({ t: { common } }: ServerLocale, language: string, code: string) => html`
  <div class="snippet"><span class="quiet">${language}</span><code tabindex="0">${code}</code>
  <button class="quiet-button" type="button" data-copy=${code}><span class="copy-word">${common.copy}</span><span class="visually-hidden"> ${language}</span></button></div>
`

function reportCard({ t: { server: texts } }: ServerLocale, refused: RefusedForm | undefined) {
  return html`
    <section class="card">
      <details open=${refused !== undefined}>
        <summary><h2>${texts.report}</h2></summary>
        <p class="hint">${texts.reportHint}</p>
        ${form(texts.send, { action: 'report' })`
          ${choice({ name: 'reason', label: texts.reason, refused, options: Object.entries(texts.reasons) })}
          ${area({ name: 'details', label: texts.details, refused, rows: 3, maxlength: 1000 })}
        `}
      </details>
    </section>
  `
}
