// Applies the results of attempts to deliveries and endpoints.
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { disableEndpoint } from './disable-endpoint.service.ts'
import type { Answer, Verdict } from './kinds/kind.ts'
import { type DispatchDeps, releaseEndpoints } from './leases.service.ts'
import {
  type AttemptColumns,
  findNextDue,
  type HealthColumns,
  lockEndpoints,
  makeAllDue,
  pause,
  postponeDue,
  type RecordedAttempt,
  recordAttempts,
  updateHealth,
} from './results.sql.ts'
import { retryAges, secondsToNextAge, secondsToNextAttempt } from './retry-schedule.ts'
import { webhookWake } from './webhooks.jobs.ts'

/** An endpoint is disabled once every attempt has failed for this long. */
const FAILING_FOR_DAYS = 5
/** An endpoint that answers slower than this uses the slow queue next time. */
const SLOW_MS = 2_000

export interface FinishedAttempt extends Answer {
  deliveryId: string
  endpointId: string
  /** The URL that was used, as stored: the owner may have set another since. */
  storedUrl: string
  /** 1 for the first. */
  number: number
  attemptedAt: Date
  /** When the delivery was queued. */
  queuedAt: Date
  /** Whether the endpoint's later deliveries wait for this one. */
  isOrdered: boolean
  verdict: Verdict
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
  const byEndpoint = Map.groupBy(attempts, ({ endpointId }) => endpointId)
  return inTransaction(deps.pool, async (tx) => {
    await lockEndpoints(tx, [...new Set([...byEndpoint.keys(), ...released])])
    const recorded = attempts.length ? await recordAttempts(tx, attemptColumns(deps, attempts)) : []
    const disabled = attempts.length ? await followUp(deps, tx, byEndpoint, attempts, recorded) : 0
    if (released.length) await releaseEndpoints(deps, tx, released, leaseId)
    return { recorded, disabled }
  })
}

type Result = Pick<RecordedAttempt, 'status' | 'wait'>

function resultOf(attempt: FinishedAttempt, scale: number): Result {
  const { number, attemptedAt, queuedAt, isOrdered, verdict } = attempt
  if (verdict.outcome === 'delivered') return { status: 'delivered', wait: null }
  if (verdict.outcome === 'gone') return { status: 'canceled', wait: null }
  if (verdict.outcome === 'refused') return { status: 'dead', wait: null }
  const failed = { attempt: number, retryAfter: 'retryAfter' in verdict ? verdict.retryAfter : undefined }
  const wait = isOrdered
    ? secondsToNextAge((attemptedAt.getTime() - queuedAt.getTime()) / 1_000, failed, scale)
    : secondsToNextAttempt(failed, scale, { now: attemptedAt.getTime() })
  if (wait === undefined) return { status: 'dead', wait: null }
  return { status: 'pending', wait: verdict.outcome === 'limited' ? verdict.waitSeconds : wait }
}

function attemptColumns({ settings }: DispatchDeps, attempts: FinishedAttempt[]): AttemptColumns {
  const results = attempts.map((attempt) => resultOf(attempt, settings.WEBHOOK_RETRY_SCALE))
  return {
    deliveryIds: attempts.map(({ deliveryId }) => deliveryId),
    numbers: attempts.map(({ number }) => number),
    attemptedAt: attempts.map(({ attemptedAt }) => attemptedAt),
    statuses: attempts.map(({ status }) => status ?? null),
    latenciesMs: attempts.map(({ latencyMs }) => latencyMs),
    errors: attempts.map(({ error }) => error ?? null),
    responses: attempts.map(({ response }) => response),
    outcomes: results.map(({ status }) => status),
    waits: results.map(({ wait }) => wait),
  }
}

