// Sends deliveries: one endpoint is served by one worker at a time, one delivery after the other, and many endpoints side by side.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/deps.ts'
import {
  type FinishedAttempt,
  findAbandoned,
  isPending,
  judge,
  LEASE_MS,
  reviveDelivery,
  settle,
  signatureHeaders,
  type Turn,
  takeTurns,
  type WebhookWake,
  wakeLater,
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
  /** Begins to look after endpoints whose holder died. */
  start(): void
  /** The server may have something due. Resolves when that is in good hands: ours, another worker's, or the slow queue's. */
  wake(job: WebhookWake): Promise<void>
  /** The same for a server whose endpoint waited among the slow ones. */
  wakeSlow(job: { serverId: string }): Promise<void>
  /** Begins no attempt any more and takes no more jobs; resolves when attempts under way have ended and are written. */
  windDown(): Promise<void>
  /** Cuts off what is still under way. */
  close(): Promise<void>
}

export interface DispatcherOptions {
  lanes: LaneSizes
  sender: Sender
}

/** An attempt (10 s at most) and its writing must fit into what is left of the lease, so that nobody else sends meanwhile. */
const ATTEMPT_MS = 15_000
/** A turn begins no attempt after this. Short also so that others get its place, and an owner's change is heard. */
const TURN_MS = LEASE_MS - ATTEMPT_MS
/** A turn that has lasted longer asks before each attempt whether the delivery was canceled: by a ban, for one. */
const RECHECK_MS = 500
const TAKE_OVER_MS = 3_000
/** An endpoint that keeps us waiting this long gives its place in the fast lane away. */
const PATIENCE_MS = 500
const LOOK_MS = 100
/** Longer than an attempt, shorter than what a stop leaves. */
const WIND_DOWN_MS = 15_000

interface Running extends Turn {
  lane: Lane
  /** Both by performance.now(). */
  beganAt: number
  attemptBeganAt?: number | undefined
  /** Set once the turn is being written and let go of. */
  ended?: Promise<void>
  done?: Promise<void>
}

export function createDispatcher(deps: Deps, options: Partial<DispatcherOptions> = {}): Dispatcher {
  const { settings, jobs, pool, log, clock } = deps
  const leaseId = randomUUID()
  const running = new Map<string, Running>()
  const sender =
    options.sender ??
    createSender({
      allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
      requireHttps: settings.NODE_ENV === 'production',
    })
  const lanes = createLanes(options.lanes ?? LANE_SIZES, beginTurns)
  const recorder = createRecorder({
    log,
    write: (batch) => settle(deps, { ...batch, leaseId }),
    onWritten({ recorded, disabled }) {
      deliveriesDeadTotal.inc(recorded.filter(({ status }) => status === 'dead').length)
      endpointsDisabledTotal.inc(disabled)
    },
  })
  let isStopping = false
  let isTakingOver = false
  const timers: NodeJS.Timeout[] = []
  exposeSlots(() => lanes.inUse)

  async function enter(lane: Lane, serverId: string): Promise<void> {
    if (isStopping) return wakeLater(deps, pool, [serverId])
    const turn = running.get(serverId)
    // Its end will look for due deliveries after ours was committed.
    if (turn && !turn.ended) return
    await turn?.ended // may have looked before
    await lanes.queue(lane, serverId)
  }

  async function beginTurns(lane: Lane, serverIds: string[]): Promise<number> {
    const wanted = serverIds.filter((serverId) => running.get(serverId)?.ended !== undefined || !running.has(serverId))
    if (!wanted.length) return 0
    const beganAt = performance.now()
    const turns = await takeTurns(deps, { serverIds: wanted, leaseId, slowToo: lane === 'slow' })
    for (const turn of turns) {
      const started: Running = { ...turn, lane, beganAt }
      running.set(turn.serverId, started)
      started.done = run(started)
    }
    return turns.length
  }

  async function run(turn: Running): Promise<void> {
    for (const delivery of turn.deliveries) {
      const now = performance.now()
      if (isStopping || now - turn.beganAt > TURN_MS) break
      if (now - turn.beganAt > RECHECK_MS && !(await isPending(pool, delivery.id).catch(() => false))) break
      turn.attemptBeganAt = now
      const attempt = await attemptDelivery(turn, delivery)
      turn.attemptBeganAt = undefined
      recorder.add(attempt)
      const outcome = judge(attempt)
      attemptsTotal.inc({ outcome })
      attemptSeconds.observe(attempt.latencyMs / 1_000)
      if (outcome !== 'delivered') break
    }
    turn.ended = recorder.end(turn.serverId)
    await turn.ended
    if (running.get(turn.serverId) === turn) running.delete(turn.serverId)
    lanes.leave(turn.lane)
  }

  async function attemptDelivery(turn: Running, delivery: Turn['deliveries'][number]): Promise<FinishedAttempt> {
    const at = clock()
    const { id, body, attempts } = delivery
    const { serverId, storedUrl, url, secrets } = turn
    const answer =
      secrets && url !== undefined
        ? await sender.send({ url, headers: signatureHeaders(secrets, { id, at, body }), body })
        : {
            error: url === undefined ? 'the URL can’t be read' : 'the secret can’t be read',
            latencyMs: 0,
            response: '',
          }
    return { deliveryId: id, serverId, storedUrl, number: attempts + 1, attemptedAt: new Date(at), ...answer }
  }

  /** Whoever held these is dead, or could not write. */
  async function takeOver(): Promise<void> {
    if (isTakingOver) return
    isTakingOver = true
    try {
      const abandoned = await findAbandoned(pool, lanes.room('fast'))
      await Promise.all(abandoned.map((serverId) => enter('fast', serverId)))
    } catch (err) {
      log.warn({ err }, 'abandoned webhook endpoints not taken over')
    } finally {
      isTakingOver = false
    }
  }

  /** Endpoints that keep us waiting leave the fast lane. */
  function lookAtWaiting(): void {
    const since = performance.now() - PATIENCE_MS
    for (const turn of running.values())
      if (turn.lane === 'fast' && turn.attemptBeganAt !== undefined && turn.attemptBeganAt < since) {
        turn.lane = 'slow'
        lanes.fallBack()
      }
  }

  return {
    start() {
      if (!isStopping) timers.push(setInterval(takeOver, TAKE_OVER_MS), setInterval(lookAtWaiting, LOOK_MS))
    },

    async wake({ serverId, deliveryId }) {
      if (deliveryId) await reviveDelivery(pool, serverId, deliveryId)
      await enter('fast', serverId)
    },

    wakeSlow: ({ serverId }) => enter('slow', serverId),

    async windDown() {
      isStopping = true
      for (const timer of timers) clearInterval(timer)
      await lanes.clear((serverIds) => wakeLater(deps, pool, serverIds))
      await Promise.all([webhookWake, webhookSlowWake].map(({ queue }) => jobs.boss.offWork(queue)))
      const ends = Promise.all([...running.values()].map(({ done }) => done))
      await Promise.race([ends, sleep(WIND_DOWN_MS, undefined, { ref: false })])
    },

    async close() {
      recorder.giveUp()
      await sender.close()
    },
  }
}
