// Auctions: the list, and one with its bids and the form to bid.
import { choice, field, form, type RefusedForm } from './fields.ts'
import { type Content, html } from './html.ts'
import { table } from './lists.ts'
import type { Locale } from './locale.ts'
import { breadcrumb, clockTime, inEnglish, notice, tag, time } from './parts.ts'
import { placeCard, placeOf, type Reach, reachLine } from './place.ts'
import type { Schemas } from './types.ts'

type Auction = Schemas['Auction']
type View = Locale<'auctions'>

export interface AuctionsData {
  auctions: Auction[]
  /** The views that each place brought in the last week, by location. */
  places: Reach[]
  /** Epoch ms. */
  now: number
}

export interface AuctionData {
  auction: Schemas['AuctionDetail']
  /** The visitor's bids and offer; null without a login or without a bid. */
  own: Schemas['OwnAuction'] | null
  /** Listed servers of the visitor; null without a login. */
  servers: { id: string; name: string }[] | null
  /** The bid's initial value in cents. It stays when others bid more: the hint says what is needed now. */
  proposedBid: number
  /** What was typed into the form, before a refusal or the login: `amount`, `serverId`. */
  typed: Record<string, string>
  /** Why the bid or the payment was refused. */
  refused: (RefusedForm & { text: string | undefined }) | null
  placed: boolean
  /** The address of the payment page. */
  payAt: string | null
  /** Whether the visitor is back from the payment page, and the payment is not confirmed yet. */
  isPaying: boolean
  /** The views that the place brought in the last week; null if it had no server. */
  reach: Reach | null
  now: number
}

const ENDED_SHOWN = 20
const SECOND = 1000
const DAY = 86_400

export const auctionPath = (id: string) => `/auctions/${id}`
export const minimumBid = ({ currentBid, startingBid, minimumIncrement }: Auction) =>
  currentBid === null ? startingBid : currentBid + minimumIncrement

export function auctionsView(locale: View, { auctions, places, now }: AuctionsData) {
  const { auctions: t } = locale.t
  const isOpen = ({ status, endsAt }: Auction) => status === 'active' && Date.parse(endsAt) > now
  const open = auctions.filter(isOpen)
  const running = open.filter(({ startsAt }) => Date.parse(startsAt) <= now)
  const upcoming = open.filter(({ startsAt }) => Date.parse(startsAt) > now)
  const ended = auctions.filter((auction) => !isOpen(auction)).slice(0, ENDED_SHOWN)
  const section = (title: string, list: Auction[]) =>
    list.length > 0 &&
    html`<section class="stack"><h2>${title}</h2><ul class="auctions">${list.map((auction) => auctionCard(locale, auction, { places, now }))}</ul></section>`
  return html`
    <div class="stack auctions-page">
      <header class="stack"><h1>${t.title}</h1><p class="quiet">${t.intro}</p></header>
      ${running.length === 0 && nothingRuns(locale, nextOf(upcoming))}
      ${placeCard(locale, running.length === 0 ? places[0] : undefined)}
      ${section(t.running, running)} ${section(t.upcoming, upcoming)}
      <section class="stack"><h2>${t.how}</h2><ol class="steps">${t.steps.map((step) => html`<li class="card">${step}</li>`)}</ol></section>
      ${section(t.ended, ended)}
    </div>
  `
}

/** The auction that starts first. */
export const nextOf = (auctions: readonly Auction[]): Auction | undefined =>
  auctions.toSorted((a, b) => Date.parse(a.startsAt) - Date.parse(b.startsAt))[0]

function nothingRuns(locale: View, next: Auction | undefined) {
  const { auctions: t } = locale.t
  if (!next)
    return html`<div class="empty"><p>${t.noneUpcoming}</p><p><a class="button" href=${locale.href('/featured')}>${t.featured}</a></p></div>`
  return html`<p class="empty">${t.none} ${locale.say(t.next, { title: next.title, time: locale.time(next.startsAt) })}</p>`
}

function auctionCard(locale: View, auction: Auction, { places, now }: Pick<AuctionsData, 'places' | 'now'>) {
  const { auctions: t } = locale.t
  return html`
    <li class="card auction" key=${auction.id}>
      <h3><a href=${locale.href(auctionPath(auction.id))} dir="auto">${auction.title}</a></h3>
      <p class="quiet">${placeOf(locale, auction)} ${tag('', t.tiers[auction.tier])} ${auction.status === 'canceled' && tag('warn', t.statuses.canceled)}</p>
      <dl class="figures">${price(locale, auction)} ${clock(locale, auction, now)}</dl>
      ${
        stateOf(auction, now) !== 'ended' &&
        reachLine(
          locale,
          places.find(({ location }) => location === auction.location),
        )
      }
      <p class="quiet">${locale.say(t.bids, { n: auction.bidCount })}</p>
    </li>
  `
}

