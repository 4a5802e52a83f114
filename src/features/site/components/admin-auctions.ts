// Administration of ad slots and auctions.
import {
  type AdminLocale,
  type AdminPage,
  adminFrame,
  adminPath,
  at,
  choiceFilter,
  filterForm,
  headings,
  type Pagination,
  pageHref,
  scrolling,
  userLink,
} from './admin.ts'
import { auctionPath } from './auctions.ts'
import { buttonForm, careful, choice, field, hiddenFields, pager, type RefusedForm, refusedOf } from './forms.ts'
import { type Content, html } from './html.ts'
import type { Schemas } from './types.ts'

type Slot = Schemas['AdSlot']
type Auction = Schemas['AdminAuction']

const TIERS = ['standard', 'premium', 'enterprise'] as const
const AUCTION_STATUSES = ['active', 'completed', 'canceled'] as const
/** Of all auctions; a new one has none yet. */
const CURRENCY = 'USD'

export const adminAuctionPath = (id: string) => `${adminPath('auctions')}/${id}`

export interface SlotsData extends AdminPage {
  adSlots: Slot[]
  pagination: Pagination
}

export function slotsView(locale: AdminLocale, data: SlotsData) {
  const { admin: t } = locale.t
  const { adSlots, pagination, query, refused } = data
  return adminFrame(
    locale,
    'slots',
    data,
    t.areas.slots,
    html`
      <details class="card" open=${adSlots.length === 0 || refusedOf(refused, 'create') !== undefined}>
        <summary><h2>${t.newSlot}</h2></summary>
        <form method="post" class="form">
          ${hiddenFields({ action: 'create' })}
          ${field({ name: 'location', label: t.location, required: true, refused: refusedOf(refused, 'create') })}
          ${choice({ name: 'tier', label: t.tier, refused: refusedOf(refused, 'create'), options: TIERS.map((tier) => [tier, tier]) })}
          ${slotFields(locale, '', {}, refusedOf(refused, 'create'))}
          <button>${t.create}</button>
        </form>
      </details>
      <ul class="stack">
        ${adSlots.map((slot) => slotItem(locale, slot, refused?.form.id === slot.id ? refused : undefined))}
      </ul>
      ${pager(locale, pagination, pageHref(locale, 'slots', query))}
    `,
  )
}

function slotFields(locale: AdminLocale, id: string, slot: Partial<Slot>, refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const pixels = { inputmode: 'numeric', pattern: '[0-9]+', required: true, refused }
  return html`
    ${field({ id: `name-${id}`, name: 'name', label: t.name, value: slot.name, required: true, maxlength: 100, refused })}
    ${field({ id: `width-${id}`, name: 'width', label: t.width, value: slot.width, ...pixels })}
    ${field({ id: `height-${id}`, name: 'height', label: t.height, value: slot.height, ...pixels })}
  `
}

function slotItem(locale: AdminLocale, slot: Slot, refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const { id, name, location, tier, width, height, isActive } = slot
  return html`
    <li class="card stack" key=${id}>
      <div class="row"><h2 dir="auto">${name}</h2><span class="tag ${isActive ? 'is-good' : 'is-warn'}">${isActive ? t.slotActive : t.slotInactive}</span></div>
      <p class="facts wraps"><span>${location}</span><span>${tier}</span><span>${String(width)} × ${String(height)}</span></p>
      <details open=${refused?.form.action === 'update'}>
        <summary>${t.change}</summary>
        <form method="post" class="form">
          ${hiddenFields({ action: 'update', id })} ${slotFields(locale, id, slot, refused)}
          <button>${locale.t.forms.save}</button>
        </form>
      </details>
      <div class="row top-aligned">
        ${buttonForm({ fields: { action: isActive ? 'deactivate' : 'activate', id }, label: isActive ? t.deactivate : t.activate })}
        ${careful({ fields: { action: 'delete', id }, label: t.delete, warning: t.deleteSlot, confirm: t.confirmDelete })}
      </div>
    </li>
  `
}

export interface AdminAuctionsData extends AdminPage {
  auctions: Auction[]
  pagination: Pagination
  /** Active ones. */
  slots: Slot[]
}

