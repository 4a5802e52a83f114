// The overview of administrators and moderators, live.
import { overviewView, readOverview } from '../components/admin/overview.ts'
import { api } from './api.ts'
import { live } from './live.ts'
import { readAgain } from './reading.ts'

/** The time between reads: each takes five requests. */
const READ_MS = 60_000

const page = live(overviewView)
readAgain(async () => page.show({ ...page.data, ...(await readOverview(api, page.data.isAdmin)) }), { calmMs: READ_MS })
