// Activity: views, copied addresses and joins of servers by day, for their owners.
import type { Deps } from '../../deps.ts'
import { KEPT_DAYS } from './activity.schema.ts'
import { addActivity, deleteOldActivity } from './activity.sql.ts'
import { createActivityCounter } from './activity-counter.ts'

export { activityOperations } from './activity.operations.ts'

export type Activity = ReturnType<typeof createActivity>

export const createActivity = ({ pool, log, clock }: Pick<Deps, 'pool' | 'log' | 'clock'>) =>
  createActivityCounter({ write: (day, counts) => addActivity(pool, day, counts), log, clock })

/** The daily run. */
export async function runActivityRetention({ pool, log }: Pick<Deps, 'pool' | 'log'>): Promise<void> {
  log.info({ days: await deleteOldActivity(pool, KEPT_DAYS) }, 'old counts of views deleted')
}
