// Auctions: the list, and one with its bids and the form to bid.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import type { Schemas } from './types.ts'

type Auction = Schemas['Auction']
type View = Locale<'auctions'>

export interface AuctionsData {
  auctions: Auction[]
  /** Epoch ms. */
  now: number
}

export interface AuctionData {
  auction: Schemas['AuctionDetail']
  /** Own bids; null without a login or without a bid. */
  own: Schemas['OwnAuction'] | null
  /** Listed servers of the visitor; null without a login. */
  servers: { id: string; name: string }[] | null
  /** Why the bid or the payment was refused, and what was typed. */
  refused: { message: string; form: Record<string, string> } | null
  placed: boolean
  /** The payment page. */
  payAt: string | null
  now: number
}

const ENDED_SHOWN = 20
const SECOND = 1000
const DAY = 86_400

export const auctionPath = (id: string) => `/auctions/${id}`
export const minimumBid = ({ currentBid, startingBid, minimumIncrement }: Auction) =>
  currentBid === null ? startingBid : currentBid + minimumIncrement

export function auctionsView(locale: View, { auctions, now }: AuctionsData) {
  const { auctions: t } = locale.t
  const isOpen = ({ status, endsAt }: Auction) => status === 'active' && Date.parse(endsAt) > now
  const open = auctions.filter(isOpen)
  const running = open.filter(({ startsAt }) => Date.parse(startsAt) <= now)
  const upcoming = open.filter(({ startsAt }) => Date.parse(startsAt) > now)
  const ended = auctions.filter((auction) => !isOpen(auction)).slice(0, ENDED_SHOWN)
  const section = (title: string, list: Auction[]) =>
    list.length > 0 &&
    html`<section class="stack"><h2>${title}</h2><ul class="auctions">${list.map((auction) => card(locale, auction, now))}</ul></section>`
  return html`
    <div class="stack auctions-page">
      <header><h1>${t.title}</h1><p class="quiet">${t.intro}</p></header>
      ${running.length === 0 && html`<p class="empty">${t.none}</p>`}
      ${section(t.running, running)} ${section(t.upcoming, upcoming)} ${section(t.ended, ended)}
    </div>
  `
}

function card(locale: View, auction: Auction, now: number) {
  const { auctions: t } = locale.t
  return html`
    <li class="card auction" key=${auction.id}>
      <h3><a href=${locale.href(auctionPath(auction.id))} dir="auto">${auction.title}</a></h3>
      <p class="quiet">${placeOf(locale, auction)} ${auction.status === 'canceled' && html`<span class="tag is-warn">${t.statuses.canceled}</span>`}</p>
      <dl class="figures">${price(locale, auction)} ${clock(locale, auction, now)}</dl>
      <p class="quiet">${locale.say(t.bids, { n: auction.bidCount })}</p>
    </li>
  `
}

export function auctionView(locale: View, { auction, own, servers, refused, placed, payAt, now }: AuctionData) {
  const { auctions: t } = locale.t
  const state = stateOf(auction, now)
  const tone = { running: 'is-good', upcoming: '', ended: '', canceled: 'is-warn' }[state]
  const stateName = {
    running: t.statuses.active,
    upcoming: t.upcoming,
    ended: t.statuses.completed,
    canceled: t.statuses.canceled,
  }
  return html`
    <article class="auction-page">
      <p><a href=${locale.href('/auctions')}>${t.all}</a></p>
      <h1 dir="auto">${auction.title}</h1>
      <p class="row"><span class="tag ${tone}">${stateName[state]}</span><span class="quiet">${placeOf(locale, auction)}</span></p>
      <div class="auction-columns">
        <section class="card stack">
          <dl class="figures" aria-live="polite">
            ${price(locale, auction)}
            ${clock(locale, auction, now)}
            ${auction.leadingBidder !== null && figure(t.leader, html`<span dir="auto">${auction.leadingBidder}</span>`)}
          </dl>
          ${standing(locale, own, placed && !refused)}
          ${refused && html`<p class="notice is-bad" role="alert">${refused.message}</p>`}
          ${state === 'running' && (servers === null ? loginLink(locale, auction) : !own?.isLeading && bidForm(locale, auction, servers, refused?.form))}
          ${
            payAt
              ? html`<p><a class="button" href=${payAt} rel="noreferrer">${t.toPayment}</a></p>`
              : own?.offer?.status === 'open' &&
                Date.parse(own.offer.expiresAt) > now &&
                payForm(locale, auction, own.offer, servers ?? [])
          }
        </section>
        <section class="card stack">
          <h2>${t.history}</h2>
          ${auction.bids.length === 0 ? html`<p class="quiet">${t.noBids}</p>` : bidsTable(locale, auction)}
        </section>
      </div>
    </article>
  `
}

function stateOf({ status, startsAt, endsAt }: Auction, now: number) {
  if (status === 'canceled') return 'canceled'
  if (status === 'completed' || Date.parse(endsAt) <= now) return 'ended'
  return Date.parse(startsAt) > now ? 'upcoming' : 'running'
}

const placeOf = (locale: View, { location, tier, placementDays }: Auction) =>
  `${locale.say(locale.t.auctions.place, { location, tier })} ${locale.say(locale.t.auctions.days, { n: placementDays })}`

