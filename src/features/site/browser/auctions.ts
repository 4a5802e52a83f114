// The list of auctions, live: prices and countdowns.
import { auctionsView } from '../components/auctions.ts'
import { api } from './api.ts'
import { ticking } from './clock.ts'
import { live } from './live.ts'

const page = live(auctionsView)
ticking(page, () => api.get('/auctions'))
