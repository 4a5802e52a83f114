// The live stream of some servers, open while the page is seen.
import type { Followed, Schemas } from '../components/types.ts'
import type { LivePage } from './live.ts'

export type LiveServer = Schemas['ServerItem']

/** How long to wait before a stream that was refused is asked for again. */
const RETRY_MS = 30_000

/**
 * @param cursor of when the page was rendered. Each stream starts there, so that nothing is missed before it opens and
 *   while the page is not seen; of the servers shown now that is little.
 * @param idsOf of the servers shown now, at most 100
 * @returns a function to call when other servers are shown
 */
export function follow(
  cursor: string,
  idsOf: () => readonly string[],
  onServer: (server: LiveServer) => void,
): () => void {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    source?.close()
    clearTimeout(retry)
    const ids = idsOf()
    if (document.hidden || ids.length === 0) return
    const stream = new EventSource(`/api/servers/stream?cursor=${cursor}&ids=${ids.join(',')}`)
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
export const followList = (page: Pick<LivePage<Followed & { servers: { id: string }[] }, never>, 'data' | 'show'>) =>
  follow(
    page.data.cursor,
    () => page.data.servers.map(({ id }) => id),
    (changed) => {
      const servers = page.data.servers.map((server) => (server.id === changed.id ? { ...server, ...changed } : server))
      page.show({ ...page.data, servers })
    },
  )
