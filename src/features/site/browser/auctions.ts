// The list of auctions, live: prices and countdowns.
import { auctionsView } from '../components/auctions.ts'
import { api } from './api.ts'
import { refreshEachSecond } from './clock.ts'
import { live } from './live.ts'

void refreshEachSecond(
  live(auctionsView),
  () => api.get('/auctions'),
  ({ auctions }) => auctions,
)
