// Applies the results of attempts to deliveries and endpoints.
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { disableEndpoint } from './disable-endpoint.service.ts'
import { type DispatchDeps, releaseEndpoints } from './leases.service.ts'
import {
  type AttemptColumns,
  type HealthColumns,
  lockEndpoints,
  type RecordedAttempt,
  recordAttempts,
  updateHealth,
} from './results.sql.ts'
import { secondsToNextAttempt } from './retry-schedule.ts'
import { webhookWake } from './webhooks.jobs.ts'

/** An endpoint is disabled once every attempt has failed for this long. */
const FAILING_FOR_DAYS = 5
/** An endpoint that answers slower than this uses the slow queue next time. */
const SLOW_MS = 2_000

export interface FinishedAttempt {
  deliveryId: string
  serverId: string
  /** The URL that was used, as stored: the owner may have set another since. */
  storedUrl: string
  /** 1 for the first. */
  number: number
  attemptedAt: Date
  status?: number
  /** Why there was no response. */
  error?: string
  latencyMs: number
  response: string
  retryAfter?: string
}

export type AttemptOutcome = 'delivered' | 'failed' | 'gone'

/** 2xx is delivered, 410 disables the endpoint, everything else is a failure, including redirects. */
export function classifyAttempt({ status = 0 }: Pick<FinishedAttempt, 'status'>): AttemptOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  return status === 410 ? 'gone' : 'failed'
}

export interface AppliedResults {
  recorded: RecordedAttempt[]
  /** Number of endpoints disabled. */
  disabled: number
}

/**
 * Records attempts and what follows from them: retries with their wake jobs, dead letters, disabled endpoints. Then releases the
 * endpoints in `released`, and enqueues wake jobs for those with more due deliveries. One idempotent transaction.
 */
export async function applyResults(
  deps: DispatchDeps,
  { attempts, released, leaseId }: { attempts: FinishedAttempt[]; released: string[]; leaseId: string },
): Promise<AppliedResults> {
  const byServer = Map.groupBy(attempts, ({ serverId }) => serverId)
  return inTransaction(deps.pool, async (tx) => {
    await lockEndpoints(tx, [...new Set([...byServer.keys(), ...released])])
    const recorded = attempts.length ? await recordAttempts(tx, attemptColumns(deps, attempts)) : []
    const disabled = attempts.length ? await followUp(deps, tx, byServer, recorded) : 0
    if (released.length) await releaseEndpoints(deps, tx, released, leaseId)
    return { recorded, disabled }
  })
}

function attemptColumns({ settings }: DispatchDeps, attempts: FinishedAttempt[]): AttemptColumns {
  const results = attempts.map((attempt) => {
    const outcome = classifyAttempt(attempt)
    if (outcome !== 'failed') return { outcome: outcome === 'gone' ? 'canceled' : outcome, wait: null } as const
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
    outcomes: results.map(({ outcome }) => outcome),
    waits: results.map(({ wait }) => wait),
  }
}

/** @returns number of endpoints disabled */
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
  await addDeadLetters(deps, tx, recorded)

  const failing = await updateHealth(tx, healthColumns(byServer), FAILING_FOR_DAYS)
  let disabled = 0
  for (const [serverId, attempts] of [...byServer].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const gone = attempts.find((attempt) => classifyAttempt(attempt) === 'gone')
    const lastFailed = failing.includes(serverId) ? attempts.at(-1) : undefined
    const { storedUrl } = gone ?? lastFailed ?? {}
    if (storedUrl === undefined) continue
    if (await disableEndpoint(tx, deps.jobs, { serverId, storedUrl, reason: gone ? 'gone' : 'failing' })) disabled++
  }
  return disabled
}

function healthColumns(byServer: Map<string, FinishedAttempt[]>): HealthColumns {
  const columns: HealthColumns = { serverIds: [], isSlow: [], isFailing: [], hasSucceeded: [] }
  for (const [serverId, attempts] of byServer) {
    const last = attempts.at(-1)
    if (!last) continue
    const isFailing = classifyAttempt(last) !== 'delivered'
    columns.serverIds.push(serverId)
    columns.isFailing.push(isFailing)
    columns.isSlow.push(isFailing || last.latencyMs > SLOW_MS)
    columns.hasSucceeded.push(attempts.some((attempt) => classifyAttempt(attempt) === 'delivered'))
  }
  return columns
}

/**
 * Adds a dead letter for each dead delivery: a failed job of the wake queue, which operators see, and whose redrive makes the delivery
 * due again.
 */
async function addDeadLetters({ jobs }: DispatchDeps, tx: Db, recorded: RecordedAttempt[]): Promise<void> {
  const dead = recorded.filter(({ status }) => status === 'dead')
  if (!dead.length) return
  await jobs.bury(
    tx,
    webhookWake,
    dead.map(({ serverId, deliveryId }) => ({ serverId, deliveryId })),
    'not delivered in the last attempt',
  )
}
