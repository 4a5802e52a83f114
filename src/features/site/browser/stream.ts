// The live stream of the servers on the page, open while the page is visible.
import type { Followed, Schemas } from '../components/types.ts'
import type { LivePage } from './live.ts'

export type LiveServer = Schemas['ServerItem']

/** How long to wait before a refused stream is requested again. */
const RETRY_MS = 30_000

/**
 * @param cursor the feed's position when the page was rendered: the stream starts there, so that no change is missed
 * @param idsOf returns the ids of the servers displayed now, at most 100
 * @returns a function to call when other servers are shown
 */
export function follow(
  cursor: string,
  idsOf: () => readonly string[],
  onServer: (server: LiveServer) => void,
): () => void {
  let source: EventSource | undefined
  let ids = ''
  /** The cursor where the stream of these ids continues. */
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
      // A stream that is not closed is connected again by the browser.
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
