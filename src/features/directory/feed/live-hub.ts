// All open streams: opens and ends them, sends them changes and heartbeats, and drops clients that stop reading.
import type { ServerResponse } from 'node:http'
import type { Log } from '../../../platform/observability/log.ts'
import type { ChangesService } from './changes.service.ts'
import type { FeedView } from './changes.ts'
import { createDelivery } from './delivery.ts'
import { type LiveStream, openLiveStream, type StreamRequest } from './live-stream.ts'
import { dropStalled } from './stalled-streams.ts'

/** The hub's times, in milliseconds. */
export const HUB_TIMING = {
  heartbeatMs: 15_000,
  /** A client that is blocked for this long is dropped. */
  stalledMs: 20_000,
}
export type HubTiming = typeof HUB_TIMING

interface HubOptions extends Pick<ChangesService, 'view' | 'isFollowable'> {
  log: Log
  timing: HubTiming
}

/** Pause between two steps, so that requests are served. */
const PAUSE_MS = 10
const CHECK_MS = 1_000

export type LiveHub = ReturnType<typeof createLiveHub>

export function createLiveHub({ log, view, isFollowable, timing }: HubOptions) {
  const streams = new Set<LiveStream>()
  const holders = createHolderCounts()
  const delivery = createDelivery({ isFollowable, endAll })
  let stepTimer: NodeJS.Timeout | undefined
  let checkTimer: NodeJS.Timeout | undefined
  let heartbeatAt = 0
  let stopped = false

  /** @returns undefined if the snapshot is too old: then clients reconnect, get 503, and resume later */
  function viewOrEnd(): FeedView | undefined {
    try {
      return view()
    } catch {
      endAll()
      return undefined
    }
  }

  function scheduleStep(): void {
    if (!stopped && stepTimer === undefined && delivery.isDue())
      stepTimer = setTimeout(() => {
        stepTimer = undefined
        const now = viewOrEnd()
        if (now) delivery.step(now)
        scheduleStep()
      }, PAUSE_MS)
  }

  /** Drops clients that have stopped reading, and sends a keep-alive comment to the others. */
  function check(): void {
    dropStalled(streams, timing.stalledMs)
    viewOrEnd()
    if (performance.now() < heartbeatAt) return
    heartbeatAt = performance.now() + timing.heartbeatMs
    for (const stream of streams) if (stream.blockedSince === undefined) stream.sendComment('heartbeat')
  }

  function endAll(): void {
    const open = [...streams].filter(({ isOver }) => !isOver)
    if (open.length) log.info({ streams: open.length }, 'live streams ended')
    delivery.forgetAll()
    for (const stream of open) {
      if (stream.blockedSince === undefined) stream.end()
      else stream.drop()
    }
  }

  function remember(stream: LiveStream): void {
    streams.add(stream)
    holders.add(stream.holders)
    if (checkTimer !== undefined) return
    heartbeatAt = performance.now() + timing.heartbeatMs
    checkTimer = setInterval(check, Math.min(CHECK_MS, timing.heartbeatMs))
  }

  function forget(stream: LiveStream): void {
    streams.delete(stream)
    holders.remove(stream.holders)
    delivery.forget(stream)
    if (streams.size > 0) return
    clearInterval(checkTimer)
    checkTimer = undefined
  }

  function resume(stream: LiveStream): void {
    delivery.resume(stream)
    scheduleStep()
  }

  return {
    /** Takes over a reply whose head was sent, and sends changes from the cursor on. */
    open(res: ServerResponse, request: StreamRequest): void {
      // No 'close' event would remove the stream of a client that has already disconnected.
      if (stopped || res.destroyed) {
        res.end()
        return
      }
      const stream = openLiveStream(res, request, { onDrain: resume, onClose: forget })
      remember(stream)
      stream.sendComment('connected')
      resume(stream)
    },
    /** How many streams count for this holder: an address or an account. */
    openOf: holders.countOf,
    size: () => streams.size,
    /** Call it when the snapshot shows something new. */
    changed(): void {
      delivery.changed()
      scheduleStep()
    },
    /** Ends all streams and refuses new ones. */
    stop(): void {
      stopped = true
      clearTimeout(stepTimer)
      clearInterval(checkTimer)
      endAll()
    },
    isStopped: () => stopped,
  }
}

/** Counts the open streams of each holder. */
function createHolderCounts() {
  const counts = new Map<string, number>()
  const countOf = (holder: string) => counts.get(holder) ?? 0
  return {
    countOf,
    add(holders: readonly string[]): void {
      for (const holder of holders) counts.set(holder, countOf(holder) + 1)
    },
    remove(holders: readonly string[]): void {
      for (const holder of holders)
        if (countOf(holder) > 1) counts.set(holder, countOf(holder) - 1)
        else counts.delete(holder)
    },
  }
}
