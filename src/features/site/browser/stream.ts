// The live stream of some servers, open while the page is seen.
import type { Followed, Schemas } from '../components/types.ts'
import type { LivePage } from './live.ts'

export type LiveServer = Schemas['ServerItem']

/** How long to wait before a stream that was refused is asked for again. */
const RETRY_MS = 30_000

/**
 * @param cursor of when the page was rendered. The stream starts there, so that nothing is missed before it opens.
 * @param idsOf of the servers shown now, at most 100
 * @returns a function to call when other servers are shown
 */
export function follow(
  cursor: string,
  idsOf: () => readonly string[],
  onServer: (server: LiveServer) => void,
): () => void {
  let source: EventSource | undefined
  let ids = ''
  /** Where the stream of these ids continues. */
  let from = cursor
  let retry: ReturnType<typeof setTimeout> | undefined

  function open(): void {
    source?.close()
    clearTimeout(retry)
    const wanted = idsOf().join(',')
    if (wanted !== ids) {
      ids = wanted
      from = cursor
    }
    if (document.hidden || ids === '') return
    const stream = new EventSource(`/api/servers/stream?cursor=${from}&ids=${ids}`)
    source = stream
    stream.addEventListener('server', ({ data, lastEventId }) => {
      from = lastEventId
      onServer(JSON.parse(data))
    })
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
