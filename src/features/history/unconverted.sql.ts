// SQL over player_history, where release 0.1 stored a row per poll. Release 0.2 converts the rows to chunks (docs/decisions/0035).
import type { Sql } from '../../platform/db/pool.ts'
import { UnsuitableDatabaseError } from '../../platform/db/suitability.ts'

/** @throws UnsuitableDatabaseError while the database has polls that release 0.2 has not converted */
export async function assertHistoryConverted(db: Sql): Promise<void> {
  const { rows } = await db.query<{ exists: boolean }>(`select to_regclass('player_history') is not null as exists`)
  if (!rows[0]?.exists) return
  const { rowCount } = await db.query('select from player_history limit 1')
  if (rowCount)
    throw new UnsuitableDatabaseError(
      'its player history is in the format of release 0.1: run release 0.2 on it first, until its workers have converted ' +
        'it (within a day), then update',
    )
}
