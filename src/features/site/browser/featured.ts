// The featured servers, with numbers that move.
import { featuredView } from '../components/featured.ts'
import { live } from './live.ts'
import { follow } from './stream.ts'

const page = live(featuredView)
follow(
  () => page.data.servers.map(({ id }) => id),
  (changed) => {
    const servers = page.data.servers.map((server) => (server.id === changed.id ? { ...server, ...changed } : server))
    page.show({ ...page.data, servers })
  },
)
