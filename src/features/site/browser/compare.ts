// The comparison, live. Reads the peaks, which the server's document lacks because they are not in memory.
import { compareView } from '../components/compare.ts'
import { reportActions } from './actions.ts'
import { api } from './api.ts'
import { live } from './live.ts'
import { followList } from './stream.ts'

const page = live(compareView)
reportActions()
const [first, ...others] = page.data.servers.map(({ id }) => id)

/** Reads the peak of each server. A single one has its own read, as a comparison needs another server. */
async function readPeaks(id: string): Promise<Record<string, number | null>> {
  if (others.length > 0) {
    const { servers } = await api.get('/servers/{id}/compare', { path: { id }, query: { with: others.join(',') } })
    return Object.fromEntries(servers.map((server) => [server.id, server.peak24h]))
  }
  const { peak } = await api.get('/servers/{id}/player-history', { path: { id }, query: { range: '24h' } })
  return { [id]: peak }
}

followList(page)
if (first)
  readPeaks(first).then(
    (peaks) => page.show({ ...page.data, peaks }),
    () => undefined, // the rest is shown without them
  )
