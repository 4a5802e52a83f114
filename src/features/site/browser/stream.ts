// The live stream of the servers on the page, open while the page is visible.
import type { Followed, Schemas } from '../components/types.ts'
import type { LivePage } from './live.ts'

export type LiveServer = Schemas['ServerItem']

/** How long to wait before a refused stream is requested again. */
const RETRY_MS = 30_000

interface Follower {
  /** The ids of the servers displayed now, at most 100. */
  ids(): readonly string[]
  onServer(server: LiveServer): void
  /** Called when a server is no longer listed. */
  onRemoved(id: string): void
}

/**
 * @param cursor the feed's position when the page was rendered: the stream starts there, so that no change is missed
 * @returns a function to call when other servers are shown
 */
export function follow(cursor: string, { ids: idsOf, onServer, onRemoved }: Follower): () => void {
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
    stream.addEventListener('removed', ({ data, lastEventId }) => {
      from = lastEventId
      onRemoved(JSON.parse(data).id)
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

interface FollowedLists extends Followed {
  servers: { id: string }[]
  /** The cards above a list, whose servers can also be in it. */
  featured?: { id: string }[]
}

/**
 * Shows the live numbers of the servers in a list, without those that are no longer listed.
 * @param onRemoval called when one has left the list
 */
export function followList(
  page: Pick<LivePage<FollowedLists, never>, 'data' | 'show'>,
  onRemoval: () => void = () => undefined,
): () => void {
  /** @param change returns what is displayed instead of a server */
  function showWith(change: (server: { id: string }) => { id: string }[]): void {
    const { servers, featured } = page.data
    page.show({
      ...page.data,
      servers: servers.flatMap(change),
      ...(featured && { featured: featured.flatMap(change) }),
    })
  }
  return follow(page.data.cursor, {
    ids() {
      const { servers, featured = [] } = page.data
      return [...new Set([...servers, ...featured].map(({ id }) => id))]
    },
    onServer: (changed) => showWith((server) => (server.id === changed.id ? [{ ...server, ...changed }] : [server])),
    onRemoved(id) {
      showWith((server) => (server.id === id ? [] : [server]))
      onRemoval()
    },
  })
}
