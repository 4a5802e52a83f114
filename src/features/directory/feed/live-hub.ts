// All open streams: writes to those that are up to date together, to those behind one by one, and drops clients that
// stop reading.
import type { ServerResponse } from 'node:http'
import type { Log } from '../../../platform/observability/log.ts'
import { covers } from '../engine/pg-snapshot.ts'
import { droppedStreams } from '../metrics.ts'
import type { ChangesService } from './changes.service.ts'
import { atNothing, type ChangesPage, nextChanges, type View } from './changes.ts'
import { type Cursor, isAhead } from './cursor.ts'
import { type LiveEvent, type LiveStream, openLiveStream, renderEvents, type StreamRequest } from './live-stream.ts'

/** In milliseconds. */
export const HUB_TIMING = {
  heartbeatMs: 15_000,
  /** A client that reads nothing for this long is dropped. */
  stalledMs: 20_000,
}
export type HubTiming = typeof HUB_TIMING

interface HubOptions extends Pick<ChangesService, 'view' | 'isFollowable'> {
  log: Log
  timing: HubTiming
}

// Servers sent at once to streams that are up to date. With 1,000 streams that blocks the event loop for about 10 ms.
const STEP = { limit: 200, bytes: 128 * 1024 }
/** The same for one that is behind: what it does not read is buffered for it alone. */
const STEP_BEHIND = { limit: 50, bytes: 64 * 1024 }
/** Time per step for all streams that are behind: about a third of the time while there are any. */
const MAX_BEHIND_MS = 5
/** Pause between two steps, so that requests are served. */
const PAUSE_MS = 10
const LOOK_MS = 1_000
/** A client that is blocked for longer is not just receiving a burst. */
const SLOW_MS = 2_000
/** Total buffer for slow clients. Beyond it those blocked longest are dropped, and can resume. */
const MAX_HELD_BYTES = 32 * 1024 * 1024

export type LiveHub = ReturnType<typeof createLiveHub>

