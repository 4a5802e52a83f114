// Deletes old deliveries and unreachable endpoints, encrypts secrets again under the current APP_SECRET, and wakes
// endpoints whose wake job was lost.
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { enqueueWakes } from './leases.service.ts'
import { deleteWithDeliveries } from './ownership-transfer.service.ts'
import {
  deleteOldDeliveries,
  deleteOldPauses,
  erasePreviousSecrets,
  findEndpointsOfRemovedServers,
  findOverdue,
} from './upkeep.sql.ts'

const KEPT_DAYS = 30
/** Rows per statement, so that locks are short. */
const BATCH = 2_000
/** A wake job that is not lost finishes within seconds. */
const OVERDUE_SECONDS = 30
/** Endpoints woken per sweep. */
const MAX_WOKEN = 1_000

/** The daily run. Doing it again, or twice at once, does no harm. */
export async function runWebhookUpkeep(deps: Pick<Deps, 'pool' | 'settings' | 'log'>) {
  const { pool, log } = deps
  let deliveries = 0
  for (let gone = BATCH; gone === BATCH; deliveries += gone)
    gone = await deleteOldDeliveries(pool, { days: KEPT_DAYS, limit: BATCH })
  await inTransaction(pool, async (tx) => deleteWithDeliveries(tx, await findEndpointsOfRemovedServers(tx)))
  await erasePreviousSecrets(pool)
  await deleteOldPauses(pool)
  if (deliveries) log.info({ deliveries }, 'old webhook deliveries deleted')
  const secrets = await reencrypt(deps, 'webhook', {
    table: 'endpoints',
    key: 'id',
    columns: ['secret', 'previous_secret'],
  })
  const urls = await reencrypt(deps, 'webhook-url', { table: 'endpoints', key: 'id', columns: ['url'] })
  return { deliveries, reencrypted: secrets + urls }
}

/** Runs every minute. @returns number of endpoints woken */
export async function sweepWebhooks({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const overdue = await findOverdue(pool, { seconds: OVERDUE_SECONDS, limit: MAX_WOKEN })
  await enqueueWakes(pool, jobs, overdue)
  return overdue.length
}
