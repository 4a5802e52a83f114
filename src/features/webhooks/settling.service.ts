// What was sent, brought into the database: what each attempt makes of its delivery and its endpoint.
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { giveUpEndpoint } from './give-up.service.ts'
import { secondsToNextAttempt } from './retry-schedule.ts'
import {
  type AttemptColumns,
  type HealthColumns,
  lockEndpoints,
  noteHealth,
  type RecordedAttempt,
  recordAttempts,
} from './settling.sql.ts'
import { type DispatchDeps, endTurns } from './turns.service.ts'
import { webhookWake } from './webhooks.jobs.ts'

/** Nothing but failures for this long disables an endpoint. */
const FAILING_FOR_DAYS = 5
/** An answer slower than this makes the endpoint wait among the slow ones next time. */
const SLOW_MS = 2_000

export interface FinishedAttempt {
  deliveryId: string
  serverId: string
  /** Where it went, as stored: the owner may have set another since. */
  storedUrl: string
  /** 1 for the first. */
  number: number
  attemptedAt: Date
  status?: number
  /** Why there was no answer. */
  error?: string
  latencyMs: number
  response: string
  retryAfter?: string
}

export type Verdict = 'delivered' | 'failed' | 'gone'

/** 2xx is delivered, 410 ends the endpoint; all else, redirects included, is a failure. */
export function judge({ status = 0 }: Pick<FinishedAttempt, 'status'>): Verdict {
  if (status >= 200 && status < 300) return 'delivered'
  return status === 410 ? 'gone' : 'failed'
}

export interface Settled {
  recorded: RecordedAttempt[]
  disabled: number
}

/**
 * Writes attempts, with what follows from them: the next attempt and its wake job, dead letters, endpoints given up; then lets
 * go of the endpoints in `ended`, waking those that have more to send. One transaction: all of it or nothing, and doing it
 * again changes nothing.
 */
export async function settle(
  deps: DispatchDeps,
  { attempts, ended, leaseId }: { attempts: FinishedAttempt[]; ended: string[]; leaseId: string },
): Promise<Settled> {
  const byServer = Map.groupBy(attempts, ({ serverId }) => serverId)
  return inTransaction(deps.pool, async (tx) => {
    await lockEndpoints(tx, [...new Set([...byServer.keys(), ...ended])])
    const recorded = attempts.length ? await recordAttempts(tx, attemptColumns(deps, attempts)) : []
    const disabled = attempts.length ? await followUp(deps, tx, byServer, recorded) : 0
    if (ended.length) await endTurns(deps, tx, ended, leaseId)
    return { recorded, disabled }
  })
}

function attemptColumns({ settings }: DispatchDeps, attempts: FinishedAttempt[]): AttemptColumns {
  const outlooks = attempts.map((attempt) => {
    const verdict = judge(attempt)
    if (verdict !== 'failed') return { outcome: verdict === 'gone' ? 'canceled' : verdict, wait: null } as const
    const wait = secondsToNextAttempt(
      { attempt: attempt.number, retryAfter: attempt.retryAfter },
      settings.WEBHOOK_RETRY_SCALE,
      { now: attempt.attemptedAt.getTime() },
    )
    return wait === undefined ? ({ outcome: 'dead', wait: null } as const) : ({ outcome: 'pending', wait } as const)
  })
  return {
    deliveryIds: attempts.map(({ deliveryId }) => deliveryId),
    numbers: attempts.map(({ number }) => number),
    attemptedAt: attempts.map(({ attemptedAt }) => attemptedAt),
    statuses: attempts.map(({ status }) => status ?? null),
    latenciesMs: attempts.map(({ latencyMs }) => latencyMs),
    errors: attempts.map(({ error }) => error ?? null),
    responses: attempts.map(({ response }) => response),
    outcomes: outlooks.map(({ outcome }) => outcome),
    waits: outlooks.map(({ wait }) => wait),
  }
}

/** @returns how many endpoints were given up */
async function followUp(
  deps: DispatchDeps,
  tx: Db,
  byServer: Map<string, FinishedAttempt[]>,
  recorded: RecordedAttempt[],
): Promise<number> {
  const retried = recorded.filter(({ status }) => status === 'pending')
  if (retried.length)
    await deps.jobs.enqueue(
      tx,
      webhookWake,
      retried.map(({ serverId }) => ({ serverId })),
      (_, place) => ({ startAfter: Math.ceil((retried[place]?.wait ?? 0) * 1_000) / 1_000 }),
    )
  await bury(deps, tx, recorded)

  const hopeless = await noteHealth(tx, healthColumns(byServer), FAILING_FOR_DAYS)
  let disabled = 0
  for (const [serverId, attempts] of [...byServer].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const gone = attempts.find((attempt) => judge(attempt) === 'gone')
    const lastOfMany = hopeless.includes(serverId) ? attempts.at(-1) : undefined
    const { storedUrl } = gone ?? lastOfMany ?? {}
    if (storedUrl === undefined) continue
    if (await giveUpEndpoint(tx, deps.jobs, { serverId, storedUrl, reason: gone ? 'gone' : 'failing' })) disabled++
  }
  return disabled
}

function healthColumns(byServer: Map<string, FinishedAttempt[]>): HealthColumns {
  const columns: HealthColumns = { serverIds: [], isSlow: [], isFailing: [], hasSucceeded: [] }
  for (const [serverId, attempts] of byServer) {
    const last = attempts.at(-1)
    if (!last) continue
    const isFailing = judge(last) !== 'delivered'
    columns.serverIds.push(serverId)
    columns.isFailing.push(isFailing)
    columns.isSlow.push(isFailing || last.latencyMs > SLOW_MS)
    columns.hasSucceeded.push(attempts.some((attempt) => judge(attempt) === 'delivered'))
  }
  return columns
}

/**
 * Dead deliveries become dead letters: a job of the wake queue that has failed for good, so that it lies where operators look
 * for such, and redriving it wakes the delivery once more.
 */
async function bury({ jobs }: DispatchDeps, tx: Db, recorded: RecordedAttempt[]): Promise<void> {
  const dead = recorded.filter(({ status }) => status === 'dead')
  if (!dead.length) return
  await jobs.bury(
    tx,
    webhookWake,
    dead.map(({ serverId, deliveryId }) => ({ serverId, deliveryId })),
    'not delivered in the last attempt',
  )
}
