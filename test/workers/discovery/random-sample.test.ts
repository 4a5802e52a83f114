// Which items of a stream are in a random sample of it.
import { expect, test } from 'vitest'
import { createRandomSample } from '../../../workers/discovery/random-sample.ts'

function sampleOf(size: number, count: number) {
  const sample = createRandomSample<number>(size)
  for (let item = 0; item < count; item++) sample.add(item)
  return sample
}

test('a sample has all items of a short stream, and `size` different ones of a long one', () => {
  expect(sampleOf(5, 0)).toMatchObject({ items: [], added: 0 })
  expect(sampleOf(5, 5)).toMatchObject({ items: [0, 1, 2, 3, 4], added: 5 })
  const long = sampleOf(5, 1_000)
  expect(long.added).toBe(1_000)
  expect(new Set(long.items).size).toBe(5)
  expect(long.items).toHaveLength(5)
})

test('each item has the same chance', () => {
  const [runs, size, count] = [20_000, 5, 20]
  const times = Array<number>(count).fill(0)
  for (let run = 0; run < runs; run++)
    for (const item of sampleOf(size, count).items) times[item] = (times[item] ?? 0) + 1
  // 5,000 each, with a standard deviation of 61: eight of them are never exceeded by chance.
  for (const often of times) expect(Math.abs(often - (runs * size) / count)).toBeLessThan(500)
})
