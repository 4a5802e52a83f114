// What the dispatch does to the database: take endpoints that have something due, keep them, and settle what was sent.
import type { Deps } from '../../deps.ts'
import { createVault, type Vault } from '../../platform/config/vault.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import {
  type AttemptColumns,
  type DueDelivery,
  findDue,
  type HealthColumns,
  LEASE_SECONDS,
  type LeasedEndpoint,
  leaseEndpoints,
  lockEndpoints,
  noteHealth,
  type RecordedAttempt,
  recordAttempts,
  releaseLeases,
} from './dispatch.sql.ts'
import { giveUpEndpoint } from './give-up.service.ts'
import { secondsToNextAttempt } from './retry-schedule.ts'
import { webhookSlowWake, webhookWake } from './webhooks.jobs.ts'

export type DispatchDeps = Pick<Deps, 'pool' | 'jobs' | 'settings'>

export const LEASE_MS = LEASE_SECONDS * 1_000
/** Deliveries one endpoint may have sent before others get its place. */
const DELIVERIES_A_TURN = 32
/** Nothing but failures for this long disables an endpoint. */
const FAILING_FOR_DAYS = 5
/** An answer slower than this makes the endpoint wait among the slow ones next time. */
const SLOW_MS = 2_000
/** An endpoint that refuses at once and has a backlog is not asked more often than this; scaled as the waits are. */
const PAUSE_SECONDS = 1

/** One endpoint with what it is to be sent, in this order. */
export interface Turn {
  serverId: string
  url: string
  /** `whsec_…`, the present one first; undefined: they can't be read (VaultError). */
  secrets: string[] | undefined
  deliveries: DueDelivery[]
}

/**
 * Takes those of the servers' endpoints that are enabled and held by nobody, with what is due. They are ours for LEASE_MS: when
 * this fails half way, they come back to somebody after that.
 * @param slowToo whether slow endpoints are taken too; else they are sent to wait in their own queue
 */
export async function takeTurns(
  deps: DispatchDeps,
  { serverIds, leaseId, slowToo }: { serverIds: string[]; leaseId: string; slowToo: boolean },
): Promise<Turn[]> {
  const { pool, settings } = deps
  const { leased, slow } = await leaseEndpoints(pool, { serverIds, leaseId, slowToo })
  await wakeSlow(deps, pool, slow)
  if (!leased.length) return []
  const held = leased.map(({ serverId }) => serverId)
  const due = Map.groupBy(await findDue(pool, held, DELIVERIES_A_TURN), ({ serverId }) => serverId)
  const vault = createVault(settings)
  return leased.map((endpoint) => ({
    serverId: endpoint.serverId,
    url: endpoint.url,
    secrets: openSecrets(vault, endpoint),
    deliveries: due.get(endpoint.serverId) ?? [],
  }))
}

/** @returns undefined unless all of them can be read: one that is missing would be a signature that receivers miss */
function openSecrets(vault: Vault, { secret, previousSecret }: LeasedEndpoint): string[] | undefined {
  const opened = [secret, ...(previousSecret ? [previousSecret] : [])].map((one) =>
    vault.openIfPossible('webhook', one),
  )
  return opened.every((one) => one !== undefined) ? opened : undefined
}

/** Has slow endpoints wait in their own queue, where one job of each is enough: what it is to find is committed already. */
export async function wakeSlow({ jobs }: Pick<DispatchDeps, 'jobs'>, db: Db, serverIds: string[], pauseSeconds = 0) {
  const options = ({ serverId }: { serverId: string }) => ({ singletonKey: serverId, startAfter: pauseSeconds })
  if (serverIds.length)
    await jobs.enqueue(
      db,
      webhookSlowWake,
      serverIds.map((serverId) => ({ serverId })),
      options,
    )
}

/** Hands endpoints that were to be looked at to whichever worker comes first. */
export async function wakeLater({ jobs }: Pick<DispatchDeps, 'jobs'>, db: Db, serverIds: string[]): Promise<void> {
  if (serverIds.length)
    await jobs.enqueue(
      db,
      webhookWake,
      serverIds.map((serverId) => ({ serverId })),
    )
}

export interface FinishedAttempt {
  deliveryId: string
  serverId: string
  /** Where it went: the owner may have set another since. */
  url: string
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
    if (ended.length) await letGo(deps, tx, ended, leaseId)
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
    const { url } = gone ?? lastOfMany ?? {}
    if (url === undefined) continue
    if (await giveUpEndpoint(tx, deps.jobs, { serverId, url, reason: gone ? 'gone' : 'failing' })) disabled++
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

async function letGo(deps: DispatchDeps, tx: Db, ended: string[], leaseId: string): Promise<void> {
  const released = await releaseLeases(tx, ended, leaseId)
  const more = released.filter(({ hasMore }) => hasMore)
  const pauseSeconds = PAUSE_SECONDS * Math.min(1, deps.settings.WEBHOOK_RETRY_SCALE)
  const ids = (rows: typeof more) => rows.map(({ serverId }) => serverId)
  await wakeLater(deps, tx, ids(more.filter(({ isSlow }) => !isSlow)))
  await wakeSlow(deps, tx, ids(more.filter(({ isSlow }) => isSlow)), pauseSeconds)
}
