// The page of a server: what it is, its players over time, and the vote.
import { type Content, html } from './html.ts'
import type { Locale } from './locale.ts'
import { addressOf, copyButton, playersBar, serverPath, verifiedMark } from './server-row.ts'
import type { Schemas, ServerDetail } from './types.ts'
import { type Voting, voteForm } from './vote-form.ts'

export const RANGES = ['24h', '7d', '30d', '90d'] as const
export type Range = (typeof RANGES)[number]

export interface ServerData {
  server: ServerDetail
  range: Range
  /** `steam://…`; undefined where the game has no such address. */
  connectUrl: string | undefined
  /** Address of the directory, for code that other sites embed. */
  origin: string
  /** Epoch ms. */
  now: number
  voting: Voting
  /** What a form has done. */
  done: 'favorite' | 'report' | undefined
  problem: string | undefined
  /** Read by the script. */
  topVoters?: { username: string; votes: number }[]
  wipes?: Schemas['Wipe'][]
}

type ServerLocale = Locale<'server' | 'directory'>

export function serverView(locale: ServerLocale, data: ServerData) {
  const { server: texts } = locale.t
  const { server, now, done, problem } = data
  return html`
    <article class="server-page">
      <header class="server-head">
        <p class="crumbs"><a href=${locale.href('/')}>${locale.t.common.nav.servers}</a> / <a href=${locale.href('/', { game: server.game })}>${server.gameName}</a></p>
        <h1 dir="auto">${server.name}${server.isVerified && verifiedMark(locale.t.directory.verified)}</h1>
        <p class="facts">
          ${stateTag(locale, server)}
          ${server.map && html`<span dir="auto">${server.map}</span>`}
          ${server.gameMode && html`<span>${server.gameMode}</span>`}
          ${server.country && html`<span>${locale.country(server.country)}</span>`}
          ${server.version && html`<span dir="auto">${texts.version} ${server.version}</span>`}
        </p>
        <ul class="chips">${listOf(server.tags).map((tag) => html`<li><a class="chip" href=${locale.href('/', { tags: tag })} dir="auto">${tag}</a></li>`)}</ul>
      </header>
      ${done && html`<p class="notice is-good" role="status">${texts.done[done]}</p>`}
      ${problem && html`<p class="notice is-bad" role="alert">${problem}</p>`}
      <div class="server-columns">
        <div class="server-side">
          ${voteForm(locale, server, data.voting, now)} ${joinCard(locale, data)} ${votersCard(locale, data)}
        </div>
        <div class="server-main">
          ${chartCard(locale, data)}
          ${server.description && html`<section class="card"><h2>${texts.about}</h2><p class="prose" dir="auto">${server.description}</p></section>`}
          ${factsCard(locale, data)} ${wipesCard(locale, data)} ${shareCard(locale, data)} ${reportCard(locale)}
        </div>
      </div>
    </article>
  `
}

export const listOf = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

const stateTag = ({ t: { common } }: ServerLocale, { isOnline }: ServerDetail) =>
  html`<span class="tag ${isOnline ? 'is-good' : 'is-bad'}">${isOnline ? common.online : common.offline}</span>`

