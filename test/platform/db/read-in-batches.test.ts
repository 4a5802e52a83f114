// Tables that are read in batches.
import { expect, it } from 'vitest'
import { readInBatches } from '../../../src/platform/db/read-in-batches.ts'
import { createTestDatabase } from '../../support/database.ts'

const { pool } = await createTestDatabase()

it.each([
  { rows: 0, batches: [], statements: 1 },
  { rows: 2, batches: [[1, 2]], statements: 1 },
  { rows: 3, batches: [[1, 2, 3]], statements: 2 },
  { rows: 7, batches: [[1, 2, 3], [4, 5, 6], [7]], statements: 3 },
])('$rows rows in batches of three take $statements statements', async ({ rows, batches, statements }) => {
  let count = 0
  const read = readInBatches(3, async (last?: { id: number }) => {
    count++
    const sql = 'select id from generate_series(1, $1::int) as id where id > $2 order by id limit 3'
    return (await pool.query<{ id: number }>(sql, [rows, last?.id ?? 0])).rows
  })
  const ids = (await Array.fromAsync(read)).map((batch) => batch.map(({ id }) => id))
  expect(ids).toEqual(batches)
  expect(count).toBe(statements)
})
