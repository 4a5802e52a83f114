// Auctions: the list, and a new one.
import { type AdminLocale, adminPath } from '../../components/admin/frame.ts'
import { choice, field, form, type RefusedForm } from '../../components/fields.ts'
import { html } from '../../components/html.ts'
import { table } from '../../components/lists.ts'
import { tag } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { centsOf } from '../../form.ts'
import { choiceFilter, listPage, timeOrNone } from './list.ts'

type Slot = Schemas['AdSlot']
type Auction = Schemas['AdminAuction']

/** The currency of all auctions, for a new one, which has no currency yet. */
const CURRENCY = 'USD'

export const adminAuctionPath = (id: string) => `${adminPath('auctions')}/${id}`

export const adminAuctionsPage = listPage({
  area: 'auctions',
  query: ['status'],
  async data({ api }, query) {
    const [list, { adSlots }] = await Promise.all([
      api.get('/admin/auctions', { query }),
      api.get('/admin/ad-slots', { query: { limit: 100 } }),
    ])
    return { ...list, slots: adSlots.filter(({ isActive }) => isActive) }
  },
  view(locale, { auctions, slots, query, refused }) {
    const { admin: t } = locale.t
    return {
      intro: html`
        <details class="card" open=${refused !== undefined}>
          <summary><h2>${t.auctions.newAuction}</h2></summary>
          ${slots.length === 0 ? html`<p><a href=${locale.href(adminPath('slots'))}>${t.auctions.noSlots}</a></p>` : newAuctionForm(locale, slots, refused)}
        </details>
      `,
      filters: choiceFilter(query, 'status', t.common.status, [
        ['', t.common.any],
        ...Object.entries(t.auctions.statuses),
      ]),
      items: table(
        t.frame.areas.auctions,
        [
          t.auctions.title,
          t.common.status,
          t.auctions.place,
          t.auctions.startsAt,
          t.auctions.endsAt,
          t.auctions.amount,
          t.auctions.bids,
          t.auctions.offers,
        ],
        auctions.map((auction) => auctionRow(locale, auction)),
      ),
    }
  },
  async post(input) {
    const body = { ...termsOf(input.form), slotId: input.form.slotId ?? '' }
    const { id } = await input.api.post('/admin/auctions', { body })
    return input.locale.href(adminAuctionPath(id), { done: 'created' })
  },
})

function auctionRow(locale: AdminLocale, auction: Auction) {
  const { id, title, status, location, tier, startsAt, endsAt, currentBid, currency, bidCount, offers } = auction
  return html`
    <tr key=${id}>
      <th scope="row"><a href=${locale.href(adminAuctionPath(id))} dir="auto">${title}</a></th>
      <td>${statusTag(locale, auction)}</td>
      <td>${location}, ${tier}</td>
      <td>${timeOrNone(locale, startsAt)}</td>
      <td>${timeOrNone(locale, endsAt)}</td>
      <td class="number">${locale.money(currentBid, currency)}</td>
      <td class="number">${locale.number(bidCount)}</td>
      <td>${offers.map((offer) => offerTags(locale, offer))}${offers.length === 0 && status === 'completed' && '–'}</td>
    </tr>
  `
}

export const statusTag = ({ t: { admin: t } }: AdminLocale, { status }: Auction) =>
  tag(({ active: 'good', completed: '', canceled: 'warn' } as const)[status], t.auctions.statuses[status])

const OFFER_TONES = {
  open: 'warn',
  paid: 'good',
  expired: '',
  withdrawn: '',
  refunded: '',
  refund_due: 'warn',
} as const

export const offerTags = ({ t: { admin: t } }: AdminLocale, { status, refund }: Auction['offers'][number]) => [
  tag(OFFER_TONES[status], t.auctions.offerStatuses[status]),
  refund && tag(refund.status === 'failed' ? 'bad' : '', t.auctions.refunds[refund.status]),
]

/** Converts a time that was typed in UTC; returns the text itself if it is no time, so that the API refuses it. */
function instantOf(typed = ''): string {
  const time = new Date(`${typed}Z`)
  return Number.isNaN(time.getTime()) ? typed : time.toISOString()
}

export const termsOf = (form: Record<string, string>) => ({
  title: form.title ?? '',
  ...(form.startsAt ? { startsAt: instantOf(form.startsAt) } : {}),
  endsAt: instantOf(form.endsAt),
  startingBid: centsOf(form.startingBid),
  minimumIncrement: centsOf(form.minimumIncrement),
  placementDays: Number(form.placementDays),
  ...(form.softCloseSeconds ? { softCloseSeconds: Number(form.softCloseSeconds) } : {}),
})

/** A time in the format of `datetime-local`. */
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
    ${field({ name: 'title', label: t.auctions.title, value: auction.title, required: true, maxlength: 100, refused })}
    ${field({ name: 'startsAt', label: t.auctions.startsAt, value: fieldTime(auction.startsAt), ...time, ...(isNew ? { hint: t.auctions.startsNow } : { required: true }) })}
    ${field({ name: 'endsAt', label: t.auctions.endsAt, value: fieldTime(auction.endsAt), required: true, ...time })}
    ${field({ name: 'startingBid', label: locale.say(t.auctions.startingBid, { currency }), ...amount(auction.startingBid), ...decimal })}
    ${field({ name: 'minimumIncrement', label: locale.say(t.auctions.minimumIncrement, { currency }), ...amount(auction.minimumIncrement), ...decimal })}
    ${field({ name: 'placementDays', label: t.auctions.placementDays, value: auction.placementDays ?? 7, ...number, required: true })}
    ${field({ name: 'softCloseSeconds', label: t.auctions.softCloseSeconds, value: auction.softCloseSeconds, hint: isNew && t.auctions.softCloseHint, ...number })}
  `
}

function newAuctionForm(locale: AdminLocale, slots: Slot[], refused: RefusedForm | undefined) {
  const { admin: t } = locale.t
  const nameOf = ({ name, location, tier }: Slot) => `${name} (${location}, ${tier})`
  const options = slots.map((slot) => [slot.id, nameOf(slot)] as const)
  return form(t.common.create)`
    ${choice({ name: 'slotId', label: t.auctions.slot, refused, options })}
    ${terms(locale, {}, refused)}
  `
}
