// Turns of the dispatch: endpoints that have something due are taken, kept for a while, and let go of.
import type { Deps } from '../../deps.ts'
import { createVault, type Vault } from '../../platform/config/vault.ts'
import type { Db } from '../../platform/db/pool.ts'
import { openUrl } from './sealed-url.ts'
import {
  type DueDelivery,
  findDue,
  LEASE_SECONDS,
  type LeasedEndpoint,
  leaseEndpoints,
  releaseLeases,
} from './turns.sql.ts'
import { webhookSlowWake, webhookWake } from './webhooks.jobs.ts'

export type DispatchDeps = Pick<Deps, 'pool' | 'jobs' | 'settings'>

export const LEASE_MS = LEASE_SECONDS * 1_000
/** Deliveries one endpoint may have sent before others get its place. */
const DELIVERIES_A_TURN = 32
/** An endpoint that refuses at once and has a backlog is not asked more often than this; scaled as the waits are. */
const PAUSE_SECONDS = 1

/** One endpoint with what it is to be sent, in this order. */
export interface Turn {
  serverId: string
  /** As stored: which of the owner's URLs this turn is about. */
  storedUrl: string
  /** Undefined: it can't be read (VaultError). */
  url: string | undefined
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
    storedUrl: endpoint.url,
    url: openUrl(vault, endpoint.url),
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

/** Lets go of endpoints that `lockEndpoints` has locked, waking those that have more to send. */
export async function endTurns(deps: DispatchDeps, tx: Db, ended: string[], leaseId: string): Promise<void> {
  const released = await releaseLeases(tx, ended, leaseId)
  const more = released.filter(({ hasMore }) => hasMore)
  const pauseSeconds = PAUSE_SECONDS * Math.min(1, deps.settings.WEBHOOK_RETRY_SCALE)
  const ids = (rows: typeof more) => rows.map(({ serverId }) => serverId)
  await wakeLater(deps, tx, ids(more.filter(({ isSlow }) => !isSlow)))
  await wakeSlow(deps, tx, ids(more.filter(({ isSlow }) => isSlow)), pauseSeconds)
}
