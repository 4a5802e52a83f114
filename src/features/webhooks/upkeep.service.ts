// Clears away what is past its time, and wakes what a lost job has left asleep.
import type { Deps } from '../../deps.ts'
import { sealAnew } from '../../platform/config/reseal.ts'
import { createVault } from '../../platform/config/vault.ts'
import { wakeLater, wakeSlow } from './turns.service.ts'
import { deleteOldDeliveries, erasePreviousSecrets, findForgotten, sealedSecrets } from './upkeep.sql.ts'

const KEPT_DAYS = 30
/** Rows of one statement: short enough that its locks bother nobody. */
const BATCH = 2_000
/** A wake job that is not lost is done within seconds. */
const FORGOTTEN_SECONDS = 30
/** Servers woken by one sweep; the next minute's takes the others. */
const MOST_WOKEN = 1_000

export interface UpkeepReport {
  deliveries: number
  /** Secrets sealed anew under the present APP_SECRET. */
  resealed: number
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
  const { resealed, unreadable } = await sealAnew(createVault(settings), 'webhook', sealedSecrets(pool))
  if (deliveries || resealed) log.info({ deliveries, resealed }, 'webhook deliveries cleared away')
  if (unreadable) log.warn({ unreadable }, 'webhook secrets can’t be read: they were sealed under another APP_SECRET')
  return { deliveries, resealed }
}

/** The sweep of each minute. @returns how many servers were woken */
export async function sweepWebhooks({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const forgotten = await findForgotten(pool, { seconds: FORGOTTEN_SECONDS, limit: MOST_WOKEN })
  const ids = (slow: boolean) => forgotten.filter(({ isSlow }) => isSlow === slow).map(({ serverId }) => serverId)
  await wakeLater({ jobs }, pool, ids(false))
  await wakeSlow({ jobs }, pool, ids(true))
  return forgotten.length
}
