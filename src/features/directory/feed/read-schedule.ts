// Decides when the feed reads: at once for a caller that waits, soon after a notification, and each second without one.

/**
 * @param read logs its own failures
 * @param timing see FEED_TIMING
 */
export function createReadSchedule(
  read: () => Promise<void>,
  { pollMs, coalesceMs }: { pollMs: number; coalesceMs: number },
) {
  let lastStart = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let reading: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let stopped = false

  /** Schedules a read at this time (of performance.now) at the latest. */
  function schedule(at: number): void {
    if (stopped || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    timer = setTimeout(() => refresh().catch(() => undefined), Math.max(0, at - performance.now()))
  }

  async function readNow(): Promise<void> {
    lastStart = performance.now()
    dueAt = Number.POSITIVE_INFINITY // this read covers all notifications so far
    clearTimeout(timer)
    try {
      await read()
    } finally {
      reading = undefined
      schedule(lastStart + pollMs)
    }
  }

  /** Resolves after a read that began after the call. Concurrent calls share a read. */
  function refresh(): Promise<void> {
    if (stopped) return Promise.reject(new Error('the directory feed is stopped'))
    if (!reading) {
      reading = readNow()
      return reading
    }
    // The running read may have started before the caller's commit; the next one has not.
    queued ??= reading
      .catch(() => undefined)
      .then(() => {
        queued = undefined
        return refresh()
      })
    return queued
  }

  return {
    refresh,
    /** Begins to read each second. */
    start: () => schedule(performance.now()),
    readSoon: () => schedule(lastStart + coalesceMs),
    isStopped: () => stopped,
    /** Resolves once the running read has ended. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      await reading?.catch(() => undefined)
    },
  }
}
