// The page of an endpoint, live: its log with attempts as they happen, or the state of its message.
import { endpointView } from '../components/owner/endpoint.ts'
import { ownerTab } from '../components/owner/frame.ts'
import { api, serverNow } from './api.ts'
import { live } from './live.ts'
import { readAgain } from './reading.ts'
import { showWaiting } from './waiting.ts'

const page = live(ownerTab('endpoints', endpointView))
showWaiting()

const ATTEMPT_MS = 1_000
/** Reads are frequent from 5 s before an attempt is due to 20 s after, because it takes at most ten seconds. */
const [SOON_MS, RUNNING_MS] = [5_000, 20_000]
const query = new URLSearchParams(location.search)

async function refresh(): Promise<void> {
  const { server, endpoint, status } = page.data
  const path = { id: server.id, endpointId: endpoint.id }
  if ('message' in endpoint) {
    const current = await api.get('/servers/{id}/endpoints/{endpointId}', { path })
    page.show({ ...page.data, endpoint: current, now: serverNow() })
    return
  }
  const list = await api.get('/servers/{id}/endpoints/{endpointId}/deliveries', {
    path,
    query: { page: Number(query.get('page') ?? 1), ...(status ? { status } : {}) },
  })
  page.show({ ...page.data, ...list, now: serverNow() })
}

/** Whether an attempt is about to begin, or runs. */
const isAttempted = () =>
  page.data.deliveries.some(({ nextAttemptAt }) => {
    const left = nextAttemptAt === null ? Number.NaN : Date.parse(nextAttemptAt) - serverNow()
    return left < SOON_MS && left > -RUNNING_MS
  })

readAgain(refresh, { urgentMs: () => (isAttempted() ? ATTEMPT_MS : undefined) })