export function auctionView(locale: View, data: AuctionData) {
  const { auction, own, servers, refused, placed, payAt, reach, now } = data
  const { auctions: t } = locale.t
  const state = stateOf(auction, now)
  const tone = ({ running: 'good', upcoming: '', ended: '', canceled: 'warn' } as const)[state]
  const stateName = {
    running: t.statuses.active,
    upcoming: t.upcoming,
    ended: t.statuses.completed,
    canceled: t.statuses.canceled,
  }
  return html`
    <article class="auction-page">
      ${breadcrumb(locale, '/auctions', t.all)}
      <h1 dir="auto">${auction.title}</h1>
      <p class="row">${tag(tone, stateName[state])}${tag('', t.tiers[auction.tier])}<span class="quiet">${placeOf(locale, auction)}</span></p>
      <div class="auction-columns">
        <section class="card stack">
          <dl class="figures">
            ${clock(locale, auction, now)}
          </dl>
          <dl class="figures" aria-live="polite">
            ${price(locale, auction)}
            ${auction.leadingBidder !== null && figure(t.leader, html`<span dir="auto">${auction.leadingBidder}</span>`)}
          </dl>
          ${isProcessing(data) ? notice('good', t.processing) : standing(locale, own, placed && !refused)}
          ${notice('bad', refused && (refused.text ?? inEnglish(refused.message)))}
          ${state === 'running' && (servers === null ? loginLink(locale, data) : !own?.isLeading && bidForm(locale, data, servers))}
          ${
            payAt
              ? html`<p><a class="button" href=${payAt} rel="noreferrer">${t.toPayment}</a></p>`
              : own?.offer && canTryToPay(data, own.offer) && payForm(locale, auction, own.offer, servers ?? [])
          }
        </section>
        <section class="card stack">
          <h2>${t.history}</h2>
          ${auction.bids.length === 0 ? html`<p class="quiet">${t.noBids}</p>` : bidsTable(locale, auction)}
        </section>
      </div>
      ${placeCard(locale, reach ?? undefined)}
    </article>
  `
}

type OwnOffer = NonNullable<Schemas['OwnAuction']['offer']>

const standingObstacle = ({ obstacles }: OwnOffer) => obstacles.find(({ endedAt }) => endedAt === null)

/** Whether the visitor may open the payment page; if the provider failed to open it, at any time. */
function canTryToPay(data: AuctionData, offer: OwnOffer): boolean {
  if (offer.status !== 'open' || isProcessing(data)) return false
  const obstacle = standingObstacle(offer)
  return obstacle ? obstacle.kind === 'provider_unavailable' : Date.parse(offer.expiresAt) > data.now
}

/** Whether a payment of the visitor has arrived or is on its way, so that no second one is offered. */
export const isProcessing = ({ own, isPaying }: Pick<AuctionData, 'own' | 'isPaying'>): boolean =>
  own?.offer?.status === 'open' && (isPaying || own.offer.isProcessing)

function stateOf({ status, startsAt, endsAt }: Auction, now: number) {
  if (status === 'canceled') return 'canceled'
  if (status === 'completed' || Date.parse(endsAt) <= now) return 'ended'
  return Date.parse(startsAt) > now ? 'upcoming' : 'running'
}

