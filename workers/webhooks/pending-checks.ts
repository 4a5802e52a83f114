// Looks up in batches whether deliveries may still be sent.
import { findPending } from '../../src/features/webhooks/index.ts'
import { createBatcher } from '../../src/platform/db/batcher.ts'
import type { Db } from '../../src/platform/db/pool.ts'

type LeasedDelivery = Parameters<typeof findPending>[1][number]

/** Deliveries in one statement. */
const MAX_BATCH = 500

/**
 * @returns whether one may; false also if that can't be found out, so that it is looked at again with the next lease
 */
export const createPendingChecks = (db: Db) =>
  createBatcher<LeasedDelivery, boolean>(
    async (deliveries) => {
      const pending = new Set(await findPending(db, deliveries).catch(() => []))
      return deliveries.map(({ deliveryId }) => pending.has(deliveryId))
    },
    { maxBatch: MAX_BATCH, waitsForIteration: true },
  )
