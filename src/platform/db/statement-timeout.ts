// How long statements over millions of rows may take; the pool's 30 s are for requests.
import type { Sql } from './pool.ts'

/** For each statement: how long the process waits for it. */
export const STATEMENT_TIMEOUT = { query_timeout: 600_000 }

/**
 * For a transaction of such statements: PostgreSQL ends them a moment earlier. One that the process only stops waiting
 * for would continue to run.
 */
export async function limitStatements(tx: Sql): Promise<void> {
  await tx.query(`set local statement_timeout = '590s'`)
}
