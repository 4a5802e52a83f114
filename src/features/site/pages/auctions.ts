// Auctions of places for servers.
import { withoutUndefined } from '../../../platform/without-undefined.ts'
import {
  type AuctionData,
  type AuctionsData,
  auctionPath,
  auctionsView,
  auctionView,
  isProcessing,
  minimumBid,
} from '../components/auctions.ts'
import type { Client } from '../components/client.ts'
import type { Problem, RefusedForm } from '../components/fields.ts'
import type { Locale } from '../components/locale.ts'
import { centsOf } from '../form.ts'
import { fallbackOn, page } from '../page.ts'
import { isCheckoutOpen } from './checkout.ts'
import { findListed } from './listed-servers.ts'

const REFRESH_SECONDS = 5

export const auctionsPage = page({
  path: '/auctions',
  texts: ['auctions'],
  shared: true,
  script: 'auctions.ts',
  async data({ api }): Promise<AuctionsData> {
    const [{ auctions }, { places }] = await Promise.all([api.get('/auctions'), api.get('/placement-reach')])
    return { auctions, places, now: Date.now() }
  },
  head: ({ t: { auctions } }) => ({
    title: auctions.title,
    description: auctions.description,
    styles: 'offers.css',
  }),
  view: auctionsView,
})

export const auctionPage = page({
  path: '/auctions/{id}',
  texts: ['auctions'],
  query: ['placed', 'session_id'],
  kept: ['amount', 'serverId'],
  script: 'auction.ts',
  async data({ api, params, query, typed, locale, refused, once }): Promise<AuctionData> {
    const [auction, { places }, isPaying] = await Promise.all([
      api.get('/auctions/{id}', { path: params }),
      api.get('/placement-reach'),
      query.session_id ? isCheckoutOpen(api, query.session_id) : false,
    ])
    // The page is public, so a visitor without a session is not redirected to the login.
    const own = await fallbackOn(401, { own: null, servers: null }, readOwn(api, params.id))
    const { currency } = auction
    return {
      auction,
      ...own,
      proposedBid: minimumBid(auction),
      typed: refused?.form ?? typed,
      refused: refused ? ofBid(refused, textOf(locale, refused, currency)) : null,
      placed: query.placed === 'true',
      isPaying,
      reach: places.find(({ location }) => location === auction.location) ?? null,
      payAt: (once?.payAt as string | undefined) ?? null,
      now: Date.now(),
    }
  },
  head: ({ t: { auctions } }, data) => ({
    title: data.auction.title,
    description: auctions.description,
    styles: 'offers.css',
    ...(data.payAt !== null && { leadsTo: data.payAt }),
    ...(isProcessing(data) && { refreshSeconds: REFRESH_SECONDS }),
  }),
  view: auctionView,
  async post({ api, params: path, form, locale }) {
    const { serverId } = form
    const server = serverId ? { serverId } : {}
    // A form may not redirect to another origin (Content-Security-Policy), so the page in its reply does.
    if (form.action === 'pay') {
      const body = { ...server, ...withoutUndefined({ language: locale.isChosen ? locale.language : undefined }) }
      return { payAt: (await api.post('/auctions/{id}/checkout', { path, body })).url }
    }
    await api.post('/auctions/{id}/bid', { path, body: { bidAmount: centsOf(form.amount), ...server } })
    return locale.href(auctionPath(path.id), { placed: 'true' })
  },
})

async function readOwn(api: Client, auctionId: string) {
  const [{ auctions }, { servers }] = await Promise.all([
    api.get('/user/auctions', { query: { auctionId } }),
    api.get('/user/servers', { query: { limit: 100 } }),
  ])
  // A bid can be for a listed server only.
  const listed = await findListed(
    api,
    servers.map(({ id }) => id),
  )
  return { own: auctions[0] ?? null, servers: [...listed.values()].map(({ id, name }) => ({ id, name })) }
}

/** The refusal of a bid: marks the amount if that is wrong. */
function ofBid(refused: RefusedForm, text: string | undefined) {
  const isAmount = ['bid_too_low', 'bid_too_high', 'validation_failed'].includes(refused.code) && text !== undefined
  const problem: Problem = { path: 'amount', message: text ?? '', isTranslated: true, isSentence: true }
  return { ...refused, text, fields: isAmount ? { details: [problem] } : {} }
}

function textOf(locale: Locale<'auctions'>, { code, fields }: RefusedForm, currency: string): string | undefined {
  const { auctions: t } = locale.t
  const money = (cents: unknown) => locale.money(Number(cents), currency)
  if (code === 'bid_too_low') return locale.say(t.tooLow, { amount: money(fields.minimumBid) })
  if (code === 'bid_too_high') return locale.say(t.tooHigh, { amount: money(fields.maximumBid) })
  if (code === 'own_lead') return t.ownLead
  if (code === 'auction_closed') return t.over
  if (code === 'unauthenticated') return t.sessionOver
  if (code === 'email_not_verified') return t.verifyFirst
  if (code === 'billing_unavailable') return t.paymentsOff
  return code === 'validation_failed' && JSON.stringify(fields).includes('bidAmount') ? t.invalid : undefined
}
