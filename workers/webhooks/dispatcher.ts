// Sends deliveries: one endpoint is served by one worker at a time, one delivery after the other, and many endpoints side by side.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deps } from '../../src/deps.ts'
import {
  type FinishedAttempt,
  findAbandoned,
  judge,
  keepTurns,
  LEASE_MS,
  reviveDelivery,
  settle,
  signatureHeaders,
  type Turn,
  takeTurns,
  type WebhookWake,
  wakeLater,
  wakeSlow,
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

/** An attempt begins only when our lease outlives it, so that no other worker sends to the endpoint meanwhile. */
const ATTEMPT_MS = 11_000
/** A turn begins no attempt after this, so that endpoints that are slow but answer take turns too. */
const TURN_MS = 5_000
const BEAT_MS = 3_000
/** Leases are extended when this much is left of them. */
const EXTEND_AT_MS = 16_000
/** An endpoint that keeps us waiting this long gives its place in the fast lane away. */
const PATIENCE_MS = 500
const LOOK_MS = 100
/** Longer than an attempt, shorter than what a stop leaves. */
const WIND_DOWN_MS = 15_000

interface Running extends Turn {
  lane: Lane
  /** All by performance.now(). */
  beganAt: number
  heldUntil: number
  attemptBeganAt?: number | undefined
  /** The owner changed the endpoint, or somebody else holds it. */
  isOver: boolean
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
    const { turns, slow } = await takeTurns(deps, { serverIds: wanted, leaseId, slowToo: lane === 'slow' })
    for (const turn of turns) {
      const started: Running = { ...turn, lane, beganAt, heldUntil: beganAt + LEASE_MS, isOver: false }
      running.set(turn.serverId, started)
      started.done = run(started)
    }
    await wakeSlow(deps, pool, slow)
    return turns.length
  }

  async function run(turn: Running): Promise<void> {
    for (const delivery of turn.deliveries) {
      const now = performance.now()
      if (isStopping || turn.isOver || now - turn.beganAt > TURN_MS || turn.heldUntil - now < ATTEMPT_MS) break
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
    const answer = turn.secrets
      ? await sender.send({ url: turn.url, headers: signatureHeaders(turn.secrets, { id, at, body }), body })
      : { error: 'the secret can’t be read', latencyMs: 0, response: '' }
    return { deliveryId: id, serverId: turn.serverId, number: attempts + 1, attemptedAt: new Date(at), ...answer }
  }

  async function keepLeases(): Promise<void> {
    const now = performance.now()
    const kept = [...running.values()].filter((turn) => !turn.ended && turn.heldUntil - now < EXTEND_AT_MS)
    if (!kept.length) return
    const held = await keepTurns(
      deps,
      kept.map(({ serverId }) => serverId),
      leaseId,
    )
    const changes = new Map(held.map(({ serverId, updatedAt }) => [serverId, updatedAt.getTime()]))
    for (const turn of kept) {
      if (changes.has(turn.serverId)) turn.heldUntil = now + LEASE_MS
      if (changes.get(turn.serverId) !== turn.updatedAt.getTime()) turn.isOver = true
    }
  }

  /** Whoever held these is dead, or was away for long. */
  async function takeOver(): Promise<void> {
    const abandoned = await findAbandoned(pool, lanes.room('fast'))
    await Promise.all(abandoned.map((serverId) => enter('fast', serverId)))
  }

  function everyBeat(work: () => Promise<void>, failed: string): void {
    let isBusy = false
    const beat = async () => {
      if (isBusy) return
      isBusy = true
      await work().catch((err: unknown) => log.warn({ err }, failed))
      isBusy = false
    }
    timers.push(setInterval(beat, BEAT_MS))
  }

  return {
    start() {
      if (isStopping) return
      everyBeat(keepLeases, 'webhook leases not extended')
      everyBeat(takeOver, 'abandoned webhook endpoints not taken over')
      const look = setInterval(() => {
        const since = performance.now() - PATIENCE_MS
        for (const turn of running.values())
          if (turn.lane === 'fast' && turn.attemptBeganAt !== undefined && turn.attemptBeganAt < since) {
            turn.lane = 'slow'
            lanes.fallBack()
          }
      }, LOOK_MS)
      timers.push(look)
    },

    async wake({ serverId, deliveryId }) {
      if (deliveryId) await reviveDelivery(pool, serverId, deliveryId)
      await enter('fast', serverId)
    },

    wakeSlow: ({ serverId }) => enter('slow', serverId),

    async windDown() {
      isStopping = true
      await wakeLater(deps, pool, lanes.clear())
      await Promise.all([webhookWake, webhookSlowWake].map(({ queue }) => jobs.boss.offWork(queue)))
      const ends = Promise.all([...running.values()].map(({ done }) => done))
      await Promise.race([ends, sleep(WIND_DOWN_MS, undefined, { ref: false })])
    },

    async close() {
      for (const timer of timers) clearInterval(timer)
      recorder.giveUp()
      await sender.close()
    },
  }
}
