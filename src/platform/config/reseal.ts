// Seals stored secrets anew after APP_SECRET was changed, so that APP_SECRET_PREVIOUS can be taken away.
import { type Purpose, type Vault, VaultError } from './vault.ts'

export interface SealedRow {
  /** UUID. */
  id: string
  /** What the row keeps sealed; null where it keeps nothing. */
  sealed: (string | null)[]
}

export interface SealedRows {
  /** At most `limit` rows with greater ids, in their order. */
  findAfter(id: string, limit: number): Promise<SealedRow[]>
  /** Writes what was sealed anew, unless the row has changed meanwhile. */
  replace(before: SealedRow, after: SealedRow): Promise<void>
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'
const PAGE = 1_000

/**
 * Walks through all rows. Doing it again, or twice at once, does no harm.
 * @returns rows sealed anew, and those that neither secret opens, which stay as they are
 */
export async function sealAnew(
  vault: Vault,
  purpose: Purpose,
  rows: SealedRows,
): Promise<{ resealed: number; unreadable: number }> {
  const isStale = (row: SealedRow) => row.sealed.some((one) => one !== null && !vault.isCurrent(one))
  const anew = (sealed: string | null) => sealed && vault.seal(purpose, vault.open(purpose, sealed))
  let resealed = 0
  let unreadable = 0
  for (let after = BEFORE_ALL; ; ) {
    const page = await rows.findAfter(after, PAGE)
    for (const row of page.filter(isStale))
      try {
        await rows.replace(row, { ...row, sealed: row.sealed.map(anew) })
        resealed++
      } catch (error) {
        if (!(error instanceof VaultError)) throw error
        unreadable++
      }
    const last = page.at(-1)
    if (!last || page.length < PAGE) return { resealed, unreadable }
    after = last.id
  }
}
