// Sends deliveries: one worker leases an endpoint and sends its deliveries one after another; many endpoints concurrently.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/deps.ts'
import {
  acquireLeases,
  applyResults,
  enqueueWake,
  type FinishedAttempt,
  findChangedEndpoints,
  findExpiredLeases,
  kindOf,
  LEASE_MS,
  type Lease,
  reviveDelivery,
  type WebhookWake,
  webhookSlowWake,
  webhookWake,
} from '../../src/features/webhooks/index.ts'
import { causeNow, withCause } from '../../src/platform/observability/cause.ts'
import type { SpanAttributes } from '../../src/platform/observability/tracing.ts'
import { createLanes, LANE_SIZES, type Lane } from './lanes.ts'
import { createPendingChecks } from './pending-checks.ts'
import { createRecorder } from './recorder.ts'
import { createSender, type Sender } from './send.ts'
import { createWakeSpans } from './wake-spans.ts'
import {
  attemptSeconds,
  attemptsTotal,
  delaySeconds,
  deliveriesDeadTotal,
  endpointsDisabledTotal,
  exposeSlots,
} from './webhooks.metrics.ts'

export type Dispatcher = ReturnType<typeof createDispatcher>

export interface DispatcherOptions {
  lanes: typeof LANE_SIZES
  sender: Sender
}

/** An attempt (at most 10 s) and its recording must finish within the lease, so that no other worker sends concurrently. */
const ATTEMPT_MS = 15_000
/** No attempt starts later than this after the lease. Short, so that other endpoints get the slot and owners' changes take effect. */
const SENDING_MS = LEASE_MS - ATTEMPT_MS
const TAKE_OVER_MS = 3_000
/** An endpoint that does not answer for this long moves to the slow lane. */
const SLOW_AFTER_MS = 500
const SLOW_CHECK_MS = 100
/** How often the endpoints of attempts that take long are looked up: one that was deleted or changed must not be waited for. */
const CHANGED_CHECK_MS = 500
/** Longer than an attempt, shorter than a worker's jobs have to finish (FINISH_MS). */
const WIND_DOWN_MS = 15_000

interface ActiveLease extends Lease {
  lane: Lane
  /** By performance.now(). */
  beganAt: number
  attemptBeganAt?: number | undefined
  /** Aborts its attempt. */
  changed: AbortController
  /** Resolves once attempts are recorded and the endpoint is released; set when that starts. */
  ended?: Promise<void>
  done?: Promise<void>
}

