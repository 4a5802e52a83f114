// Sends deliveries: one worker leases an endpoint and sends its deliveries one after another; many endpoints concurrently.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/deps.ts'
import {
  acquireLeases,
  applyResults,
  classifyAttempt,
  enqueueWake,
  type FinishedAttempt,
  findExpiredLeases,
  isPending,
  LEASE_MS,
  type Lease,
  reviveDelivery,
  signatureHeaders,
  type WebhookWake,
  webhookSlowWake,
  webhookWake,
} from '../../src/features/webhooks/index.ts'
import { createLanes, LANE_SIZES, type Lane, type LaneSizes } from './lanes.ts'
import { createRecorder } from './recorder.ts'
import { createSender, type Sender } from './send.ts'
import {
  attemptSeconds,
  attemptsTotal,
  deliveriesDeadTotal,
  endpointsDisabledTotal,
  exposeSlots,
} from './webhooks.metrics.ts'

export interface Dispatcher {
  /** Starts taking over expired leases of other workers. */
  start(): void
  /** Handles a wake job. Resolves once the endpoint is leased by this or another worker, is in the slow queue, or has nothing due. */
  wake(job: WebhookWake): Promise<void>
  /** Handles a wake job of the slow queue. */
  wakeSlow(job: { serverId: string }): Promise<void>
  /** Starts no more attempts and takes no more jobs. Resolves when running attempts have ended and are recorded, after 15 s at most. */
  windDown(): Promise<void>
  /** Aborts running attempts. */
  close(): Promise<void>
}

export interface DispatcherOptions {
  lanes: LaneSizes
  sender: Sender
}

/** An attempt (at most 10 s) and its recording must finish within the lease, so that no other worker sends concurrently. */
const ATTEMPT_MS = 15_000
/** No attempt starts later than this after the lease. Short, so that other endpoints get the slot and owners' changes take effect. */
const SENDING_MS = LEASE_MS - ATTEMPT_MS
/** Later than this after the lease, each attempt first checks whether its delivery was canceled, for example by a ban. */
const RECHECK_MS = 500
const TAKE_OVER_MS = 3_000
/** An endpoint that does not answer for this long moves to the slow lane. */
const SLOW_AFTER_MS = 500
const SLOW_CHECK_MS = 100
/** Longer than an attempt, shorter than the time a worker has to stop. */
const WIND_DOWN_MS = 15_000

interface ActiveLease extends Lease {
  lane: Lane
  /** By performance.now(). */
  beganAt: number
  attemptBeganAt?: number | undefined
  /** Resolves once attempts are recorded and the endpoint is released; set when that starts. */
  ended?: Promise<void>
  done?: Promise<void>
}

export function createDispatcher(deps: Deps, options: Partial<DispatcherOptions> = {}): Dispatcher {
  const { settings, jobs, pool, log, clock } = deps
  const leaseId = randomUUID()
  const active = new Map<string, ActiveLease>()
  const sender =
    options.sender ??
    createSender({
      allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
      requireHttps: settings.NODE_ENV === 'production',
    })
  const lanes = createLanes(options.lanes ?? LANE_SIZES, beginLeases)
  const recorder = createRecorder({
    log,
    write: (batch) => applyResults(deps, { ...batch, leaseId }),
    onWritten({ recorded, disabled }) {
      deliveriesDeadTotal.inc(recorded.filter(({ status }) => status === 'dead').length)
      endpointsDisabledTotal.inc(disabled)
    },
  })
  let isStopping = false
  let isTakingOver = false
  const timers: NodeJS.Timeout[] = []
  exposeSlots(() => lanes.inUse)

  async function enqueue(lane: Lane, serverId: string): Promise<void> {
    if (isStopping) return enqueueWake(deps, pool, [serverId])
    const lease = active.get(serverId)
    // Its release will look for due deliveries, and so find this job's.
    if (lease && !lease.ended) return
    await lease?.ended // may have looked before this delivery was committed
    await lanes.queue(lane, serverId)
  }

  async function beginLeases(lane: Lane, serverIds: string[]): Promise<number> {
    const wanted = serverIds.filter((serverId) => active.get(serverId)?.ended !== undefined || !active.has(serverId))
    if (!wanted.length) return 0
    const beganAt = performance.now()
    const leases = await acquireLeases(deps, { serverIds: wanted, leaseId, slowToo: lane === 'slow' })
    for (const lease of leases) {
      const started: ActiveLease = { ...lease, lane, beganAt }
      active.set(lease.serverId, started)
      started.done = run(started)
    }
    return leases.length
  }

  async function run(lease: ActiveLease): Promise<void> {
    for (const delivery of lease.deliveries) {
      const now = performance.now()
      if (isStopping || now - lease.beganAt > SENDING_MS) break
      if (now - lease.beganAt > RECHECK_MS && !(await isPending(pool, delivery.id).catch(() => false))) break
      lease.attemptBeganAt = now
      const attempt = await attemptDelivery(lease, delivery)
      lease.attemptBeganAt = undefined
      recorder.add(attempt)
      const outcome = classifyAttempt(attempt)
      attemptsTotal.inc({ outcome })
      attemptSeconds.observe(attempt.latencyMs / 1_000)
      if (outcome !== 'delivered') break
    }
    lease.ended = recorder.release(lease.serverId)
    await lease.ended
    if (active.get(lease.serverId) === lease) active.delete(lease.serverId)
    lanes.release(lease.lane)
  }

  async function attemptDelivery(lease: ActiveLease, delivery: Lease['deliveries'][number]): Promise<FinishedAttempt> {
    const at = clock()
    const { id, body, attempts } = delivery
    const { serverId, storedUrl, url, secrets } = lease
    const response =
      secrets && url !== undefined
        ? await sender.send({ url, headers: signatureHeaders(secrets, { id, at, body }), body })
        : {
            error: url === undefined ? 'the URL can’t be read' : 'the secret can’t be read',
            latencyMs: 0,
            response: '',
          }
    return { deliveryId: id, serverId, storedUrl, number: attempts + 1, attemptedAt: new Date(at), ...response }
  }

  /** The workers of these leases died or could not release them. */
  async function takeOverExpired(): Promise<void> {
    if (isTakingOver) return
    isTakingOver = true
    try {
      const expired = await findExpiredLeases(pool, lanes.free('fast'))
      await Promise.all(expired.map((serverId) => enqueue('fast', serverId)))
    } catch (err) {
      log.warn({ err }, 'expired webhook leases not taken over')
    } finally {
      isTakingOver = false
    }
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

  return {
    start() {
      if (!isStopping) timers.push(setInterval(takeOverExpired, TAKE_OVER_MS), setInterval(moveSlow, SLOW_CHECK_MS))
    },

    async wake({ serverId, deliveryId }) {
      if (deliveryId) await reviveDelivery(pool, serverId, deliveryId)
      await enqueue('fast', serverId)
    },

    wakeSlow: ({ serverId }) => enqueue('slow', serverId),

    async windDown() {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      await lanes.drain((serverIds) => enqueueWake(deps, pool, serverIds))
      await Promise.all([webhookWake, webhookSlowWake].map(({ queue }) => jobs.boss.offWork(queue)))
      const ends = Promise.all([...active.values()].map(({ done }) => done))
      await Promise.race([ends, sleep(WIND_DOWN_MS, undefined, { ref: false })])
    },

    async close() {
      recorder.stopRetrying()
      await sender.close()
    },
  }
}
