// The log of an endpoint, which shows attempts as they happen, or what became of its message.
import { endpointView } from '../components/owner/endpoint.ts'
import { ownerTab } from '../components/owner/frame.ts'
import { api } from './api.ts'
import { live } from './live.ts'
import { showWaiting } from './waiting.ts'

const page = live(ownerTab('endpoints', endpointView))
showWaiting()

const SOON_MS = 1_000
const LATER_MS = 5_000
const query = new URLSearchParams(location.search)

async function refresh(): Promise<void> {
  const { server, endpoint, status } = page.data
  const path = { id: server.id, endpointId: endpoint.id }
  if ('message' in endpoint) {
    const current = await api.get('/servers/{id}/endpoints/{endpointId}', { path })
    page.show({ ...page.data, endpoint: current, now: Date.now() })
    return
  }
  const list = await api.get('/servers/{id}/endpoints/{endpointId}/deliveries', {
    path,
    query: { page: Number(query.get('page') ?? 1), ...(status ? { status } : {}) },
  })
  page.show({ ...page.data, ...list, now: Date.now() })
}

function again(): void {
  const isWaiting = page.data.deliveries.some(({ status }) => status === 'pending')
  setTimeout(
    async () => {
      if (!document.hidden) await refresh().catch(() => undefined) // the next one may work
      again()
    },
    isWaiting ? SOON_MS : LATER_MS,
  )
}
again()
