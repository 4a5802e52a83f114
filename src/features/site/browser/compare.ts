// The comparison, with the peaks that are not in memory on the server.
import { compareView } from '../components/compare.ts'
import { api } from './api.ts'
import { live } from './live.ts'
import { followList } from './stream.ts'

const page = live(compareView)
const [first, ...others] = page.data.servers.map(({ id }) => id)
if (first && others.length > 0) {
  const { servers } = await api.get('/servers/{id}/compare', { path: { id: first }, query: { with: others.join(',') } })
  page.show({ ...page.data, peaks: Object.fromEntries(servers.map(({ id, peak24h }) => [id, peak24h])) })
}
followList(page)