function joinCard(locale: ServerLocale, { server, connectUrl }: ServerData) {
  const { server: texts } = locale.t
  return html`
    <section class="card stack">
      <h2 class="visually-hidden">${texts.join}</h2>
      ${playersBar(locale, server)}
      <div class="join">
        ${connectUrl && html`<a class="button" href=${connectUrl} rel="nofollow">${texts.connect}</a>`} ${copyButton(locale, addressOf(server))}
      </div>
      <dl class="facts-list">
        ${pair(texts.rank, `#${locale.number(server.rank)}`)} ${pair(texts.votesTotal, locale.number(server.totalVotes))}
        ${pair(texts.votesMonth, locale.number(server.monthlyVotes))}
        ${pair(texts.uptime, server.uptime.month === null ? '–' : locale.percent(server.uptime.month))}
      </dl>
      <div class="row">
        <form method="post"><input type="hidden" name="action" value="favorite" /><button class="quiet-button">${texts.favorite}</button></form>
        <a class="button quiet-button" href=${locale.href('/compare', { ids: server.id })}>${texts.compare}</a>
      </div>
    </section>
  `
}

const pair = (name: string, value: Content) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

/** An image that needs no script; browser/chart.ts draws over it. */
function chartCard(locale: ServerLocale, { server, range }: ServerData) {
  const { server: texts } = locale.t
  return html`
    <section class="card chart-card" aria-label=${texts.chart}>
      <div class="results-head">
        <h2>${texts.chart}</h2>
        <nav class="sorts" aria-label=${texts.range}>
          ${RANGES.map((one) => html`<a href=${locale.href(serverPath(server.id), { range: one === '24h' ? undefined : one })} aria-current=${one === range ? 'true' : null} data-range=${one} rel="nofollow">${texts.ranges[one]}</a>`)}
        </nav>
      </div>
      <div class="chart" id="chart">
        <img src=${`/api/servers/${server.id}/chart.svg?range=${range}`} width="760" height="284" alt=${locale.say(texts.chartOf, { name: server.name, range: texts.ranges[range] })} />
      </div>
      <p class="chart-legend" id="chart-legend" aria-live="off"></p>
    </section>
  `
}

function factsCard(locale: ServerLocale, { server, now }: ServerData) {
  const { server: texts } = locale.t
  const [rates, mods] = [listOf(server.rates), listOf(server.mods)]
  const link = (url: string) =>
    html`<a href=${url} rel="nofollow ugc noopener noreferrer">${url.replace(/^https?:\/\//, '')}</a>`
  return html`
    <section class="card">
      <h2>${texts.facts}</h2>
      <dl class="facts-list is-wide">
        ${pair(texts.game, server.gameName)}
        ${
          rates.length > 0 &&
          pair(
            texts.rates,
            rates.map((rate) => html`<span class="tag" dir="auto">${rate.replace(':', ' ×')}</span> `),
          )
        }
        ${server.region && pair(texts.region, html`<span dir="auto">${server.region}</span>`)}
        ${server.queryMs !== null && pair(texts.latency, `${locale.number(server.queryMs)} ms`)}
        ${pair(
          texts.uptimes,
          (['day', 'week', 'month'] as const).map(
            (span) =>
              html`<span class="uptime"><span class="quiet">${texts.spans[span]}</span> ${server.uptime[span] === null ? '–' : locale.percent(server.uptime[span])}</span> `,
          ),
        )}
        ${pair(texts.lastWipe, server.lastWipeAt ? html`<time datetime=${server.lastWipeAt} title=${locale.time(server.lastWipeAt)}>${locale.relative(server.lastWipeAt, now)}</time>` : texts.unknown)}
        ${pair(texts.lastPoll, server.lastPolledAt ? html`<time datetime=${server.lastPolledAt} title=${locale.time(server.lastPolledAt)}>${locale.relative(server.lastPolledAt, now)}</time>` : texts.never)}
        ${pair(texts.listedSince, locale.date(server.createdAt))}
        ${server.website && pair(texts.website, link(server.website))}
        ${server.chatUrl && pair(texts.chat, link(server.chatUrl))}
        ${mods.length > 0 && pair(texts.mods, html`<ul class="mods">${mods.map((mod) => html`<li dir="auto">${mod}</li>`)}</ul>`)}
      </dl>
    </section>
  `
}

/** Rooms of fixed height while the script has not read them yet would jump less, but stay empty without scripts. */
function votersCard(locale: ServerLocale, { topVoters = [] }: ServerData) {
  const { server: texts } = locale.t
  return html`
    <section class="card" id="voters" hidden=${topVoters.length === 0}>
      <h2>${texts.topVoters}</h2>
      <ol class="voters">
        ${topVoters.slice(0, 10).map(({ username, votes }) => html`<li><span dir="auto">${username}</span><b>${locale.number(votes)}</b></li>`)}
      </ol>
    </section>
  `
}

function wipesCard(locale: ServerLocale, { wipes = [] }: ServerData) {
  const { server: texts } = locale.t
  return html`
    <section class="card" id="wipes" hidden=${wipes.length === 0}>
      <h2>${texts.wipes}</h2>
      <ul class="wipes">
        ${wipes.map(
          ({ wipedAt, kind, note, source }) => html`
            <li><time datetime=${wipedAt}>${locale.date(wipedAt)}</time> <span class="tag">${texts.wipeKinds[kind]}</span>
            ${source === 'detected' && html`<span class="quiet">${texts.detected}</span>`} <span dir="auto">${note}</span></li>
          `,
        )}
      </ul>
    </section>
  `
}

function shareCard(locale: ServerLocale, { server, origin }: ServerData) {
  const { server: texts } = locale.t
  const page = origin + serverPath(server.id)
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

const REASONS = ['offline', 'spam', 'abuse', 'misleading', 'other'] as const

function reportCard({ t: { server: texts } }: ServerLocale) {
  return html`
    <section class="card">
      <details>
        <summary><h2>${texts.report}</h2></summary>
        <form class="form" method="post">
          <input type="hidden" name="action" value="report" />
          <p class="hint">${texts.reportHint}</p>
          <label class="field">${texts.reason}<select name="reason">${REASONS.map((reason) => html`<option value=${reason}>${texts.reasons[reason]}</option>`)}</select></label>
          <label class="field">${texts.details}<textarea name="details" rows="3" maxlength="1000"></textarea></label>
          <p><button class="quiet-button">${texts.send}</button></p>
        </form>
      </details>
    </section>
  `
}
