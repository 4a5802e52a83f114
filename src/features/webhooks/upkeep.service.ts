// Clears away what is past its time, and wakes what a lost job has left asleep.
import type { Deps } from '../../deps.ts'
import { sealAnew } from '../../platform/config/reseal.ts'
import { createVault, type Vault } from '../../platform/config/vault.ts'
import { sealUrl } from './sealed-url.ts'
import { wakeLater, wakeSlow } from './turns.service.ts'
import {
  deleteOldDeliveries,
  erasePreviousSecrets,
  findClearUrls,
  findForgotten,
  replaceUrl,
  sealedSecrets,
  sealedUrls,
} from './upkeep.sql.ts'

const KEPT_DAYS = 30
/** Rows of one statement: short enough that its locks bother nobody. */
const BATCH = 2_000
/** A wake job that is not lost is done within seconds. */
const FORGOTTEN_SECONDS = 30
/** Servers woken by one sweep; the next minute's takes the others. */
const MOST_WOKEN = 1_000

export interface UpkeepReport {
  deliveries: number
  /** Secrets and URLs sealed anew under the present APP_SECRET. */
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
  if (deliveries || resealed || sealed) log.info({ deliveries, resealed, sealed }, 'webhook deliveries cleared away')
  if (unreadable) log.warn({ unreadable }, 'webhook secrets can’t be read: they were sealed under another APP_SECRET')
  return { deliveries, resealed, sealed }
}

/** By the daily run and not by the migration: while a rolling restart lasts, workers of the version before read them in clear. */
async function sealClearUrls(pool: Deps['pool'], vault: Vault): Promise<number> {
  let sealed = 0
  for (;;) {
    const rows = await findClearUrls(pool, BATCH)
    for (const { serverId, url } of rows) await replaceUrl(pool, serverId, url, sealUrl(vault, url))
    sealed += rows.length
    if (rows.length < BATCH) return sealed
  }
}

/** The sweep of each minute. @returns how many servers were woken */
export async function sweepWebhooks({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const forgotten = await findForgotten(pool, { seconds: FORGOTTEN_SECONDS, limit: MOST_WOKEN })
  const ids = (slow: boolean) => forgotten.filter(({ isSlow }) => isSlow === slow).map(({ serverId }) => serverId)
  await wakeLater({ jobs }, pool, ids(false))
  await wakeSlow({ jobs }, pool, ids(true))
  return forgotten.length
}