/** @returns number of endpoints disabled */
async function followUp(
  deps: DispatchDeps,
  tx: Db,
  byEndpoint: Map<string, FinishedAttempt[]>,
  attempts: FinishedAttempt[],
  recorded: RecordedAttempt[],
): Promise<number> {
  const ordered = new Set(attempts.filter(({ isOrdered }) => isOrdered).map(({ endpointId }) => endpointId))
  const retried = recorded.filter(({ status, endpointId }) => status === 'pending' && !ordered.has(endpointId))
  if (retried.length)
    await deps.jobs.enqueue(
      tx,
      webhookWake,
      retried.map(({ endpointId }) => ({ endpointId })),
      (_, place) => ({ startAfter: Math.ceil((retried[place]?.wait ?? 0) * 1_000) / 1_000 }),
    )
  const refused = new Set(
    attempts.filter(({ verdict }) => verdict.outcome === 'refused').map(({ deliveryId }) => deliveryId),
  )
  await followUpInOrder(deps, tx, byEndpoint)
  await addDeadLetters(
    deps,
    tx,
    recorded.filter(({ status, deliveryId }) => status === 'dead' && !refused.has(deliveryId)),
  )

  const failing = await updateHealth(tx, healthColumns(byEndpoint), FAILING_FOR_DAYS)
  let disabled = 0
  for (const [endpointId, ofEndpoint] of [...byEndpoint].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const gone = ofEndpoint.find(({ verdict }) => verdict.outcome === 'gone')
    const lastFailed = failing.includes(endpointId) ? ofEndpoint.at(-1) : undefined
    const { storedUrl } = gone ?? lastFailed ?? {}
    if (storedUrl === undefined) continue
    if (await disableEndpoint(tx, deps.jobs, { endpointId, storedUrl, reason: gone ? 'gone' : 'failing' })) disabled++
  }
  return disabled
}

/**
 * Of ordered endpoints: after a success all that wait for a retry are due; after a failure the deliveries that were due with the failed one
 * wait for their own next age; a limit pauses the endpoint.
 */
async function followUpInOrder(
  { jobs, settings }: DispatchDeps,
  tx: Db,
  byEndpoint: Map<string, FinishedAttempt[]>,
): Promise<void> {
  const last = [...byEndpoint.values()]
    .flatMap((attempts) => attempts.at(-1) ?? [])
    .filter(({ isOrdered }) => isOrdered)
  const idsWith = (outcome: Verdict['outcome']) =>
    last.filter(({ verdict }) => verdict.outcome === outcome).map(({ endpointId }) => endpointId)
  const [failed, delivered] = [idsWith('failed'), idsWith('delivered')]
  if (delivered.length) await makeAllDue(tx, delivered)
  if (failed.length) await postponeDue(tx, failed, retryAges(settings.WEBHOOK_RETRY_SCALE))
  const wakes = failed.length ? await findNextDue(tx, failed) : []
  for (const { endpointId, verdict } of last)
    if (verdict.outcome === 'limited') {
      await pause(tx, endpointId, verdict.waitSeconds)
      wakes.push({ endpointId, wait: verdict.waitSeconds })
    }
  if (!wakes.length) return
  await jobs.enqueue(
    tx,
    webhookWake,
    wakes.map(({ endpointId }) => ({ endpointId })),
    (_, place) => ({ startAfter: Math.ceil((wakes[place]?.wait ?? 0) * 1_000) / 1_000 }),
  )
}

function healthColumns(byEndpoint: Map<string, FinishedAttempt[]>): HealthColumns {
  const columns: HealthColumns = { endpointIds: [], isSlow: [], isFailing: [], hasSucceeded: [] }
  for (const [endpointId, attempts] of byEndpoint) {
    const meaningful = attempts.filter(({ verdict }) => verdict.outcome !== 'refused' && verdict.outcome !== 'limited')
    const last = meaningful.at(-1)
    if (!last) continue
    const isFailing = last.verdict.outcome !== 'delivered'
    columns.endpointIds.push(endpointId)
    columns.isFailing.push(isFailing)
    columns.isSlow.push(isFailing || last.latencyMs > SLOW_MS)
    columns.hasSucceeded.push(meaningful.some(({ verdict }) => verdict.outcome === 'delivered'))
  }
  return columns
}

/**
 * Adds a dead letter for each dead delivery: a failed job of the wake queue, which operators see, and whose redrive makes the delivery
 * due again. Refused deliveries have none: no attempt could help.
 */
async function addDeadLetters({ jobs }: DispatchDeps, tx: Db, dead: RecordedAttempt[]): Promise<void> {
  if (!dead.length) return
  await jobs.bury(
    tx,
    webhookWake,
    dead.map(({ endpointId, deliveryId }) => ({ endpointId, deliveryId })),
    'not delivered in the last attempt',
  )
}
