// Records attempts in batches: attempts that arrive during one transaction go into the next.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedAttempt } from '../../src/features/webhooks/index.ts'
import type { Log } from '../../src/platform/observability/log.ts'

interface Batch {
  attempts: FinishedAttempt[]
  /** Ids of endpoints. */
  released: string[]
}

/** Attempts per transaction, which locks their rows. */
const MAX_BATCH = 500
/** While the database is down. No delivery is lost: the leases expire. */
const RETRY_MS = 500

export function createRecorder(log: Pick<Log, 'error'>, write: (batch: Batch) => Promise<void>) {
  const attempts: FinishedAttempt[] = []
  let releasing = new Map<string, () => void>()
  let isWriting = false
  let isStopped = false

  async function writeAll(): Promise<void> {
    while (attempts.length || releasing.size) {
      const batch = attempts.splice(0, MAX_BATCH)
      // An endpoint is released with or after its last attempt.
      const released = attempts.length ? new Map<string, () => void>() : releasing
      if (released === releasing) releasing = new Map()
      await writeWithRetries({ attempts: batch, released: [...released.keys()] })
      for (const resolve of released.values()) resolve()
    }
    isWriting = false
  }

  async function writeWithRetries(batch: Batch): Promise<void> {
    for (;;)
      try {
        return await write(batch)
      } catch (err) {
        log.error({ err, attempts: batch.attempts.length }, 'webhook attempts not recorded yet')
        if (isStopped) return
        await sleep(RETRY_MS)
      }
  }

  function writeSoon(): void {
    if (isWriting) return
    isWriting = true
    setImmediate(() => void writeAll()) // so that attempts of the same event loop iteration share a batch
  }

  return {
    add(attempt: FinishedAttempt): void {
      attempts.push(attempt)
      writeSoon()
    },
    /** Releases the endpoint. Resolves once that and all its attempts are recorded. */
    release(endpointId: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      releasing.set(endpointId, resolve)
      writeSoon()
      return promise
    },
    /** Stops retrying failed writes. Deliveries of unrecorded attempts are sent again once their lease expires. */
    stopRetrying(): void {
      isStopped = true
    },
  }
}
