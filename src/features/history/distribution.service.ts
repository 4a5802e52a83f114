// Distributes player history over the nodes of a Citus cluster, and back. Live data continues: polls wait in the
// outbox.
import type { Pool, Sql } from '../../platform/db/pool.ts'
import { distributeTable, findDistributed, HISTORY_TABLES, sizeOfTable, undistributeTable } from './distribution.sql.ts'
import { lockRollUpsOfSession } from './roll-up.sql.ts'

export interface MovedTable {
  table: string
  bytes: number
  seconds: number
}

/**
 * Keeps distributed history as it is until the session ends, for a backup: its snapshot is the coordinator's, and nodes
 * have none of that instant.
 */
export async function lockDistributedHistory(session: Sql): Promise<void> {
  if ((await findDistributed(session)).length) await lockRollUpsOfSession(session)
}

/**
 * Distributes the tables that are not distributed yet, or brings those back that are. A call that was killed is
 * continued by the next one.
 * @param report called after each table
 */
export async function distributeHistory(
  pool: Pool,
  to: 'nodes' | 'coordinator',
  report: (moved: MovedTable) => void,
): Promise<void> {
  const session = await pool.openSession()
  try {
    // Nothing writes history until this ends, so no statement finds one table distributed and another not.
    await lockRollUpsOfSession(session)
    const distributed = new Set(await findDistributed(session))
    const tables = HISTORY_TABLES.filter((table) => distributed.has(table) === (to === 'coordinator'))
    for (const table of to === 'nodes' ? tables : tables.toReversed()) {
      const bytes = await sizeOfTable(session, table, to === 'coordinator')
      const startedAt = performance.now()
      await (to === 'nodes' ? distributeTable : undistributeTable)(session, table)
      report({ table, bytes, seconds: (performance.now() - startedAt) / 1000 })
    }
  } finally {
    await session.end() // releases the lock, too
  }
}
