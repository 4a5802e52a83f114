// Applies the results of attempts to deliveries and endpoints.
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import type { JobQueue, Jobs } from '../../platform/queue/jobs.ts'
import { disableEndpoint } from './disable-endpoint.service.ts'
import { concernsDeliveryOnly, mayTakeNext, type Verdict } from './kinds/kind.ts'
import { type DispatchDeps, releaseEndpoints } from './leases.service.ts'
import {
  type Attempt,
  type AttemptResult,
  type EndpointHealth,
  findNextDue,
  lockEndpoints,
  makeNextDue,
  pauseEndpoint,
  postponeDue,
  type RecordedAttempt,
  recordAttempts,
  updateHealth,
} from './results.sql.ts'
import { retryAges, secondsToNextAge, secondsToNextAttempt } from './retry-schedule.ts'
import { pause } from './status-messages/messages.sql.ts'
import { webhookWake } from './webhooks.jobs.ts'

/** An endpoint is disabled once every attempt has failed for this long. */
export const FAILING_FOR_DAYS = 5
/**
 * Only an attempt with this number or a later one shows it, about half an hour after its delivery's first: with rare
 * events nothing else may have been sent for days.
 */
const CONCLUSIVE_ATTEMPT = 4
/** An endpoint that answers slower than this uses the slow queue next time. */
const SLOW_MS = 2_000

