// Records attempts in batches, and releases endpoints. An attempt that can't be recorded delays neither the others of
// its batch nor later ones.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { FinishedAttempt } from '../../src/features/webhooks/index.ts'
import { createBatcher } from '../../src/platform/db/batcher.ts'
import { isOutage } from '../../src/platform/db/pg-errors.ts'
import type { Log } from '../../src/platform/observability/log.ts'

interface Batch {
  attempts: FinishedAttempt[]
  /** Ids of endpoints. */
  released: string[]
}

/** What one call reports: an attempt, or that the lease of an endpoint has ended. */
type Report = { attempt: FinishedAttempt } | { released: string }

/** Attempts and released endpoints per transaction, which locks their rows. */
const MAX_BATCH = 1_000
/** While the database is down. No delivery is lost: the leases expire. */
const RETRY_MS = 500

const UNRECORDABLE = 'the answer can’t be recorded'

/** SQLSTATE class 22: the answer itself can't be stored. Other errors, such as a timeout, say nothing of it. */
const isRefusedValue = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code?.startsWith('22') ?? false)

/**
 * What is left of an attempt whose answer the database refuses. It is not repeated: the next answer may be the same.
 */
const withoutAnswer = ({ verdict, status: _status, ...attempt }: FinishedAttempt): FinishedAttempt => ({
  ...attempt,
  error: UNRECORDABLE,
  latencyMs: 0,
  response: '',
  verdict: { outcome: verdict.outcome === 'delivered' ? 'delivered' : 'refused' },
})

export type Recorder = ReturnType<typeof createRecorder>

export function createRecorder(log: Pick<Log, 'error'>, write: (batch: Batch) => Promise<void>) {
  /** Endpoints with an attempt that can't be recorded. Their leases expire, so that it is not sent again at once. */
  const unrecordable = new Set<string>()
  let isStopped = false

  const report = createBatcher<Report, void>(
    async (reports) => {
      await record(reports)
      return []
    },
    { maxBatch: MAX_BATCH, waitsForIteration: true },
  )

  /**
   * Rejects if the database refuses the batch, which is then divided. By itself, an attempt whose answer can't be
   * stored is recorded without it; any other is sent again once the lease expires.
   */
  async function record(reports: Report[]): Promise<void> {
    const attempts = reports.flatMap((one) => ('attempt' in one ? one.attempt : []))
    const ended = reports.flatMap((one) => ('released' in one ? one.released : []))
    const [attempt] = attempts
    try {
      await writeOnceUp({ attempts, released: ended.filter((endpointId) => !unrecordable.has(endpointId)) })
      for (const endpointId of ended) unrecordable.delete(endpointId)
    } catch (error) {
      const isAlone = reports.length === 1
      if (!isAlone || !attempt) throw error
      await recordRefused(attempt, error)
    }
  }

  async function recordRefused(attempt: FinishedAttempt, error: unknown): Promise<void> {
    const { endpointId } = attempt
    if (!isRefusedValue(error)) {
      unrecordable.add(endpointId)
      return
    }
    const batch = { attempts: [withoutAnswer(attempt)], released: [] }
    await writeOnceUp(batch).catch(() => unrecordable.add(endpointId))
  }

  /** Retries while the database is down. */
  async function writeOnceUp(batch: Batch): Promise<void> {
    const { attempts, released } = batch
    if (!attempts.length && !released.length) return
    for (;;)
      try {
        return await write(batch)
      } catch (err) {
        const deliveryIds = attempts.length === 1 ? attempts.map(({ deliveryId }) => deliveryId) : undefined
        log.error({ err, attempts: attempts.length, deliveryIds }, 'webhook attempts not recorded yet')
        if (isStopped) return
        if (!isOutage(err)) throw err
        await sleep(RETRY_MS)
      }
  }

  return {
    add(attempt: FinishedAttempt): void {
      report({ attempt }).catch(() => undefined) // logged
    },
    /** Releases the endpoint. Resolves once that and all its attempts are recorded. */
    release: (endpointId: string): Promise<void> => report({ released: endpointId }).catch(() => undefined),
    /** Stops retrying failed writes. Deliveries of unrecorded attempts are sent again once their lease expires. */
    stopRetrying(): void {
      isStopped = true
    },
  }
}
