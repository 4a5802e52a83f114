// Deletes old deliveries, encrypts secrets again under the current APP_SECRET, and wakes endpoints whose wake job was lost.
import type { Deps } from '../../deps.ts'
import { createSecretCipher, type SecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Pool } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import { encryptUrl } from './encrypted-url.ts'
import { enqueueWakes } from './leases.service.ts'
import {
  deleteOldDeliveries,
  deleteOldPauses,
  erasePreviousSecrets,
  findClearUrls,
  findOverdue,
  replaceUrl,
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
  const { pool, settings, log } = deps
  let deliveries = 0
  for (let gone = BATCH; gone === BATCH; deliveries += gone)
    gone = await deleteOldDeliveries(pool, { days: KEPT_DAYS, limit: BATCH })
  await erasePreviousSecrets(pool)
  await deleteOldPauses(pool)
  const encrypted = await encryptClearUrls(pool, createSecretCipher(settings))
  if (deliveries || encrypted) log.info({ deliveries, encrypted }, 'old webhook deliveries deleted')
  const stored = { table: 'endpoints', key: 'id' }
  const secrets = await reencrypt(deps, 'webhook', { ...stored, columns: ['secret', 'previous_secret'] })
  // A worker of the previous version may have stored one in clear in the meantime.
  const isEncrypted = `url !~ '^https?:'`
  const urls = await reencrypt(deps, 'webhook-url', { ...stored, columns: ['url'], where: isEncrypted })
  return { deliveries, reencrypted: secrets + urls, encrypted }
}

/** The daily run does this, not the migration: during a rolling restart, workers of the previous version read URLs in clear. */
async function encryptClearUrls(pool: Pool, secretCipher: SecretCipher): Promise<number> {
  let encrypted = 0
  for (;;) {
    const rows = await findClearUrls(pool, BATCH)
    for (const { id, url } of rows) await replaceUrl(pool, id, url, encryptUrl(secretCipher, url))
    encrypted += rows.length
    if (rows.length < BATCH) return encrypted
  }
}

/** Runs every minute. @returns number of endpoints woken */
export async function sweepWebhooks({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const overdue = await findOverdue(pool, { seconds: OVERDUE_SECONDS, limit: MAX_WOKEN })
  await enqueueWakes({ jobs }, pool, overdue)
  return overdue.length
}
