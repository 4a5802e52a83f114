// Looks up in batches whether deliveries may still be sent: questions that arrive during one statement share the next.
import { findPending } from '../../src/features/webhooks/index.ts'
import type { Db } from '../../src/platform/db/pool.ts'

type LeasedDelivery = Parameters<typeof findPending>[1][number]

/** Deliveries in one statement. */
const MAX_BATCH = 500

/** @returns whether one may; false also if that can't be found out, so that it is looked at again with the next lease */
export function createPendingChecks(db: Db) {
  const waiting: (LeasedDelivery & { resolve: (isPending: boolean) => void })[] = []
  let isFinding = false

  async function findAll(): Promise<void> {
    while (waiting.length) {
      const batch = waiting.splice(0, MAX_BATCH)
      const pending = new Set(await findPending(db, batch).catch(() => []))
      for (const { deliveryId, resolve } of batch) resolve(pending.has(deliveryId))
    }
    isFinding = false
  }

  return (delivery: LeasedDelivery): Promise<boolean> =>
    new Promise((resolve) => {
      waiting.push({ ...delivery, resolve })
      if (isFinding) return
      isFinding = true
      setImmediate(() => void findAll()) // so that questions of the same event loop iteration share a statement
    })
}