export function adminAuctionsView(locale: AdminLocale, data: AdminAuctionsData) {
  const { admin: t } = locale.t
  const { auctions, pagination, slots, query, refused } = data
  return adminFrame(
    locale,
    'auctions',
    data,
    t.areas.auctions,
    html`
      <details class="card" open=${refused !== undefined}>
        <summary><h2>${t.newAuction}</h2></summary>
        ${slots.length === 0 ? html`<p><a href=${locale.href(adminPath('slots'))}>${t.noSlots}</a></p>` : newAuctionForm(locale, slots, refused)}
      </details>
      ${filterForm(
        locale,
        'auctions',
        choiceFilter(query, 'status', t.status, [
          ['', t.any],
          ...AUCTION_STATUSES.map((status) => [status, t.auctionStatuses[status]] as const),
        ]),
      )}
      ${
        auctions.length === 0
          ? html`<p class="empty">${t.nothing}</p>`
          : scrolling(
              t.areas.auctions,
              html`<table>
                ${headings(t.auctionTitle, t.status, t.location.split(',')[0] ?? '', t.endsAt, t.amount, t.bids, t.offers)}
                <tbody>${auctions.map((auction) => auctionRow(locale, auction))}</tbody>
              </table>`,
            )
      }
      ${pager(locale, pagination, pageHref(locale, 'auctions', query))}
    `,
  )
}

const money = (locale: AdminLocale, cents: number | null, currency: string) =>
  cents === null ? '–' : locale.money(cents, currency)

function auctionRow(locale: AdminLocale, auction: Auction) {
  const { id, title, status, location, tier, endsAt, currentBid, currency, bidCount, offers } = auction
  return html`
    <tr key=${id}>
      <th scope="row"><a href=${locale.href(adminAuctionPath(id))} dir="auto">${title}</a></th>
      <td>${statusTag(locale, auction)}</td>
      <td>${location}, ${tier}</td>
      <td>${at(locale, endsAt)}</td>
      <td class="number">${money(locale, currentBid, currency)}</td>
      <td class="number">${locale.number(bidCount)}</td>
      <td>${offers.map((offer) => offerTags(locale, offer))}${offers.length === 0 && status === 'completed' && '–'}</td>
    </tr>
  `
}

const statusTag = ({ t: { admin: t } }: AdminLocale, { status }: Auction) =>
  html`<span class="tag ${{ active: 'is-good', completed: '', canceled: 'is-warn' }[status]}">${t.auctionStatuses[status]}</span>`

function offerTags({ t: { admin: t } }: AdminLocale, { status, refund }: Auction['offers'][number]) {
  const tone = { open: 'is-warn', paid: 'is-good', expired: '', withdrawn: '', refunded: '', refund_due: 'is-warn' }[
    status
  ]
  return html`
    <span class="tag ${tone}">${t.offerStatuses[status]}</span>
    ${refund && html` <span class="tag ${refund.status === 'failed' ? 'is-bad' : ''}" title=${refund.lastError ?? ''}>${t.refunds[refund.status]}</span>`}
  `
}

/** As `datetime-local` takes it. */
const fieldTime = (instant: string | undefined) => instant?.slice(0, 16)

function terms(locale: AdminLocale, auction: Partial<Auction>, refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const { currency = CURRENCY } = auction
  const amount = (cents: number | undefined) => cents !== undefined && { value: locale.decimal(cents / 100) }
  const number = { inputmode: 'numeric', pattern: '[0-9]+', refused }
  const time = { type: 'datetime-local', refused }
  const decimal = { inputmode: 'decimal', required: true, refused }
  const isNew = auction.id === undefined
  return html`
    ${field({ name: 'title', label: t.auctionTitle, value: auction.title, required: true, maxlength: 100, refused })}
    ${field({ name: 'startsAt', label: t.startsAt, value: fieldTime(auction.startsAt), ...time, ...(isNew ? { hint: t.startsNow } : { required: true }) })}
    ${field({ name: 'endsAt', label: t.endsAt, value: fieldTime(auction.endsAt), required: true, ...time })}
    ${field({ name: 'startingBid', label: locale.say(t.startingBid, { currency }), ...amount(auction.startingBid), ...decimal })}
    ${field({ name: 'minimumIncrement', label: locale.say(t.minimumIncrement, { currency }), ...amount(auction.minimumIncrement), ...decimal })}
    ${field({ name: 'placementDays', label: t.placementDays, value: auction.placementDays ?? 7, ...number, required: true })}
    ${field({ name: 'softCloseSeconds', label: t.softCloseSeconds, value: auction.softCloseSeconds, hint: isNew && t.softCloseHint, ...number })}
  `
}

