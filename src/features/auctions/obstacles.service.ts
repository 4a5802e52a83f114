// Keeps an offer open while it can't be paid, and gives its bidder the whole time once it can
// (docs/decisions/0009-auctions.md).
import type { Deps } from '../../deps.ts'
import type { ProcessSettings } from '../../platform/config/settings.ts'
import { readClock } from '../../platform/db/clock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { HOUR_MS } from '../../platform/durations.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { pageLink } from '../../platform/http/page-link.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import {
  findPaidOrProcessing,
  hasPayablePage,
  type PageLanguage,
  type PaymentOrder,
  type PaymentPage,
  type Payments,
} from '../billing/index.ts'
import type { ObstacleKind } from './auctions.schema.ts'
import { CURRENCY } from './auctions.schema.ts'
import { type LockedAuction, lockAuction } from './auctions.store.ts'
import { notifyWinner, OFFER_HOURS } from './lead.service.ts'
import { beginObstacle, copySlotPauses, endObstacle, findCurrentObstacles } from './obstacles.sql.ts'
import { findLiveOffer, type OfferRow, updateOffer } from './offers.store.ts'

export interface RefreshedOffer extends OfferRow {
  /** What keeps it from being paid now. */
  obstacles: ObstacleKind[]
  isExtended: boolean
}

/** Gives the bidder the whole time again, from the end of the last obstacle. */
export async function extendOffer(tx: Db, offer: OfferRow, obstacleEnds: readonly Date[]): Promise<Date | undefined> {
  const latest = Math.max(...obstacleEnds.map((end) => end.getTime() + OFFER_HOURS * HOUR_MS))
  if (latest <= offer.expiresAt.getTime()) return undefined
  const expiresAt = new Date(latest)
  await updateOffer(tx, offer.id, { expiresAt })
  return expiresAt
}

/**
 * Brings the obstacles of an open offer up to date with its slot and the settings. The caller has locked the auction.
 */
export async function refreshObstacles(
  tx: Db,
  payments: Pick<Payments, 'isOn'>,
  offer: OfferRow,
  now: Date,
): Promise<RefreshedOffer> {
  const ends = await copySlotPauses(tx, offer.id)
  if (!payments.isOn) await beginObstacle(tx, offer.id, 'billing_off', now)
  else if (await endObstacle(tx, offer.id, 'billing_off', now)) ends.push(now)
  const expiresAt = await extendOffer(tx, offer, ends)
  const obstacles = await findCurrentObstacles(tx, offer.id)
  return { ...offer, expiresAt: expiresAt ?? offer.expiresAt, obstacles, isExtended: expiresAt !== undefined }
}

interface OpenOffer {
  auction: LockedAuction
  offer: OfferRow
  /** By the database's clock. */
  now: Date
}

/**
 * Notifies a bidder who can pay again, unless a payment of theirs has arrived or is on its way, as a
 * bank debit is for days.
 */
export async function notifyExtended(tx: Db, jobs: JobQueue, open: OpenOffer): Promise<void> {
  const { id } = open.offer
  const paying = await findPaidOrProcessing(tx, [id])
  if (!paying.has(id)) await notifyWinner(tx, jobs, open)
}

type ObstacleDeps = Pick<Deps, 'pool' | 'jobs' | 'log' | 'settings'> & { payments: Payments }

/** Runs `work` with the auction locked, if its offer is open. */
async function withOpenOffer<Result>(
  { pool }: Pick<Deps, 'pool'>,
  auctionId: string,
  work: (tx: Db, open: OpenOffer) => Promise<Result>,
): Promise<Result | undefined> {
  return inTransaction(pool, async (tx) => {
    const auction = await lockAuction(tx, auctionId)
    if (!auction) return undefined
    const offer = await findLiveOffer(tx, auctionId)
    return offer?.status === 'open' ? work(tx, { auction, offer, now: await readClock(tx) }) : undefined
  })
}

/** Brings the obstacles of an auction's open offer up to date, and notifies its bidder if none is left. */
async function updateObstacles(deps: ObstacleDeps, auctionId: string) {
  const { jobs, payments } = deps
  return withOpenOffer(deps, auctionId, async (tx, open) => {
    const { auction, now } = open
    const offer = await refreshObstacles(tx, payments, open.offer, now)
    if (offer.isExtended && offer.obstacles.length === 0) await notifyExtended(tx, jobs, { auction, offer, now })
    return { auction, offer }
  })
}

