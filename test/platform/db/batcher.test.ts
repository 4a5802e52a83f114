// Calls made at the same time share a batch; one that is at fault fails alone.
import { expect, it } from 'vitest'
import { createBatcher } from '../../../src/platform/db/batcher.ts'

/** A batcher that doubles numbers, and refuses batches with a negative one. */
function openBatcher(options: Partial<Parameters<typeof createBatcher>[1]> = {}) {
  const batches: number[][] = []
  const double = createBatcher<number, number>(
    async (items) => {
      batches.push(items)
      if (items.some((item) => item < 0)) throw new Error('negative')
      return items.map((item) => item * 2)
    },
    { maxBatch: 4, waitsForIteration: true, ...(options as object) },
  )
  return { double, batches }
}

it('gives each call its own result, in batches of at most the maximum, in the order of the calls', async () => {
  const { double, batches } = openBatcher()
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map(double))).toEqual([2, 4, 6, 8, 10, 12])
  expect(batches).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ])
})

it('divides a refused batch until the item at fault is alone, whose call rejects', async () => {
  const { double, batches } = openBatcher()
  const results = await Promise.allSettled([1, -2, 3, 4].map(double))
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  expect(batches).toEqual([[1, -2, 3, 4], [1, -2], [1], [-2], [3, 4]])
})

it('rejects all calls of a batch that meets an outage of the database, and runs the next one', async () => {
  let isDown = true
  const call = createBatcher<number, number>(
    async (items) => {
      if (isDown) throw new Error('Connection terminated unexpectedly')
      return items
    },
    { maxBatch: 4, waitsForIteration: true },
  )
  const refused = await Promise.allSettled([call(1), call(2)])
  expect(refused.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isDown = false
  expect(await call(3)).toBe(3)
})
