// Notices that this process stood still: timeouts that fire right after mean nothing, the replies lie unread in the sockets.

export interface LoopWatch {
  /** Whether the event loop stood still for long at some time since then (epoch milliseconds). */
  stalledSince(since: number): boolean
  stop(): void
}

const BEAT_MS = 200
/** Shorter than the shortest wait for a reply, so that no standstill that could cost one goes unnoticed. */
const STALL_MS = 500

export function watchLoop(now: () => number = Date.now): LoopWatch {
  let lastBeat = now()
  let lastStall = Number.NEGATIVE_INFINITY
  const beat = () => {
    const time = now()
    if (time - lastBeat > BEAT_MS + STALL_MS) lastStall = time
    lastBeat = time
  }
  const timer = setInterval(beat, BEAT_MS)
  timer.unref()
  return {
    stalledSince(since) {
      beat() // the timer that would have noticed may be behind those that asked
      return lastStall >= since
    },
    stop: () => clearInterval(timer),
  }
}
