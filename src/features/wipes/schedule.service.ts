// Follows the schedules by which owners say when their servers wipe.
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { notifyDirectory } from '../servers/index.ts'
import { advanceNextWipes } from './wipes.sql.ts'

export const runWipesNext = ({ pool }: Pick<Deps, 'pool'>): Promise<void> =>
  inTransaction(pool, async (tx) => {
    if (await advanceNextWipes(tx)) await notifyDirectory(tx)
  })
