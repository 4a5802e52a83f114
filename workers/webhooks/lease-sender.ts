// Sends the deliveries of one lease, in order: look whether the next may be sent, attempt it, report it; then
// release the endpoint.
import type { Deps } from '../../src/deps.ts'
import {
  attemptDelivery,
  type DueDelivery,
  type FinishedAttempt,
  LEASE_MS,
  type Lease,
  mayTakeNext,
} from '../../src/features/webhooks/index.ts'
import type { SpanAttributes } from '../../src/platform/observability/tracing.ts'
import type { Lane } from './lanes.ts'
import { createPendingChecks } from './pending-checks.ts'
import type { Recorder } from './recorder.ts'
import type { Sender } from './send.ts'
import type { WakeSpans } from './wake-spans.ts'
import { attemptSeconds, attemptsTotal, delaySeconds } from './webhooks.metrics.ts'

/**
 * An attempt (at most 10 s) and its recording must finish within the lease, so that no other worker sends concurrently.
 */
const ATTEMPT_MS = 15_000
/**
 * No attempt starts later than this after the lease. Short, so that other endpoints get the slot and owners'
 * changes take effect.
 */
const SENDING_MS = LEASE_MS - ATTEMPT_MS

export interface ActiveLease extends Lease {
  lane: Lane
  /** When the lease began, by performance.now(). */
  beganAt: number
  attemptBeganAt?: number | undefined
  /** Aborted when the endpoint was deleted or changed; ends the running attempt. */
  endpointChanged: AbortController
  /** Resolves once attempts are recorded and the endpoint is released; set when that starts. */
  released?: Promise<void>
  /** Resolves once the lease is no longer active and its slot is free. */
  removed?: Promise<void>
}

interface LeaseSenderOptions extends Deps {
  sender: Sender
  recorder: Recorder
  wakeSpans: WakeSpans
  /** Once true, no more attempts start. */
  isStopping: () => boolean
}

export function createLeaseSender({ sender, recorder, wakeSpans, isStopping, ...deps }: LeaseSenderOptions) {
  const { pool, tracing } = deps
  const isPending = createPendingChecks(pool)

  /** Attempts one delivery and reports it. */
  async function attempt(lease: ActiveLease, delivery: DueDelivery): Promise<FinishedAttempt> {
    lease.attemptBeganAt = performance.now()
    const parent = wakeSpans.parentOf(lease.endpointId, delivery.traceparent)
    const span = tracing?.start({ name: 'webhook attempt', kind: 'client', parent })
    const isFast = lease.lane === 'fast'
    const finished = await attemptDelivery(
      { ...deps, transport: sender },
      lease,
      delivery,
      lease.endpointChanged.signal,
    )
    lease.attemptBeganAt = undefined
    recorder.add(finished)
    const { outcome } = finished.verdict
    span?.end({ hasFailed: outcome !== 'delivered', attributes: attributesOf(finished) })
    attemptsTotal.inc({ outcome })
    attemptSeconds.observe(finished.latencyMs / 1_000)
    if (isFast && finished.number === 1 && !finished.isOrdered) delaySeconds.observe(delayOf(finished))
    return finished
  }

  /** Resolves once all attempts are recorded and the endpoint is released. */
  return async (lease: ActiveLease): Promise<void> => {
    for (const [place, delivery] of lease.deliveries.entries()) {
      // The first one is sent as the lease has just read it. Later the owner may have set another URL, or been banned.
      if (place > 0 && !(await isPending({ deliveryId: delivery.id, storedUrl: lease.storedUrl }))) break
      // After the look-up: a database that hangs may answer it when another worker has the endpoint.
      if (isStopping() || performance.now() - lease.beganAt > SENDING_MS) break
      const { verdict } = await attempt(lease, delivery)
      if (!mayTakeNext(verdict)) break
    }
    lease.released = recorder.release(lease.endpointId)
    await lease.released
  }
}

/** Not negative: the event's time is of the database's clock. */
const delayOf = ({ attemptedAt, queuedAt }: FinishedAttempt): number =>
  Math.max(0, attemptedAt.getTime() - queuedAt.getTime()) / 1_000

const attributesOf = ({ endpointId, deliveryId, number, status, verdict }: FinishedAttempt): SpanAttributes => ({
  'directory.endpoint_id': endpointId,
  'directory.delivery_id': deliveryId,
  'directory.attempt': number,
  'directory.outcome': verdict.outcome,
  'http.response.status_code': status,
})
