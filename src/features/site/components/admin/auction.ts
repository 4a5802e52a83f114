// An auction with its bids and offers.
import { auctionPath } from '../auctions.ts'
import { field, form } from '../fields.ts'
import { careful } from '../forms.ts'
import { type Content, html } from '../html.ts'
import { card, inEnglish, lines } from '../parts.ts'
import { refusedOf } from '../refusal.ts'
import type { Schemas } from '../types.ts'
import { money, offerTags, statusTag, terms } from './auctions.ts'
import { type AdminLocale, type AdminPage, adminFrame, adminPath, at, targetLink } from './frame.ts'

type Auction = Schemas['AdminAuction']

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
      ${card(t.bids)`
        ${lines(
          bids.map((bid) => bidItem(locale, bid, currency)),
          t.noBids,
        )}
      `}
      ${card(t.offers)`
        ${lines(
          auction.offers.map((offer) => offerItem(locale, offer, currency)),
          t.noOffers,
        )}
      `}
      ${
        status !== 'canceled' &&
        html`<section class="card stack">
          <h2>${t.change}</h2>
          ${
            bidCount > 0
              ? html`<p class="quiet">${t.hasBids}</p>`
              : form(locale.t.forms.save, { action: 'update' })`
                ${terms(locale, auction, refusedOf(refused, 'update'))}
              `
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
      ${careful({
        fields: { action: 'void', bidId: id },
        label: t.voidBid,
        warning: t.voidWarning,
        confirm: t.confirmVoid,
        asks: field({ id: `reason-${id}`, name: 'reason', label: t.voidReason, maxlength: 200 }),
      })}
    </li>
  `
}

function offerItem(locale: AdminLocale, offer: Auction['offers'][number], currency: string): Content {
  const { admin: t } = locale.t
  return html`
    <li class="stack" key=${offer.id}>
      <p class="row"><b>${locale.money(offer.amount, currency)}</b>${offerTags(locale, offer)}${targetLink(locale, 'users', offer.userId, t.bidder)}<span class="quiet">${t.payUntil} ${at(locale, offer.expiresAt)}</span></p>
      ${offer.refund?.lastError && html`<p class="hint">${inEnglish(offer.refund.lastError)}</p>`}
    </li>
  `
}
