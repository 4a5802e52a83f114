// Leases: a worker leases endpoints with due deliveries, sends, and releases them.
import type { Deps } from '../../deps.ts'
import { createSecretCipher, type SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { decryptUrl } from './encrypted-url.ts'
import { type KindName, kindOf } from './kinds/index.ts'
import {
  type DueDelivery,
  findDue,
  LEASE_SECONDS,
  type LeasedEndpoint,
  leaseEndpoints,
  releaseLeases,
} from './leases.sql.ts'
import { webhookSlowWake, webhookWake } from './webhooks.jobs.ts'

export type DispatchDeps = Pick<Deps, 'pool' | 'jobs' | 'settings'>

export const LEASE_MS = LEASE_SECONDS * 1_000
/** After this many the endpoint waits again, so that other endpoints get its slot. */
const DELIVERIES_PER_LEASE = 32
/** Wait before the next lease of a slow endpoint with more due deliveries; scaled like the retry schedule. */
const SLOW_PAUSE_SECONDS = 1

/** A leased endpoint with its due deliveries in sending order. */
export interface Lease {
  endpointId: string
  kind: KindName
  /** The URL as it is stored: identifies which of the owner's URLs is used. */
  storedUrl: string
  /** Undefined if it can't be decrypted. */
  url: string | undefined
  /** The current one first, empty if the kind has none; undefined if one can't be decrypted. */
  secrets: string[] | undefined
  deliveries: DueDelivery[]
}

/**
 * Leases those endpoints that are enabled and not leased, with their due deliveries, for LEASE_MS.
 * @param slowToo whether to lease slow endpoints too; otherwise they are moved to their own queue
 */
export async function acquireLeases(
  deps: DispatchDeps & Partial<Pick<Deps, 'clock'>>,
  { endpointIds, leaseId, slowToo }: { endpointIds: string[]; leaseId: string; slowToo: boolean },
): Promise<Lease[]> {
  const { pool, jobs, settings, clock } = deps
  const { leased, slow } = await leaseEndpoints(pool, { endpointIds, leaseId, slowToo })
  await enqueueSlowWakes(pool, jobs, slow)
  if (!leased.length) return []
  const ordered = leased.map(({ id, kind }) => ({ id, isOrdered: kindOf(kind).isOrdered ?? false }))
  const deliveries = await findDue(pool, ordered, { perEndpoint: DELIVERIES_PER_LEASE, clock })
  const due = Map.groupBy(deliveries, ({ endpointId }) => endpointId)
  const secretCipher = createSecretCipher(settings)
  return leased.map((endpoint) => ({
    endpointId: endpoint.id,
    kind: endpoint.kind,
    storedUrl: endpoint.url,
    url: decryptUrl(secretCipher, endpoint.url),
    secrets: decryptSecrets(secretCipher, endpoint),
    deliveries: due.get(endpoint.id) ?? [],
  }))
}

/** @returns undefined unless all can be decrypted: receivers may know only the secret whose signature is missing */
function decryptSecrets(secretCipher: SecretCipher, { secret, previousSecret }: LeasedEndpoint): string[] | undefined {
  const stored = [secret, previousSecret].filter((one) => one !== null)
  const opened = stored.map((one) => secretCipher.decryptIfPossible('webhook', one))
  return opened.every((one) => one !== undefined) ? opened : undefined
}

/** Enqueues at most one job for each slow endpoint. Call it after the deliveries are committed. */
const enqueueSlowWakes = (db: Db, jobs: JobQueue, endpointIds: string[], pauseSeconds = 0) =>
  jobs.enqueue(
    db,
    webhookSlowWake,
    endpointIds.map((endpointId) => ({ endpointId })),
    ({ endpointId }) => ({ singletonKey: endpointId, startAfter: pauseSeconds }),
  )

/** Enqueues a job for each endpoint, for any worker. */
export const enqueueFastWakes = (db: Db, jobs: JobQueue, endpointIds: string[]) =>
  jobs.enqueue(
    db,
    webhookWake,
    endpointIds.map((endpointId) => ({ endpointId })),
  )

/** Enqueues a job for each endpoint, in its queue. @param pauseSeconds of slow endpoints */
export async function enqueueWakes(
  db: Db,
  jobs: JobQueue,
  endpoints: { id: string; isSlow: boolean }[],
  pauseSeconds?: number,
): Promise<void> {
  const slow = endpoints.filter(({ isSlow }) => isSlow).map(({ id }) => id)
  const fast = endpoints.filter(({ isSlow }) => !isSlow).map(({ id }) => id)
  await enqueueFastWakes(db, jobs, fast)
  await enqueueSlowWakes(db, jobs, slow, pauseSeconds)
}

/** Releases endpoints that `lockEndpoints` has locked, and enqueues jobs for those with more due deliveries. */
export async function releaseEndpoints(
  tx: Db,
  { jobs, settings }: Pick<DispatchDeps, 'jobs' | 'settings'>,
  { endpointIds, leaseId }: { endpointIds: string[]; leaseId: string },
): Promise<void> {
  const released = await releaseLeases(tx, endpointIds, leaseId)
  const more = released.filter(({ hasMore }) => hasMore)
  const pauseSeconds = SLOW_PAUSE_SECONDS * Math.min(1, settings.WEBHOOK_RETRY_SCALE)
  await enqueueWakes(tx, jobs, more, pauseSeconds)
}
