// An auction with its bids and offers.
import { type AdminLocale, adminFrame, adminPath } from '../../components/admin/frame.ts'
import { auctionPath } from '../../components/auctions.ts'
import { field, form, refusedOf } from '../../components/fields.ts'
import { confirmButton } from '../../components/forms.ts'
import { type Content, html } from '../../components/html.ts'
import { card, inEnglish, lines } from '../../components/parts.ts'
import type { Schemas } from '../../components/types.ts'
import { adminAuctionPath, offerTags, statusTag, terms, termsOf } from './auctions.ts'
import { targetLink, timeOrNone } from './list.ts'
import { adminPage } from './page.ts'

export const adminAuctionPage = adminPage({
  path: '/admin/auctions/{id}',
  async data({ api, params: path }) {
    const auction = await api.get('/admin/auctions/{id}', { path })
    const { bids } = await api.get('/auctions/{id}', { path })
    return { auction, bids }
  },
  title: (_locale, { auction }) => auction.title,
  view(locale, data) {
    const { admin: t } = locale.t
    const { auction, bids, refused } = data
    const { id, location, tier, startsAt, endsAt, currentBid, currency, hasBids, recurs, status } = auction
    const mayBeDeleted = !hasBids && !recurs
    return adminFrame(
      locale,
      'auctions',
      data,
      auction.title,
      html`
        <p class="row">
          ${statusTag(locale, auction)}<span>${location}, ${tier}</span><span>${t.auctions.startsAt}: ${timeOrNone(locale, startsAt)}</span>
          <span>${t.auctions.endsAt}: ${timeOrNone(locale, endsAt)}</span>
          <b>${locale.money(currentBid, currency)}</b>
          <a href=${locale.href(auctionPath(id))}>${t.auctions.publicPage}</a>
          <a href=${locale.href(adminPath('audit'), { targetId: id })}>${t.common.showAudit}</a>
        </p>
        ${card(t.auctions.bids)`
          ${lines(
            bids.map((bid) => bidItem(locale, bid, currency)),
            t.auctions.noBids,
          )}
        `}
        ${card(t.auctions.offers)`
          ${lines(
            auction.offers.map((offer) => offerItem(locale, offer, currency)),
            t.auctions.noOffers,
          )}
        `}
        ${
          (status === 'active' || mayBeDeleted) &&
          html`<section class="card stack">
            <h2>${t.common.change}</h2>
            ${
              status === 'active' &&
              (hasBids
                ? html`<p class="quiet">${t.auctions.hasBids}</p>`
                : form(locale.t.forms.save, { action: 'update' })`
                  ${terms(locale, auction, refusedOf(refused, 'update'))}
                `)
            }
            <div class="row top-aligned">
              ${status === 'active' && confirmButton({ fields: { action: 'cancel' }, label: t.auctions.cancelAuction, warning: t.auctions.cancelWarning, confirm: t.auctions.confirmCancel })}
              ${mayBeDeleted && confirmButton({ fields: { action: 'delete' }, label: t.common.delete, warning: t.auctions.deleteAuction, confirm: t.common.confirmDelete })}
            </div>
          </section>`
        }
      `,
    )
  },
  async post({ api, params: path, locale, form }) {
    const there = (done: string) => locale.href(adminAuctionPath(path.id), { done })
    if (form.action === 'delete') {
      await api.delete('/admin/auctions/{id}', { path })
      return locale.href(adminPath('auctions'), { done: 'deleted' })
    }
    if (form.action === 'void') {
      const { bidId = '', reason } = form
      await api.post('/admin/auctions/{id}/bids/{bidId}/void', {
        path: { ...path, bidId },
        body: reason ? { reason } : {},
      })
      return there('voided')
    }
    const isCancel = form.action === 'cancel'
    await api.patch('/admin/auctions/{id}', { path, body: isCancel ? { status: 'canceled' } : termsOf(form) })
    return there(isCancel ? 'canceled' : 'saved')
  },
})

function bidItem(
  locale: AdminLocale,
  { id, bidAmount, bidder, placedAt }: Schemas['AuctionDetail']['bids'][number],
  currency: string,
): Content {
  const { admin: t } = locale.t
  return html`
    <li class="row spread top-aligned" key=${id}>
      <span><b>${locale.money(bidAmount, currency)}</b> <span dir="auto">${bidder}</span> <span class="quiet">${timeOrNone(locale, placedAt)}</span></span>
      ${confirmButton({
        fields: { action: 'void', bidId: id },
        label: t.auctions.voidBid,
        warning: t.auctions.voidWarning,
        confirm: t.auctions.confirmVoid,
        asks: field({ id: `reason-${id}`, name: 'reason', label: t.auctions.voidReason, maxlength: 200 }),
      })}
    </li>
  `
}

function offerItem(locale: AdminLocale, offer: Schemas['AdminAuction']['offers'][number], currency: string): Content {
  const { admin: t } = locale.t
  return html`
    <li class="stack" key=${offer.id}>
      <p class="row"><b>${locale.money(offer.amount, currency)}</b>${offerTags(locale, offer)}${targetLink(locale, 'users', offer.userId, t.auctions.bidder)}<span class="quiet">${t.auctions.payUntil} ${timeOrNone(locale, offer.expiresAt)}</span></p>
      ${offer.refund?.lastError && html`<p class="hint">${inEnglish(offer.refund.lastError)}</p>`}
      ${offer.obstacles.map(({ kind, beganAt, endedAt }) => html`<p class="hint">${t.auctions.obstacles[kind]}, ${timeOrNone(locale, beganAt)} – ${endedAt && timeOrNone(locale, endedAt)}</p>`)}
    </li>
  `
}
