// What a feature stores about an account, for the file that its user can download. Each feature
// exports a list of these.
import type { Db } from './pool.ts'

/** Rows after the first `skip`, at most `take`. A part of a few rows has them all in its first range. */
export interface RowRange {
  skip: number
  take: number
}

export interface PersonalData {
  /** Its name in the file. */
  name: string
  /** `table.column`, by which its rows name the account. */
  columns: readonly string[]
  /** @returns rows, newest first, in an order without ties; never a secret */
  read(db: Db, userId: string, range: RowRange): Promise<object[]>
}
