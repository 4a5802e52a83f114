// The live stream of some servers, open while the page is seen.
import type { Schemas } from '../components/types.ts'
import type { LivePage } from './live.ts'

export type LiveServer = Schemas['ServerItem']

/** How long to wait before a stream that was refused is asked for again. */
const RETRY_MS = 30_000

/**
 * @param idsOf of the servers shown now, at most 100
 * @returns a function to call when other servers are shown
 */
export function follow(idsOf: () => readonly string[], onServer: (server: LiveServer) => void): () => void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    source?.close()
    clearTimeout(retry)
    const ids = idsOf()
    if (document.hidden || ids.length === 0) return
    const stream = new EventSource(`/api/servers/stream?ids=${ids.join(',')}`)
    source = stream
    stream.addEventListener('server', ({ data }) => onServer(JSON.parse(data)))
    stream.addEventListener('error', () => {
      // Otherwise the browser connects again by itself.
      if (stream.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
    })
  }

  document.addEventListener('visibilitychange', open)
  open()
  return open
}

/** Shows the live numbers of the servers in a list. */
export const followList = (page: Pick<LivePage<{ servers: { id: string }[] }, never>, 'data' | 'show'>) =>
  follow(
    () => page.data.servers.map(({ id }) => id),
    (changed) => {
      const servers = page.data.servers.map((server) => (server.id === changed.id ? { ...server, ...changed } : server))
      page.show({ ...page.data, servers })
    },
  )
