// Detects that the event loop was blocked: timeouts that fire right afterwards mean nothing, because replies are unread
// in the sockets.

export interface LoopWatch {
  /** Whether the event loop was blocked for long at some time since then (epoch milliseconds). */
  stalledSince(since: number): boolean
  stop(): void
}

const BEAT_MS = 200
/** Shorter than the shortest wait for a reply, so that every relevant block is detected. */
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
      beat() // the detecting timer may be queued behind the timers of the callers
      return lastStall >= since
    },
    stop: () => clearInterval(timer),
  }
}