const figure = (name: string, value: unknown) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

const price = (locale: View, { currentBid, startingBid, currency }: Auction) =>
  currentBid === null
    ? figure(locale.t.auctions.startingBid, locale.money(startingBid, currency))
    : figure(locale.t.auctions.currentBid, html`<span class="price">${locale.money(currentBid, currency)}</span>`)

function clock(locale: View, auction: Auction, now: number) {
  const { auctions: t } = locale.t
  const state = stateOf(auction, now)
  const at = state === 'upcoming' ? auction.startsAt : auction.endsAt
  const time = (text: string) => html`<time datetime=${at} title=${locale.time(at)}>${text}</time>`
  if (state === 'ended' || state === 'canceled') return figure(t.endedAt, time(locale.time(at)))
  return figure(state === 'upcoming' ? t.startsIn : t.endsIn, time(countdown(locale, Date.parse(at) - now)))
}

/** `2 d 03:04:05`, whose width stays. */
function countdown(locale: View, ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND))
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const rest = `${two((seconds % DAY) / 3600)}:${two((seconds % 3600) / 60)}:${two(seconds % 60)}`
  return seconds >= DAY ? `${locale.say(locale.t.auctions.unitDays, { n: Math.floor(seconds / DAY) })} ${rest}` : rest
}

function standing(locale: View, own: AuctionData['own'], placed: boolean) {
  const { auctions: t } = locale.t
  if (!own) return null
  const money = (cents: number) => locale.money(cents, own.currency)
  const note = (tone: string, text: string) => html`<p class="notice ${tone}" role="status">${text}</p>`
  if (own.offer) {
    const { status, amount, expiresAt } = own.offer
    if (status === 'open')
      return note('is-good', locale.say(t.won, { amount: money(amount), time: locale.time(expiresAt) }))
    return note(status === 'paid' ? 'is-good' : 'is-warn', locale.say(t.offers[status], { amount: money(amount) }))
  }
  if (own.ownBid === null) return note('is-warn', t.notValid)
  if (own.isLeading) return note('is-good', locale.say(placed ? t.placed : t.leading, { amount: money(own.ownBid) }))
  return own.status === 'active' && note('is-warn', locale.say(t.outbid, { amount: money(own.ownBid) }))
}

const loginLink = (locale: View, { id }: Auction) =>
  html`<p><a class="button" href=${locale.href('/login', { next: auctionPath(id) })}>${locale.t.auctions.login}</a></p>`

function bidForm(
  locale: View,
  auction: Auction,
  servers: { id: string; name: string }[],
  form: Record<string, string> = {},
) {
  const { auctions: t } = locale.t
  const least = minimumBid(auction)
  return html`
    <form class="form" method="post" action=${locale.href(auctionPath(auction.id))}>
      <h2>${t.placeBid}</h2>
      <div class="field">
        <label for="amount">${locale.say(t.yourBid, { currency: auction.currency })}</label>
        <input id="amount" name="amount" inputmode="decimal" autocomplete="off" required defaultValue=${form.amount ?? locale.decimal(least / 100)} aria-describedby="least" />
        <p class="hint" id="least">${locale.say(t.atLeast, { amount: locale.money(least, auction.currency) })}</p>
      </div>
      ${serverField(locale, servers, form.serverId)}
      <p class="hint">${t.binding}</p>
      <button name="action" value="bid">${t.bid}</button>
    </form>
  `
}

function serverField(locale: View, servers: { id: string; name: string }[], chosen: string | null = '') {
  const { auctions: t } = locale.t
  if (servers.length === 0) return null
  return html`
    <div class="field">
      <label for="serverId">${t.server}</label>
      <select id="serverId" name="serverId">
        <option value="">${t.later}</option>
        ${servers.map(({ id, name }) => html`<option value=${id} selected=${id === chosen}>${name}</option>`)}
      </select>
    </div>
  `
}

function payForm(
  locale: View,
  auction: Auction,
  { amount, serverId }: NonNullable<Schemas['OwnAuction']['offer']>,
  servers: { id: string; name: string }[],
) {
  return html`
    <form class="form" method="post" action=${locale.href(auctionPath(auction.id))}>
      ${serverField(locale, servers, serverId)}
      <button name="action" value="pay">${locale.say(locale.t.auctions.pay, { amount: locale.money(amount, auction.currency) })}</button>
    </form>
  `
}

function bidsTable(locale: View, { bids, currency }: Schemas['AuctionDetail']) {
  const { auctions: t } = locale.t
  return html`
    <div class="table-wrap" tabindex="0" role="region" aria-label=${t.history}>
      <table>
        <thead><tr><th scope="col">${t.amount}</th><th scope="col">${t.bidder}</th><th scope="col">${t.placedAt}</th></tr></thead>
        <tbody>
          ${bids.map(
            ({ id, bidAmount, bidder, placedAt }) =>
              html`<tr key=${id}><td><b>${locale.money(bidAmount, currency)}</b></td><td dir="auto">${bidder}</td><td><time datetime=${placedAt}>${locale.time(placedAt)}</time></td></tr>`,
          )}
        </tbody>
      </table>
    </div>
  `
}
