// SQL, because one statement decides which of simultaneous votes may use a proof of work.
import type { Sql } from '../../../platform/db/pool.ts'
import type { Batch } from '../upkeep.sql.ts'

/** Marks a proof of work as used, by its challenge. @returns whether it had not been used */
export async function markProofUsed(
  db: Sql,
  { nonce, expiresAt }: { nonce: string; expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'votes-use-proof',
    text: 'insert into vote_proofs (expires_at, nonce) values ($1, $2) on conflict do nothing',
    values: [expiresAt, nonce],
  })
  return rowCount === 1
}

/**
 * Deletes up to `limit` used proofs a day after they expired: processes refuse them by clocks that differ.
 * @returns number of deleted rows
 */
export async function deleteExpiredProofs(db: Sql, { now, limit }: Batch): Promise<number> {
  const { rowCount } = await db.query(
    `delete from vote_proofs where (expires_at, nonce) in (
       select expires_at, nonce from vote_proofs
       where expires_at < coalesce($1::timestamptz, now()) - interval '1 day'
       order by expires_at, nonce
       limit $2)`,
    [now, limit],
  )
  return rowCount ?? 0
}
