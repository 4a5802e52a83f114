// Sends changes to open streams: the same page to all streams that are up to date, then a page to
// each one that is behind.
import { covers } from '../engine/pg-snapshot.ts'
import type { ChangesService } from './changes.service.ts'
import { type ChangesPage, cursorAtStart, type FeedView, nextChanges } from './changes.ts'
import { type Cursor, isAhead } from './cursor.ts'
import { type LiveEvent, type LiveStream, renderEvents } from './live-stream.ts'

// Servers sent at once to streams that are up to date. With 1,000 streams that blocks the event loop for about 10 ms.
const STEP = { limit: 200, bytes: 128 * 1024 }
/** Servers sent at once to a stream that is behind: data that its client does not read is buffered for it alone. */
const STEP_BEHIND = { limit: 50, bytes: 64 * 1024 }
/** Time per step for all streams that are behind: about a third of the event loop's time while there are any. */
const MAX_BEHIND_MS = 5

interface DeliveryOptions extends Pick<ChangesService, 'isFollowable'> {
  /** Ends all streams, when those that are up to date can't continue. */
  endAll(): void
}

export function createDelivery({ isFollowable, endAll }: DeliveryOptions) {
  /** The streams whose position is `sent`. */
  const upToDate = new Set<LiveStream>()
  /** The streams that wait for their next page, in this order. Blocked streams are in neither set. */
  const behind = new Set<LiveStream>()
  let sent: Cursor | undefined
  let hasNews = false

  function sendToCurrent(view: FeedView): void {
    if (!sent || upToDate.size === 0) {
      hasNews = false
      return
    }
    if (!isFollowable(view, sent)) {
      endAll()
      return
    }
    const page = nextChanges(view, sent, STEP)
    const events = renderEvents(view, sent, page)
    sent = page.cursor
    hasNews = page.hasMore
    const together = Buffer.concat(events.map(({ bytes }) => bytes))
    for (const stream of upToDate) {
      sendPage(stream, page, events, together)
      if (stream.blockedSince !== undefined) upToDate.delete(stream) // it continues from its cursor once it reads again
    }
  }

  function catchUp(view: FeedView, stream: LiveStream): void {
    behind.delete(stream)
    const { ids } = stream
    if (!isFollowable(view, stream.cursor)) {
      if (!ids) {
        stream.end()
        return
      }
      stream.cursor = cursorAtStart(view) // it gets all of its few servers
    }
    const { base, run } = stream.cursor
    // A thousand new streams that start here need no separate pages.
    if (base && !run && covers(base, view.seen) && tryJoin(stream)) return
    const page = nextChanges(view, stream.cursor, { ...STEP_BEHIND, ids })
    const events = renderEvents(view, stream.cursor, page)
    sendPage(stream, page, events, Buffer.concat(events.map(({ bytes }) => bytes)))
    if (stream.blockedSince !== undefined) return
    if (page.hasMore || !tryJoin(stream)) behind.add(stream)
  }

  /**
   * Adds a stream to the up-to-date ones if it has at least what they have; the first one sets `sent`.
   * @returns whether it was added
   */
  function tryJoin(stream: LiveStream): boolean {
    if (!sent || upToDate.size === 0) sent = stream.cursor
    else if (!isAhead(stream.cursor, sent)) return false
    upToDate.add(stream)
    return true
  }

  return {
    /** Whether `step` has something to send. */
    isDue: () => behind.size > 0 || hasNews,
    /** Call it when the snapshot shows something new. */
    changed(): void {
      hasNews = upToDate.size > 0
    },
    /** The stream was opened, or its client reads again. */
    resume(stream: LiveStream): void {
      if (!upToDate.has(stream)) behind.add(stream)
    },
    forget(stream: LiveStream): void {
      upToDate.delete(stream)
      behind.delete(stream)
    },
    forgetAll(): void {
      upToDate.clear()
      behind.clear()
      hasNews = false
    },
    /** Sends the next page to the streams that are up to date, then to others until the time per step is used up. */
    step(view: FeedView): void {
      if (hasNews) sendToCurrent(view)
      const startedAt = performance.now()
      for (const next of behind) {
        catchUp(view, next)
        if (performance.now() - startedAt > MAX_BEHIND_MS) break
      }
    },
  }
}

/** @param together the bytes of all events */
function sendPage(stream: LiveStream, page: ChangesPage, events: LiveEvent[], together: Buffer): void {
  stream.cursor = page.cursor
  if (events.length > 0) stream.send(events, together)
}
