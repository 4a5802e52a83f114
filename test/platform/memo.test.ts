// Values that are remembered for a while.
import { expect, it } from 'vitest'
import { createMemo } from '../../src/platform/memo.ts'

function remembering(ttlMs: number | ((findMs: number) => number), costMs = 0) {
  const time = { now: 1_000 }
  const memo = createMemo<{ found: number }>({ max: 10 }, { ttlMs, clock: () => time.now })
  let found = 0
  const find = async () => {
    time.now += costMs
    found++
    return { found }
  }
  return { time, memo, find, read: async (key = 'a') => (await memo(key, find)).found }
}

it('calls for one key at the same time share one look-up, and later ones its value until its time is over', async () => {
  const { time, read } = remembering(100)
  expect(await Promise.all([read(), read(), read('b')])).toEqual([1, 1, 2])
  time.now += 99
  expect(await read()).toBe(1)
  time.now += 2
  expect(await read()).toBe(3)
})

it('a value can be kept in proportion to what it cost', async () => {
  const { time, read } = remembering((findMs) => Math.min(50 * findMs, 60_000), 20)
  expect(await read()).toBe(1)
  time.now += 999
  expect(await read()).toBe(1)
  time.now += 2
  expect(await read()).toBe(2)
})

it('a rejection is not kept', async () => {
  const { memo, read } = remembering(100)
  await expect(memo('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down')
  expect(await read()).toBe(1)
})