export interface FinishedAttempt extends Attempt {
  endpointId: string
  /** The URL that was used, as stored: the owner may have set another since. */
  storedUrl: string
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
 * Records attempts and what follows from them: retries with their wake jobs, dead letters, disabled endpoints.
 * Then releases the endpoints in `released`, and enqueues wake jobs for those with more due deliveries. One
 * idempotent transaction.
 */
export async function applyResults(
  deps: DispatchDeps,
  { attempts, released, leaseId }: { attempts: FinishedAttempt[]; released: string[]; leaseId: string },
): Promise<AppliedResults> {
  return inTransaction(deps.pool, async (tx) => {
    const urls = await lockEndpoints(tx, [...new Set([...attempts.map(({ endpointId }) => endpointId), ...released])])
    const judged = attempts.map((attempt) => ({ ...attempt, isOutdated: isOutdated(attempt, urls) }))
    const results = judged.length ? await record(tx, deps, judged) : { recorded: [], disabled: 0 }
    if (released.length) await releaseEndpoints(tx, deps, { endpointIds: released, leaseId })
    return results
  })
}

/**
 * A failure at a URL that the owner has replaced since says nothing of the endpoint: its delivery is sent to
 * the new one at once.
 */
const isOutdated = ({ endpointId, storedUrl, verdict }: FinishedAttempt, urls: ReadonlyMap<string, string>): boolean =>
  verdict.outcome !== 'delivered' && urls.has(endpointId) && urls.get(endpointId) !== storedUrl

interface JudgedAttempt extends FinishedAttempt {
  isOutdated: boolean
}

/** The steps of `applyResults` that follow from attempts. */
async function record(tx: Db, deps: DispatchDeps, judged: JudgedAttempt[]): Promise<AppliedResults> {
  const { jobs, settings } = deps
  const results = judged.map((attempt) => ({
    ...attempt,
    ...resultOf(attempt, settings.WEBHOOK_RETRY_SCALE),
    isRetriedAlone: !attempt.isOutdated && 'isRetriedAlone' in attempt.verdict,
  }))
  const recorded = await recordAttempts(tx, results)
  const current = judged.filter(({ isOutdated }) => !isOutdated)
  const byEndpoint = Map.groupBy(current, ({ endpointId }) => endpointId)
  const followUps = await followUpInOrder(tx, deps, byEndpoint)
  await enqueueDeferredWakes(tx, jobs, [...findOwnRetries(judged, recorded), ...followUps])
  await addDeadLetters(tx, jobs, current, recorded)
  const disabled = await updateEndpoints(tx, jobs, byEndpoint)
  return { recorded, disabled }
}

interface DeferredWake {
  endpointId: string
  /** Seconds; null: none. */
  wait: number | null
}

const enqueueDeferredWakes = (tx: Db, jobs: JobQueue, wakes: DeferredWake[]): Promise<void> =>
  jobs.enqueue(
    tx,
    webhookWake,
    wakes.map(({ endpointId }) => ({ endpointId })),
    (_, place) => ({ startAfter: roundUpToMilliseconds(wakes[place]?.wait ?? 0) }),
  )

const roundUpToMilliseconds = (seconds: number): number => Math.ceil(seconds * 1_000) / 1_000

/** Retries with a wake job of their own. All others wait in order: `followUpInOrder` wakes their endpoints. */
function findOwnRetries(judged: JudgedAttempt[], recorded: RecordedAttempt[]): RecordedAttempt[] {
  const wakesItself = ({ isOutdated, isOrdered, verdict }: JudgedAttempt) =>
    isOutdated || !isOrdered || concernsDeliveryOnly(verdict)
  const deliveryIds = new Set(judged.filter(wakesItself).map(({ deliveryId }) => deliveryId))
  return recorded.filter(({ status, deliveryId }) => status === 'pending' && deliveryIds.has(deliveryId))
}

/**
 * A dead letter is a failed job of the wake queue, which operators see, and whose redrive makes the delivery due again.
 * Refused deliveries have none: no attempt could help.
 */
async function addDeadLetters(
  tx: Db,
  jobs: Jobs,
  attempts: FinishedAttempt[],
  recorded: RecordedAttempt[],
): Promise<void> {
  const refused = new Set(attempts.filter(hasOutcome('refused')).map(({ deliveryId }) => deliveryId))
  const dead = recorded.filter(({ status, deliveryId }) => status === 'dead' && !refused.has(deliveryId))
  const letters = dead.map(({ endpointId, deliveryId }) => ({ endpointId, deliveryId }))
  await jobs.deadLetter(tx, webhookWake, letters, 'not delivered in the last attempt')
}

/**
 * Stores the health of endpoints, and disables those that are gone or have failed for too long.
 * @returns number of endpoints disabled
 */
async function updateEndpoints(
  tx: Db,
  jobs: JobQueue,
  byEndpoint: ReadonlyMap<string, FinishedAttempt[]>,
): Promise<number> {
  const health = [...byEndpoint].flatMap(([endpointId, attempts]) => healthOf(endpointId, attempts))
  const failing = await updateHealth(tx, health, FAILING_FOR_DAYS)
  const inIdOrder = [...byEndpoint].sort(([a], [b]) => (a < b ? -1 : 1))
  let disabled = 0
  for (const [endpointId, attempts] of inIdOrder) {
    const gone = attempts.find(hasOutcome('gone'))
    const lastFailed = failing.includes(endpointId) ? attempts.findLast(isConclusiveFailure) : undefined
    const { storedUrl } = gone ?? lastFailed ?? {}
    if (storedUrl === undefined) continue
    if (await disableEndpoint(tx, jobs, { endpointId, storedUrl, reason: gone ? 'gone' : 'failing' })) disabled++
  }
  return disabled
}

const hasOutcome =
  (outcome: Verdict['outcome']) =>
  ({ verdict }: FinishedAttempt): boolean =>
    verdict.outcome === outcome

const isConclusiveFailure = ({ number, verdict }: FinishedAttempt): boolean =>
  verdict.outcome === 'failed' && number >= CONCLUSIVE_ATTEMPT

function resultOf(attempt: JudgedAttempt, scale: number): Pick<AttemptResult, 'outcome' | 'wait'> {
  if (attempt.isOutdated) return { outcome: 'pending', wait: 0 }
  const { number, attemptedAt, queuedAt, isOrdered, verdict } = attempt
  if (verdict.outcome === 'delivered') return { outcome: 'delivered', wait: null }
  if (verdict.outcome === 'gone') return { outcome: 'canceled', wait: null }
  if (verdict.outcome === 'refused') return { outcome: 'dead', wait: null }
  if (verdict.outcome === 'limited') return { outcome: 'pending', wait: verdict.waitSeconds }
  const failed = { attempt: number, retryAfter: 'retryAfter' in verdict ? verdict.retryAfter : undefined }
  const wait = isOrdered
    ? secondsToNextAge((attemptedAt.getTime() - queuedAt.getTime()) / 1_000, failed, scale)
    : secondsToNextAttempt(failed, scale, { now: attemptedAt.getTime() })
  return wait === undefined ? { outcome: 'dead', wait: null } : { outcome: 'pending', wait }
}

/**
 * Reschedules ordered endpoints: after a success, a refusal or a delivery that is retried alone, the waiting
 * retries follow; after another failure the deliveries due with it wait for their own next age; a limit pauses the
 * endpoint, or all of Discord.
 * @returns when to wake them
 */
async function followUpInOrder(
  tx: Db,
  { settings }: Pick<DispatchDeps, 'settings'>,
  byEndpoint: Map<string, FinishedAttempt[]>,
): Promise<{ endpointId: string; wait: number }[]> {
  // What another attempt of the batch says of the endpoint counts.
  const last = [...byEndpoint.values()]
    .flatMap((attempts) => attempts.findLast(({ verdict }) => !concernsDeliveryOnly(verdict)) ?? attempts.at(-1) ?? [])
    .filter(({ isOrdered }) => isOrdered)
  const idsOf = (attempts: FinishedAttempt[]) => attempts.map(({ endpointId }) => endpointId)
  const failed = idsOf(last.filter(({ verdict }) => verdict.outcome === 'failed' && !concernsDeliveryOnly(verdict)))
  const proceeding = idsOf(last.filter(({ verdict }) => mayTakeNext(verdict)))
  if (proceeding.length) await makeNextDue(tx, proceeding)
  if (failed.length) await postponeDue(tx, failed, retryAges(settings.WEBHOOK_RETRY_SCALE))
  const wakes = failed.length ? await findNextDue(tx, failed) : []
  for (const { endpointId, verdict } of last)
    if (verdict.outcome === 'limited') {
      await pauseEndpoint(tx, endpointId, verdict.waitSeconds)
      if (verdict.isGlobal) await pause(tx, 'global', verdict.waitSeconds)
      wakes.push({ endpointId, wait: verdict.waitSeconds })
    }
  return wakes
}

/** @returns none if no attempt says anything about the endpoint */
function healthOf(endpointId: string, attempts: FinishedAttempt[]): EndpointHealth[] {
  const meaningful = attempts.filter(({ verdict }) => verdict.outcome !== 'refused' && verdict.outcome !== 'limited')
  const last = meaningful.at(-1)
  if (!last) return []
  const isFailing = last.verdict.outcome !== 'delivered'
  const isSlow = (isFailing && !concernsDeliveryOnly(last.verdict)) || last.latencyMs > SLOW_MS
  return [{ endpointId, isSlow, isFailing, hasSucceeded: meaningful.some(hasOutcome('delivered')) }]
}