export function createLiveHub({ log, view, isFollowable, timing }: HubOptions) {
  const streams = new Set<LiveStream>()
  /** All of these are at `sent`. */
  const inStep = new Set<LiveStream>()
  /** Waiting for the next page, in this order. Blocked streams are in neither set. */
  const behind = new Set<LiveStream>()
  const perHolder = new Map<string, number>()
  let sent: Cursor | undefined
  let hasNews = false
  let steps: NodeJS.Timeout | undefined
  let looks: NodeJS.Timeout | undefined
  let beatAt = 0
  let stopped = false

  function run(): void {
    if (!stopped && steps === undefined && (behind.size > 0 || hasNews))
      steps = setTimeout(() => {
        steps = undefined
        step()
        run()
      }, PAUSE_MS)
  }

  function step(): void {
    let now: View
    try {
      now = view()
    } catch {
      endAll() // the snapshot is too old: clients reconnect, get 503, and resume later
      return
    }
    if (hasNews) sendToCurrent(now)
    const startedAt = performance.now()
    for (const next of behind) {
      catchUp(now, next)
      if (performance.now() - startedAt > MAX_BEHIND_MS) break
    }
  }

  function sendToCurrent(now: View): void {
    if (!sent || inStep.size === 0) {
      hasNews = false
      return
    }
    if (!isFollowable(now, sent)) {
      endAll()
      return
    }
    const page = nextChanges(now, sent, STEP)
    const events = renderEvents(now, sent, page)
    sent = page.cursor
    hasNews = page.hasMore
    const together = Buffer.concat(events.map(({ bytes }) => bytes))
    for (const stream of inStep) {
      tell(stream, page, events, together)
      if (stream.blockedSince !== undefined) inStep.delete(stream) // it continues from its cursor once it reads again
    }
  }

  function catchUp(now: View, stream: LiveStream): void {
    behind.delete(stream)
    const { ids } = stream
    if (!isFollowable(now, stream.cursor)) {
      if (!ids) {
        stream.end()
        return
      }
      stream.cursor = atNothing(now) // it gets all of its few servers
    }
    const { base, run: under } = stream.cursor
    if (base && !under && covers(base, now.seen) && catchesUp(stream)) {
      inStep.add(stream) // it starts here: a thousand new streams need no separate pages
      return
    }
    const page = nextChanges(now, stream.cursor, { ...STEP_BEHIND, ids })
    const events = renderEvents(now, stream.cursor, page)
    tell(stream, page, events, Buffer.concat(events.map(({ bytes }) => bytes)))
    if (stream.blockedSince !== undefined) return
    if (!page.hasMore && catchesUp(stream)) inStep.add(stream)
    else behind.add(stream)
  }

  /** Whether it has at least what the up-to-date streams have. The first stream sets that position. */
  function catchesUp(stream: LiveStream): boolean {
    if (!sent || inStep.size === 0) {
      sent = stream.cursor
      return true
    }
    return isAhead(stream.cursor, sent)
  }

  function tell(stream: LiveStream, page: ChangesPage, events: LiveEvent[], together: Buffer): void {
    stream.cursor = page.cursor
    if (events.length > 0) stream.send(events, together)
  }

  /** Drops clients that have stopped reading, and sends a keep-alive comment to the others. */
  function look(): void {
    const now = performance.now()
    for (const stream of streams)
      if (stream.isOver) stream.drop()
      else if (stream.blockedSince !== undefined && now - stream.blockedSince >= timing.stalledMs) cutOff(stream)
    dropLongestBlocked(now)
    try {
      view()
    } catch {
      endAll()
    }
    if (now < beatAt) return
    beatAt = now + timing.heartbeatMs
    for (const stream of streams) if (stream.blockedSince === undefined) stream.beat('heartbeat')
  }

  function cutOff(stream: LiveStream): void {
    droppedStreams.inc()
    stream.drop()
  }

  function dropLongestBlocked(now: number): void {
    const since = ({ blockedSince = now }: LiveStream) => blockedSince
    const slow = [...streams].filter((stream) => now - since(stream) >= SLOW_MS).sort((a, b) => since(b) - since(a))
    let held = 0
    for (const stream of slow) {
      held += stream.buffered()
      if (held > MAX_HELD_BYTES) cutOff(stream)
    }
  }

  function endAll(): void {
    const open = [...streams].filter(({ isOver }) => !isOver)
    if (open.length) log.info({ streams: open.length }, 'live streams ended')
    inStep.clear()
    behind.clear()
    hasNews = false
    for (const stream of open) {
      if (stream.blockedSince === undefined) stream.end()
      else stream.drop()
    }
  }

  function forget(stream: LiveStream): void {
    streams.delete(stream)
    inStep.delete(stream)
    behind.delete(stream)
    for (const holder of stream.holders) {
      const others = (perHolder.get(holder) ?? 1) - 1
      if (others > 0) perHolder.set(holder, others)
      else perHolder.delete(holder)
    }
    if (streams.size === 0) {
      clearInterval(looks)
      looks = undefined
    }
  }

  return {
    /** Takes over a reply whose head was sent, and sends changes from the cursor on. */
    open(res: ServerResponse, request: StreamRequest): void {
      // A client that has disconnected meanwhile is not reported again.
      if (stopped || res.destroyed) {
        res.end()
        return
      }
      const stream = openLiveStream(res, request, {
        onDrain(drained) {
          if (!inStep.has(drained)) behind.add(drained)
          run()
        },
        onClose: forget,
      })
      streams.add(stream)
      for (const holder of request.holders) perHolder.set(holder, (perHolder.get(holder) ?? 0) + 1)
      if (looks === undefined) {
        beatAt = performance.now() + timing.heartbeatMs
        looks = setInterval(look, Math.min(LOOK_MS, timing.heartbeatMs))
      }
      stream.beat('connected')
      behind.add(stream)
      run()
    },
    /** Streams that count for this holder: an address or an account. */
    openOf: (holder: string) => perHolder.get(holder) ?? 0,
    size: () => streams.size,
    /** Call it when the snapshot shows something new. */
    changed(): void {
      hasNews = inStep.size > 0
      run()
    },
    /** Ends all streams and refuses new ones. */
    stop(): void {
      stopped = true
      clearTimeout(steps)
      clearInterval(looks)
      endAll()
    },
    isStopped: () => stopped,
  }
}
