// Deletes old deliveries, seals secrets again under the current APP_SECRET, and wakes servers whose wake job was lost.
import type { Deps } from '../../deps.ts'
import { sealAnew } from '../../platform/config/reseal.ts'
import { createVault, type Vault } from '../../platform/config/vault.ts'
import { enqueueSlowWake, enqueueWake } from './leases.service.ts'
import { sealUrl } from './sealed-url.ts'
import {
  deleteOldDeliveries,
  erasePreviousSecrets,
  findClearUrls,
  findOverdue,
  replaceUrl,
  sealedSecrets,
  sealedUrls,
} from './upkeep.sql.ts'

const KEPT_DAYS = 30
/** Rows per statement, so that locks are short. */
const BATCH = 2_000
/** A wake job that is not lost finishes within seconds. */
const OVERDUE_SECONDS = 30
/** Servers woken per sweep. */
const MAX_WOKEN = 1_000

export interface UpkeepReport {
  deliveries: number
  /** Secrets and URLs sealed again under the current APP_SECRET. */
  resealed: number
  /** URLs that a version before 0.2 had stored in clear. */
  sealed: number
}

/** The daily run. Doing it again, or twice at once, does no harm. */
export async function runWebhookUpkeep({
  pool,
  settings,
  log,
}: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<UpkeepReport> {
  let deliveries = 0
  for (let gone = BATCH; gone === BATCH; deliveries += gone)
    gone = await deleteOldDeliveries(pool, { days: KEPT_DAYS, limit: BATCH })
  await erasePreviousSecrets(pool)
  const vault = createVault(settings)
  const sealed = await sealClearUrls(pool, vault)
  const secrets = await sealAnew(vault, 'webhook', sealedSecrets(pool))
  const urls = await sealAnew(vault, 'webhook-url', sealedUrls(pool))
  const resealed = secrets.resealed + urls.resealed
  const unreadable = secrets.unreadable + urls.unreadable
  if (deliveries || resealed || sealed) log.info({ deliveries, resealed, sealed }, 'old webhook deliveries deleted')
  if (unreadable) log.warn({ unreadable }, 'webhook secrets can’t be read: they were sealed under another APP_SECRET')
  return { deliveries, resealed, sealed }
}

/** In the daily run and not in the migration: during a rolling restart, workers of the previous version read them in clear. */
async function sealClearUrls(pool: Deps['pool'], vault: Vault): Promise<number> {
  let sealed = 0
  for (;;) {
    const rows = await findClearUrls(pool, BATCH)
    for (const { serverId, url } of rows) await replaceUrl(pool, serverId, url, sealUrl(vault, url))
    sealed += rows.length
    if (rows.length < BATCH) return sealed
  }
}

/** Runs every minute. @returns number of servers woken */
export async function sweepWebhooks({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const overdue = await findOverdue(pool, { seconds: OVERDUE_SECONDS, limit: MAX_WOKEN })
  const ids = (slow: boolean) => overdue.filter(({ isSlow }) => isSlow === slow).map(({ serverId }) => serverId)
  await enqueueWake({ jobs }, pool, ids(false))
  await enqueueSlowWake({ jobs }, pool, ids(true))
  return overdue.length
}
