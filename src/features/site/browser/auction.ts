// An auction, live: bids and the countdown.
import { auctionView, minimumBid } from '../components/auctions.ts'
import { api } from './api.ts'
import { refreshEachSecond } from './clock.ts'
import { live } from './live.ts'

const page = live(auctionView)
const { id } = page.data.auction
refreshEachSecond(page, async () => {
  const auction = await api.get('/auctions/{id}', { path: { id } })
  if (page.data.servers === null) return { auction }
  const { auctions } = await api.get('/user/auctions', { query: { auctionId: id } })
  const isProposed = document.querySelector('#amount') !== null
  return { auction, own: auctions[0] ?? null, ...(isProposed ? {} : { proposedBid: minimumBid(auction) }) }
})
