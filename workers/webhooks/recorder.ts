// Records attempts in batches: attempts that arrive during one transaction go into the next. One that can't be recorded
// holds up neither the others of its batch nor later ones.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedAttempt } from '../../src/features/webhooks/index.ts'
import { isOutage } from '../../src/platform/db/outage.ts'
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

const UNRECORDABLE = 'the answer can’t be recorded'

/** What is left of an attempt whose answer the database refuses. It is not repeated: the next answer may be the same. */
const withoutAnswer = ({ verdict, status: _status, ...attempt }: FinishedAttempt): FinishedAttempt => ({
  ...attempt,
  error: UNRECORDABLE,
  latencyMs: 0,
  response: '',
  verdict: { outcome: verdict.outcome === 'delivered' ? 'delivered' : 'refused' },
})

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
      await record({ attempts: batch, released: [...released.keys()] })
      for (const resolve of released.values()) resolve()
    }
    isWriting = false
  }

  /** Retries while the database is down. A batch that it refuses is divided until the attempts that it refuses are alone. */
  async function record(batch: Batch): Promise<void> {
    const { attempts: written, released } = batch
    for (;;)
      try {
        return await write(batch)
      } catch (err) {
        const deliveryIds = written.length === 1 ? written.map(({ deliveryId }) => deliveryId) : undefined
        log.error({ err, attempts: written.length, deliveryIds }, 'webhook attempts not recorded yet')
        if (isStopped) return
        if (isOutage(err)) await sleep(RETRY_MS)
        else return await recordDivided(written, released)
      }
  }

  async function recordDivided(written: FinishedAttempt[], released: string[]): Promise<void> {
    const [only] = written
    if (written.length > 1) {
      const half = Math.ceil(written.length / 2)
      await record({ attempts: written.slice(0, half), released: [] })
      await record({ attempts: written.slice(half), released })
    } else if (only && only.error !== UNRECORDABLE) {
      await record({ attempts: [withoutAnswer(only)], released })
    } else if (only) {
      // Its lease expires instead, so that it is not sent again at once.
      const others = released.filter((endpointId) => endpointId !== only.endpointId)
      if (others.length) await record({ attempts: [], released: others })
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
