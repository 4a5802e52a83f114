// What a feature stores about an account, for the file that its user can download. Each feature exports a list of these.
import type { Db } from './pool.ts'

export interface PersonalData {
  /** Its name in the file. */
  name: string
  /** `table.column`, by which its rows name the account. */
  columns: readonly string[]
  /** @returns at most `limit` rows, newest first; never a secret */
  read(db: Db, userId: string, limit: number): Promise<object[]>
}
