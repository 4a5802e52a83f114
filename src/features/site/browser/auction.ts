// An auction, live: bids and the countdown.
import { type AuctionData, auctionView, minimumBid } from '../components/auctions.ts'
import { ApiError, api, serverNow } from './api.ts'
import { refreshEachSecond } from './clock.ts'
import { live } from './live.ts'
import { showWaiting } from './waiting.ts'

const page = live(auctionView)
showWaiting()
const { id } = page.data.auction
/** The auction when the visitor's part of the page was read. */
let known = page.data.auction

/** How long after the auction's end the winner's offer may still be missing. */
const OFFER_MS = 600_000

void refreshEachSecond(
  page,
  async () => {
    const auction = await api.get('/auctions/{id}', { path: { id } })
    const isProposed = document.querySelector('#amount') !== null
    const own = hasChanged(auction) ? await readOwn(auction) : {}
    return { auction, ...own, ...(isProposed ? {} : { proposedBid: minimumBid(auction) }) }
  },
  ({ auction }) => [auction],
)

/**
 * Whether the visitor's part must be read again. Offers and payments do not change the auction, so
 * both are looked for too.
 */
function hasChanged({ status, currentBid, bidCount, endsAt }: AuctionData['auction']): boolean {
  const { own, servers } = page.data
  if (servers === null) return false
  const isSame = status === known.status && currentBid === known.currentBid && bidCount === known.bidCount
  const sinceEnd = serverNow() - Date.parse(endsAt)
  const isOfferDue = own?.offer === null && sinceEnd > 0 && sinceEnd < OFFER_MS
  return !isSame || isOfferDue || own?.offer?.status === 'open'
}

/** Reads the visitor's part: empty if the session has ended. Without a reply, the page keeps what it shows. */
async function readOwn(
  auction: AuctionData['auction'],
): Promise<Partial<Pick<AuctionData, 'own' | 'servers' | 'typed'>>> {
  try {
    const { auctions } = await api.get('/user/auctions', { query: { auctionId: id } })
    known = auction
    return { own: auctions[0] ?? null }
  } catch (error) {
    const isOver = error instanceof ApiError && error.code === 'unauthenticated'
    return isOver ? { own: null, servers: null, typed: typedBid() } : {}
  }
}

/** What is in the form now. */
const typedBid = (): Record<string, string> =>
  Object.fromEntries(
    [...document.querySelectorAll<HTMLInputElement>('#amount, #serverId')].map(({ name, value }) => [name, value]),
  )
