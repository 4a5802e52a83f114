// Auctions: the list, and a new one.
import { choice, field, form, type RefusedForm } from '../fields.ts'
import { html } from '../html.ts'
import { table } from '../lists.ts'
import { tag } from '../parts.ts'
import type { Schemas } from '../types.ts'
import { type AdminLocale, adminPath, at, choiceFilter } from './frame.ts'
import { type List, list } from './list.ts'

type Slot = Schemas['AdSlot']
type Auction = Schemas['AdminAuction']

const AUCTION_STATUSES = ['active', 'completed', 'canceled'] as const
/** Of all auctions; a new one has none yet. */
const CURRENCY = 'USD'

export const adminAuctionPath = (id: string) => `${adminPath('auctions')}/${id}`

export interface AdminAuctionsData extends List {
  auctions: Auction[]
  /** Active ones. */
  slots: Slot[]
}

export function adminAuctionsView(locale: AdminLocale, data: AdminAuctionsData) {
  const { admin: t } = locale.t
  const { auctions, slots, query, refused } = data
  return list(locale, 'auctions', data, {
    intro: html`
      <details class="card" open=${refused !== undefined}>
        <summary><h2>${t.newAuction}</h2></summary>
        ${slots.length === 0 ? html`<p><a href=${locale.href(adminPath('slots'))}>${t.noSlots}</a></p>` : newAuctionForm(locale, slots, refused)}
      </details>
    `,
    filters: choiceFilter(query, 'status', t.status, [
      ['', t.any],
      ...AUCTION_STATUSES.map((status) => [status, t.auctionStatuses[status]] as const),
    ]),
    items: table(
      t.areas.auctions,
      [t.auctionTitle, t.status, t.place, t.endsAt, t.amount, t.bids, t.offers],
      auctions.map((auction) => auctionRow(locale, auction)),
    ),
  })
}

export const money = (locale: AdminLocale, cents: number | null, currency: string) =>
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

export const statusTag = ({ t: { admin: t } }: AdminLocale, { status }: Auction) =>
  tag(({ active: 'good', completed: '', canceled: 'warn' } as const)[status], t.auctionStatuses[status])

const OFFER_TONES = {
  open: 'warn',
  paid: 'good',
  expired: '',
  withdrawn: '',
  refunded: '',
  refund_due: 'warn',
} as const

export const offerTags = ({ t: { admin: t } }: AdminLocale, { status, refund }: Auction['offers'][number]) => [
  tag(OFFER_TONES[status], t.offerStatuses[status]),
  refund && tag(refund.status === 'failed' ? 'bad' : '', t.refunds[refund.status]),
]

/** As `datetime-local` takes it. */
const fieldTime = (instant: string | undefined) => instant?.slice(0, 16)

export function terms(locale: AdminLocale, auction: Partial<Auction>, refused: RefusedForm | undefined) {
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
  const options = slots.map((slot) => [slot.id, nameOf(slot)] as const)
  return form(t.create, {})`
    ${choice({ name: 'slotId', label: t.slot, refused, options })}
    ${terms(locale, {}, refused)}
  `
}
