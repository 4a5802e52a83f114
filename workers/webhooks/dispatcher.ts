// Dispatches deliveries: a wake job queues its endpoint in a lane, whose slots lease endpoints and send to many
// of them concurrently.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/deps.ts'
import {
  acquireLeases,
  applyResults,
  enqueueFastWakes,
  requeueDeadDelivery,
  type WebhookWake,
  webhookSlowWake,
  webhookWake,
} from '../../src/features/webhooks/index.ts'
import { currentCause, withCause } from '../../src/platform/observability/cause.ts'
import { createLanes, LANE_SIZES, type Lane } from './lanes.ts'
import { type ActiveLease, createLeaseSender } from './lease-sender.ts'
import { watchLeases } from './lease-watch.ts'
import { createRecorder } from './recorder.ts'
import { createSenderFor, type Sender } from './send.ts'
import { createStatusMessages } from './status-messages.ts'
import { createWakeSpans } from './wake-spans.ts'
import { deliveriesDeadTotal, endpointsDisabledTotal, exposeSlots } from './webhooks.metrics.ts'

export type Dispatcher = ReturnType<typeof createDispatcher>

export interface DispatcherOptions {
  lanes: typeof LANE_SIZES
  sender: Sender
}

/** Longer than an attempt, shorter than a worker's jobs have to finish (FINISH_TIMEOUT_MS). */
const WIND_DOWN_MS = 15_000

export function createDispatcher(deps: Deps, options: Partial<DispatcherOptions> = {}) {
  const { settings, jobs, pool, log } = deps
  const leaseId = randomUUID()
  const active = new Map<string, ActiveLease>()
  const wakeSpans = createWakeSpans()
  const sender = options.sender ?? createSenderFor(settings)
  const statusMessages = createStatusMessages(deps, sender)
  const lanes = createLanes(options.lanes ?? LANE_SIZES, beginLeases)
  const recorder = createRecorder(log, async (batch) => {
    const { recorded, disabled } = await applyResults(deps, { ...batch, leaseId })
    deliveriesDeadTotal.inc(recorded.filter(({ status }) => status === 'dead').length)
    endpointsDisabledTotal.inc(disabled)
  })
  let isStopping = false
  let stopWatch: (() => void) | undefined
  const send = createLeaseSender({ ...deps, sender, recorder, wakeSpans, isStopping: () => isStopping })
  exposeSlots(lanes.inUse)

  function isSending(endpointId: string): boolean {
    const lease = active.get(endpointId)
    return lease !== undefined && lease.released === undefined
  }

  async function enqueue(lane: Lane, endpointId: string): Promise<void> {
    if (isStopping) return enqueueFastWakes(pool, jobs, [endpointId])
    // Its release will look for due deliveries, and so find this job's.
    if (isSending(endpointId)) return
    await active.get(endpointId)?.released // may have looked before this delivery was committed
    await lanes.queue(lane, endpointId)
  }

  /**
   * Queues an endpoint for a job. Other jobs share the lease that this starts, so it does not run
   * under this job's cause.
   */
  function queueForJob(lane: Lane, endpointId: string): Promise<void> {
    wakeSpans.note(endpointId, currentCause().traceparent)
    return withCause({}, () => enqueue(lane, endpointId))
  }

  async function beginLeases(lane: Lane, endpointIds: string[]): Promise<number> {
    const wanted = endpointIds.filter((endpointId) => !isSending(endpointId))
    if (!wanted.length) return 0
    const beganAt = performance.now()
    const leases = await acquireLeases(deps, { endpointIds: wanted, leaseId, slowToo: lane === 'slow' })
    for (const lease of leases) {
      const started: ActiveLease = { ...lease, lane, beganAt, endpointChanged: new AbortController() }
      active.set(lease.endpointId, started)
      started.removed = run(started)
    }
    return leases.length
  }

  async function run(lease: ActiveLease): Promise<void> {
    await send(lease)
    if (active.get(lease.endpointId) === lease) active.delete(lease.endpointId)
    lanes.release(lease.lane)
  }

  async function endAll(): Promise<void> {
    const messagesEnded = statusMessages.drain()
    await lanes.drain((endpointIds) => enqueueFastWakes(pool, jobs, endpointIds))
    await Promise.all([webhookWake, webhookSlowWake].map(({ queue }) => jobs.boss.offWork(queue)))
    await Promise.all([messagesEnded, ...[...active.values()].map(({ removed }) => removed)])
  }

  return {
    /** Starts taking over expired leases of other workers, and sending status messages. */
    start(): void {
      if (isStopping) return
      statusMessages.start()
      stopWatch = watchLeases({ ...deps, active, lanes, acquire: (endpointId) => enqueue('fast', endpointId) })
    },

    /**
     * Handles a wake job. Resolves once the endpoint is leased by this or another worker, is in the slow
     * queue, or has nothing due.
     */
    async wake({ endpointId, deliveryId }: WebhookWake): Promise<void> {
      if (deliveryId) await requeueDeadDelivery(pool, endpointId, deliveryId)
      await queueForJob('fast', endpointId)
    },

    /** Handles a wake job of the slow queue. */
    wakeSlow: ({ endpointId }: { endpointId: string }) => queueForJob('slow', endpointId),

    /**
     * Starts no more attempts and takes no more jobs. Resolves when running attempts have ended and are
     * recorded, after 15 s at most.
     */
    async drain(): Promise<void> {
      isStopping = true
      stopWatch?.()
      await Promise.race([endAll(), sleep(WIND_DOWN_MS, undefined, { ref: false })])
    },

    /** Aborts running attempts. */
    async close(): Promise<void> {
      recorder.stopRetrying()
      await sender.close()
    },
  }
}
