// Large tables, read so that statements are short and memory is bounded.

/**
 * Reads a table by its key, in batches of `limit` rows (keyset pagination).
 * @param findAfter finds the rows that follow `last` in the order of the key; without it, the first ones
 */
export async function* readInBatches<Row>(
  limit: number,
  findAfter: (last?: Row) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  for (let rows = await findAfter(); rows.length > 0; rows = await findAfter(rows.at(-1))) {
    yield rows
    if (rows.length < limit) return
  }
}