const figure = (name: string, value: Content) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`

function price(locale: View, auction: Auction) {
  const { auctions: t } = locale.t
  const { currentBid, winningBid, startingBid, currency } = auction
  const bid = winningBid ?? currentBid
  if (bid === null) return figure(t.startingBid, locale.money(startingBid, currency))
  const name = winningBid === null ? t.currentBid : t.winningBid
  return figure(name, html`<span class="price">${locale.money(bid, currency)}</span>`)
}

function clock(locale: View, auction: Auction, now: number) {
  const { auctions: t } = locale.t
  const state = stateOf(auction, now)
  const at = state === 'upcoming' ? auction.startsAt : auction.endsAt
  const atTime = (text: string) => html`<time datetime=${at} title=${locale.time(at)}>${text}</time>`
  if (state === 'ended' || state === 'canceled') return figure(t.endedAt, atTime(locale.time(at)))
  return figure(state === 'upcoming' ? t.startsIn : t.endsIn, atTime(countdown(locale, Date.parse(at) - now)))
}

/** `2 d 03:04:05`, with fixed numbers of digits in the time. */
function countdown(locale: View, ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / SECOND))
  const rest = clockTime(seconds % DAY)
  return seconds >= DAY ? `${locale.say(locale.t.auctions.unitDays, { n: Math.floor(seconds / DAY) })} ${rest}` : rest
}

function standing(locale: View, own: AuctionData['own'], placed: boolean) {
  const { auctions: t } = locale.t
  if (!own) return null
  const money = (cents: number) => locale.money(cents, own.currency)
  if (own.offer) {
    const { status, amount, expiresAt, serverId } = own.offer
    const obstacle = standingObstacle(own.offer)
    if (status === 'open' && obstacle) {
      const reason = t.obstacles[obstacle.kind]
      return notice('warn', locale.say(t.wonButBlocked, { amount: money(amount), reason }))
    }
    if (status === 'open')
      return notice('good', locale.say(t.won, { amount: money(amount), time: locale.time(expiresAt) }))
    const paid = status === 'paid'
    const effect =
      paid && serverId && html` <a href=${`${locale.href(`/my/servers/${serverId}`)}#visitors`}>${t.effect}</a>`
    return notice(paid ? 'good' : 'warn', [locale.say(t.offers[status], { amount: money(amount) }), effect])
  }
  if (own.ownBid === null) return notice('warn', t.notValid)
  if (own.isLeading) return notice('good', locale.say(placed ? t.placed : t.leading, { amount: money(own.ownBid) }))
  return own.status === 'active' && notice('warn', locale.say(t.outbid, { amount: money(own.ownBid) }))
}

/** Leads through the login and back to the bid that was typed. */
function loginLink(locale: View, { auction, typed: { amount, serverId } }: AuctionData) {
  const next = locale.href(auctionPath(auction.id), { amount, serverId })
  return html`<p><a class="button" href=${locale.href('/login', { next })}>${locale.t.auctions.login}</a></p>`
}

type Server = { id: string; name: string }

function bidForm(locale: View, { auction, proposedBid, typed, refused }: AuctionData, servers: Server[]) {
  const { auctions: t } = locale.t
  return html`
    <h2>${t.placeBid}</h2>
    ${form(t.bid, { action: 'bid' })`
      ${field({
        name: 'amount',
        label: locale.say(t.yourBid, { currency: auction.currency }),
        hint: locale.say(t.atLeast, { amount: locale.money(minimumBid(auction), auction.currency) }),
        inputmode: 'decimal',
        autocomplete: 'off',
        required: true,
        value: typed.amount ?? locale.decimal(proposedBid / 100),
        refused: refused ?? undefined,
      })}
      ${serverField(locale, servers, typed.serverId)}
      <p class="hint">${t.binding}</p>
    `}
  `
}

/** @param chosen undefined or null: not chosen yet; then a visitor's only server is chosen */
function serverField({ t: { auctions: t } }: View, servers: Server[], chosen: string | null | undefined) {
  if (servers.length === 0) return null
  const [only, another] = servers
  const value = chosen ?? (another ? '' : only?.id)
  const options = [['', t.later] as const, ...servers.map(({ id, name }) => [id, name] as const)]
  return choice({ name: 'serverId', label: t.server, value, options })
}

function payForm(locale: View, { currency }: Auction, offer: OwnOffer, servers: Server[]) {
  const pay = locale.say(locale.t.auctions.pay, { amount: locale.money(offer.amount, currency) })
  return form(pay, { action: 'pay' }, locale.t.auctions.opening)`
    ${serverField(locale, servers, offer.serverId)}
  `
}

const bidsTable = (locale: View, { bids, currency }: Schemas['AuctionDetail']) => {
  const { auctions: t } = locale.t
  return table(
    t.history,
    [t.amount, t.bidder, t.placedAt],
    bids.map(
      ({ id, bidAmount, bidder, placedAt }) =>
        html`<tr key=${id}><td><b>${locale.money(bidAmount, currency)}</b></td><td dir="auto">${bidder}</td><td>${time(locale, placedAt)}</td></tr>`,
    ),
  )
}