/** Records obstacles that began or ended. The sweep calls this. */
export async function recordObstacles(deps: ObstacleDeps, auctionId: string): Promise<void> {
  const updated = await updateObstacles(deps, auctionId)
  if (!updated) return
  const { obstacles } = updated.offer
  deps.log.info({ auctionId, obstacles }, 'what keeps an offer from being paid has changed')
}

/** Text for the payer, in the language of the page; the browser's language is unknown here. */
const DAYS: Record<NonNullable<PageLanguage>, (days: number) => string> = {
  en: (days) => (days === 1 ? '1 day' : `${days} days`),
  de: (days) => (days === 1 ? '1 Tag' : `${days} Tage`),
}

type PageDeps = Omit<ObstacleDeps, 'log'>

/** What a payment page of an offer is created from. */
interface OfferPage {
  auction: LockedAuction
  offer: Pick<RefreshedOffer, 'id' | 'userId' | 'amount' | 'expiresAt' | 'obstacles'>
  language?: PageLanguage
}

function orderOf(
  settings: Pick<ProcessSettings, 'PUBLIC_BASE_URL' | 'SITE'>,
  { auction, offer, language }: OfferPage,
): PaymentOrder {
  const { id, title, placementDays } = auction
  const path = pageLink(settings, { page: `/auctions/${id}`, operation: `/api/auctions/${id}` })
  const page = language ? `${path}?lang=${language}` : path
  // The provider replaces the braces, which must not be encoded. The API's operation knows no such parameter.
  const paid = `${page}${language ? '&' : '?'}session_id={CHECKOUT_SESSION_ID}`
  return {
    userId: offer.userId,
    amountCents: offer.amount,
    currency: CURRENCY,
    description: `${title}, ${DAYS[language ?? 'en'](placementDays)}`,
    reference: offer.id,
    successUrl: settings.SITE === 'off' ? page : paid,
    ...(language && { language }),
    cancelUrl: page,
    idempotencyKey: `auction-offer-${offer.id}`,
    expiresAt: offer.expiresAt,
  }
}

/**
 * Opens the payment page of an offer for its bidder.
 * @throws ApiError 503 if payments are off or the provider is down
 */
export async function openOfferPage(deps: PageDeps, offerPage: OfferPage): Promise<PaymentPage> {
  const { auction, offer } = offerPage
  const page = await createPage(deps, offerPage)
  if (offer.obstacles.includes('provider_unavailable'))
    await endUnavailability(deps, auction.id, { isBidderAway: false })
  return page
}

/**
 * A failure is an obstacle that lasts until the bidder or the sweep creates a page. It is none if another request has
 * created one meanwhile.
 * @throws as `openOfferPage`
 */
async function createPage(deps: PageDeps, offerPage: OfferPage): Promise<PaymentPage> {
  const { payments, settings } = deps
  return payments.createPaymentSession(orderOf(settings, offerPage)).catch(async (error: unknown) => {
    if (payments.isOn && error instanceof ApiError && error.status === 503)
      await withOpenOffer(deps, offerPage.auction.id, async (tx, { offer: { id }, now }) => {
        if (!(await hasPayablePage(tx, id, now.getTime()))) await beginObstacle(tx, id, 'provider_unavailable', now)
      })
    throw error
  })
}

/**
 * The provider has created a page. Of bidder and sweeps that are first at the same time, only one extends
 * the offer and notifies.
 */
async function endUnavailability(
  deps: PageDeps,
  auctionId: string,
  { isBidderAway }: { isBidderAway: boolean },
): Promise<void> {
  await withOpenOffer(deps, auctionId, async (tx, { auction, offer, now }) => {
    if (!(await endObstacle(tx, offer.id, 'provider_unavailable', now))) return
    const expiresAt = (await extendOffer(tx, offer, [now])) ?? offer.expiresAt
    if (isBidderAway) await notifyWinner(tx, deps.jobs, { auction, offer: { ...offer, expiresAt }, now })
  })
}

/**
 * Opens the page of an offer that waits for the provider, which shows whether the provider is back.
 * The sweep calls this.
 */
export async function retryProvider(deps: ObstacleDeps, auctionId: string): Promise<void> {
  const { log } = deps
  const updated = await updateObstacles(deps, auctionId)
  if (!updated) return
  const { auction, offer } = updated
  if (!offer.obstacles.includes('provider_unavailable') || offer.obstacles.length > 1) return
  try {
    await createPage(deps, { auction, offer })
  } catch (err) {
    if (!(err instanceof ApiError)) throw err
    log.warn({ err, auctionId }, 'the payment page of an auction still can’t be opened; the next sweep tries again')
    return
  }
  await endUnavailability(deps, auctionId, { isBidderAway: true })
}