export function createDispatcher(deps: Deps, options: Partial<DispatcherOptions> = {}) {
  const { settings, jobs, pool, log, clock, tracing } = deps
  const leaseId = randomUUID()
  const active = new Map<string, ActiveLease>()
  const wakeSpans = createWakeSpans()
  const sender =
    options.sender ??
    createSender({
      allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
      requireHttps: settings.NODE_ENV === 'production',
    })
  const lanes = createLanes(options.lanes ?? LANE_SIZES, beginLeases)
  const recorder = createRecorder(log, async (batch) => {
    const { recorded, disabled } = await applyResults(deps, { ...batch, leaseId })
    deliveriesDeadTotal.inc(recorded.filter(({ status }) => status === 'dead').length)
    endpointsDisabledTotal.inc(disabled)
  })
  const isPending = createPendingChecks(pool)
  let isStopping = false
  const timers: NodeJS.Timeout[] = []
  exposeSlots(lanes.inUse)

  async function enqueue(lane: Lane, endpointId: string): Promise<void> {
    if (isStopping) return enqueueWake(deps, pool, [endpointId])
    const lease = active.get(endpointId)
    // Its release will look for due deliveries, and so find this job's.
    if (lease && !lease.ended) return
    await lease?.ended // may have looked before this delivery was committed
    await lanes.queue(lane, endpointId)
  }

  /** For a job. What it starts is shared with other jobs, so none of that is done for this job's cause. */
  function take(lane: Lane, endpointId: string): Promise<void> {
    wakeSpans.note(endpointId, causeNow().traceparent)
    return withCause({}, () => enqueue(lane, endpointId))
  }

  async function beginLeases(lane: Lane, endpointIds: string[]): Promise<number> {
    const wanted = endpointIds.filter(
      (endpointId) => active.get(endpointId)?.ended !== undefined || !active.has(endpointId),
    )
    if (!wanted.length) return 0
    const beganAt = performance.now()
    const leases = await acquireLeases(deps, { endpointIds: wanted, leaseId, slowToo: lane === 'slow' })
    for (const lease of leases) {
      const started: ActiveLease = { ...lease, lane, beganAt, changed: new AbortController() }
      active.set(lease.endpointId, started)
      started.done = run(started)
    }
    return leases.length
  }

  async function run(lease: ActiveLease): Promise<void> {
    for (const [place, delivery] of lease.deliveries.entries()) {
      if (isStopping || performance.now() - lease.beganAt > SENDING_MS) break
      // The first one is sent as the lease has just read it. Later the owner may have set another URL, or been banned.
      if (place > 0 && !(await isPending({ deliveryId: delivery.id, storedUrl: lease.storedUrl }))) break
      lease.attemptBeganAt = performance.now()
      const parent = wakeSpans.parentOf(lease.endpointId, delivery.traceparent)
      const span = tracing?.start({ name: 'webhook attempt', kind: 'client', parent })
      const isFast = lease.lane === 'fast'
      const attempt = await attemptDelivery(lease, delivery)
      lease.attemptBeganAt = undefined
      recorder.add(attempt)
      const { outcome } = attempt.verdict
      span?.end({ hasFailed: outcome !== 'delivered', attributes: attributesOf(attempt) })
      attemptsTotal.inc({ outcome })
      attemptSeconds.observe(attempt.latencyMs / 1_000)
      if (isFast && attempt.number === 1 && !attempt.isOrdered) delaySeconds.observe(delayOf(attempt))
      if (outcome !== 'delivered' && outcome !== 'refused') break
    }
    lease.ended = recorder.release(lease.endpointId)
    await lease.ended
    if (active.get(lease.endpointId) === lease) active.delete(lease.endpointId)
    lanes.release(lease.lane)
  }

  async function attemptDelivery(lease: ActiveLease, delivery: Lease['deliveries'][number]): Promise<FinishedAttempt> {
    const at = clock()
    const kind = kindOf(lease.kind)
    const { endpointId, storedUrl, url, secrets, changed } = lease
    const attempt = {
      deliveryId: delivery.id,
      endpointId,
      storedUrl,
      number: delivery.attempts + 1,
      attemptedAt: new Date(at),
      queuedAt: delivery.createdAt,
      isOrdered: kind.isOrdered ?? false,
    }
    const notSent = (error: string) => ({ ...attempt, error, latencyMs: 0, response: '' })
    if (url === undefined) return { ...notSent('the URL can’t be read'), verdict: { outcome: 'failed' } }
    if (!secrets) return { ...notSent('the secret can’t be read'), verdict: { outcome: 'failed' } }
    try {
      const message = kind.prepare(delivery, { url, secrets }, { now: at, baseUrl: settings.PUBLIC_BASE_URL })
      if (isRefusal(message)) return { ...notSent(message.refusal), verdict: { outcome: 'refused' } }
      const answer = await kind.send(message, sender, changed.signal)
      return { ...attempt, ...answer, verdict: kind.classify(answer) }
    } catch (err) {
      log.error({ err, endpointId, deliveryId: delivery.id }, 'webhook attempt failed by an error of ours')
      return { ...notSent('internal error'), verdict: { outcome: 'failed' } }
    }
  }

  /** The workers of these leases died or could not release them. */
  async function takeOverExpired(): Promise<void> {
    const expired = await findExpiredLeases(pool, lanes.free('fast'))
    await Promise.all(expired.map((endpointId) => enqueue('fast', endpointId)))
  }

  async function abortChanged(): Promise<void> {
    const since = performance.now() - CHANGED_CHECK_MS
    const waiting = [...active.values()].filter(({ attemptBeganAt = since }) => attemptBeganAt < since)
    if (!waiting.length) return
    const changed = await findChangedEndpoints(pool, waiting)
    for (const lease of waiting) if (changed.includes(lease.endpointId)) lease.changed.abort()
  }

  /** Moves endpoints that do not answer out of the fast lane. */
  function moveSlow(): void {
    const since = performance.now() - SLOW_AFTER_MS
    for (const lease of active.values())
      if (lease.lane === 'fast' && lease.attemptBeganAt !== undefined && lease.attemptBeganAt < since) {
        lease.lane = 'slow'
        lanes.moveToSlow()
      }
  }

  async function endAll(): Promise<void> {
    await lanes.drain((endpointIds) => enqueueWake(deps, pool, endpointIds))
    await Promise.all([webhookWake, webhookSlowWake].map(({ queue }) => jobs.boss.offWork(queue)))
    await Promise.all([...active.values()].map(({ done }) => done))
  }

  /** Like setInterval; a turn is left out while the last one runs, and the next turn repeats one that failed. */
  function every(ms: number, work: () => Promise<void>, failed: string): NodeJS.Timeout {
    let isRunning = false
    return setInterval(async () => {
      if (isRunning) return
      isRunning = true
      await work().catch((err: unknown) => log.warn({ err }, failed))
      isRunning = false
    }, ms)
  }

  return {
    /** Starts taking over expired leases of other workers. */
    start(): void {
      if (isStopping) return
      timers.push(
        every(TAKE_OVER_MS, takeOverExpired, 'expired webhook leases not taken over'),
        every(CHANGED_CHECK_MS, abortChanged, 'changes of webhook endpoints not read'),
        setInterval(moveSlow, SLOW_CHECK_MS),
      )
    },

    /** Handles a wake job. Resolves once the endpoint is leased by this or another worker, is in the slow queue, or has nothing due. */
    async wake({ endpointId, deliveryId }: WebhookWake): Promise<void> {
      if (deliveryId) await reviveDelivery(pool, endpointId, deliveryId)
      await take('fast', endpointId)
    },

    /** Handles a wake job of the slow queue. */
    wakeSlow: ({ endpointId }: { endpointId: string }) => take('slow', endpointId),

    /** Starts no more attempts and takes no more jobs. Resolves when running attempts have ended and are recorded, after 15 s at most. */
    async windDown(): Promise<void> {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      await Promise.race([endAll(), sleep(WIND_DOWN_MS, undefined, { ref: false })])
    },

    /** Aborts running attempts. */
    async close(): Promise<void> {
      recorder.stopRetrying()
      await sender.close()
    },
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

const isRefusal = (message: unknown): message is { refusal: string } =>
  typeof message === 'object' && message !== null && 'refusal' in message