function newAuctionForm(locale: AdminLocale, slots: Slot[], refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const nameOf = ({ name, location, tier }: Slot) => `${name} (${location}, ${tier})`
  return html`
    <form method="post" class="form">
      ${choice({ name: 'slotId', label: t.slot, refused, options: slots.map((slot) => [slot.id, nameOf(slot)]) })}
      ${terms(locale, {}, refused)}
      <button>${t.create}</button>
    </form>
  `
}

export interface AdminAuctionData extends AdminPage {
  auction: Auction
  bids: Schemas['AuctionDetail']['bids']
}

export function adminAuctionView(locale: AdminLocale, data: AdminAuctionData) {
  const { admin: t } = locale.t
  const { auction, bids, refused } = data
  const { id, location, tier, endsAt, currentBid, currency, bidCount, status } = auction
  return adminFrame(
    locale,
    'auctions',
    data,
    auction.title,
    html`
      <p class="row">
        ${statusTag(locale, auction)}<span>${location}, ${tier}</span><span>${t.endsAt}: ${at(locale, endsAt)}</span>
        <b>${money(locale, currentBid, currency)}</b>
        <a href=${locale.href(auctionPath(id))}>${t.publicPage}</a>
        <a href=${locale.href(adminPath('audit'), { targetId: id })}>${t.showAudit}</a>
      </p>
      <section class="card stack">
        <h2>${t.bids}</h2>
        ${bids.length === 0 ? html`<p class="quiet">${t.noBids}</p>` : html`<ul class="lines">${bids.map((bid) => bidItem(locale, bid, currency))}</ul>`}
      </section>
      <section class="card stack">
        <h2>${t.offers}</h2>
        ${
          auction.offers.length === 0
            ? html`<p class="quiet">${t.noOffers}</p>`
            : html`<ul class="lines">${auction.offers.map((offer) => offerItem(locale, offer, currency))}</ul>`
        }
      </section>
      ${
        status !== 'canceled' &&
        html`<section class="card stack">
          <h2>${t.change}</h2>
          ${
            bidCount > 0
              ? html`<p class="quiet">${t.hasBids}</p>`
              : html`<form method="post" class="form">${hiddenFields({ action: 'update' })}${terms(locale, auction, refusedOf(refused, 'update'))}<button>${locale.t.forms.save}</button></form>`
          }
          <div class="row top-aligned">
            ${status === 'active' && careful({ fields: { action: 'cancel' }, label: t.cancelAuction, warning: t.cancelWarning, confirm: t.confirmCancel })}
            ${bidCount === 0 && careful({ fields: { action: 'delete' }, label: t.delete, warning: t.deleteAuction, confirm: t.confirmDelete })}
          </div>
        </section>`
      }
    `,
  )
}

function bidItem(
  locale: AdminLocale,
  { id, bidAmount, bidder, placedAt }: AdminAuctionData['bids'][number],
  currency: string,
): Content {
  const { admin: t } = locale.t
  return html`
    <li class="row spread top-aligned" key=${id}>
      <span><b>${locale.money(bidAmount, currency)}</b> <span dir="auto">${bidder}</span> <span class="quiet">${at(locale, placedAt)}</span></span>
      <details class="careful">
        <summary class="danger-button">${t.voidBid}</summary>
        <form method="post" class="stack">
          ${hiddenFields({ action: 'void', bidId: id })}
          <p>${t.voidWarning}</p>
          ${field({ id: `reason-${id}`, name: 'reason', label: t.voidReason, maxlength: 200 })}
          <button class="danger-button">${t.confirmVoid}</button>
        </form>
      </details>
    </li>
  `
}

function offerItem(locale: AdminLocale, offer: Auction['offers'][number], currency: string): Content {
  const { admin: t } = locale.t
  return html`
    <li class="stack" key=${offer.id}>
      <p class="row"><b>${locale.money(offer.amount, currency)}</b>${offerTags(locale, offer)}${userLink(locale, offer.userId, t.bidder)}<span class="quiet">${t.payUntil} ${at(locale, offer.expiresAt)}</span></p>
      ${offer.refund?.lastError && html`<p class="hint">${offer.refund.lastError}</p>`}
    </li>
  `
}
