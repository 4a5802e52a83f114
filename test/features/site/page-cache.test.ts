// Rendered pages in memory: shared renderings, their age, and the bound that a flood meets.
import { expect, it } from 'vitest'
import { createPageCache } from '../../../src/features/site/page-cache.ts'

const text = async (rendered: { bytes: Buffer } | Promise<{ bytes: Buffer }>) => (await rendered).bytes.toString()

it('renders once for all who ask meanwhile, and again a second after the directory has changed', async () => {
  const cache = createPageCache()
  let renderings = 0
  const render = async () => `page ${++renderings}`
  const snapshot = { version: 1 }
  const at = (now: number) => text(cache.get('a', { snapshot, now }, render))
  expect(await Promise.all([at(0), at(0)])).toEqual(['page 1', 'page 1'])
  expect(await at(9_999)).toBe('page 1')
  snapshot.version++
  expect(await at(999)).toBe('page 1')
  expect(await at(1_000)).toBe('page 2')
  expect(await at(11_000)).toBe('page 3')
  expect(await text(cache.get('a', { snapshot: { version: 2 }, now: 12_000 }, render))).toBe('page 4')
})

it('refuses more than sixteen renderings at once with 503, and none that is in memory', async () => {
  const cache = createPageCache()
  const shown = { snapshot: { version: 1 }, now: 0 }
  await cache.get('known', shown, async () => 'known')
  let finish = () => {}
  const waiting = new Promise<string>((resolve) => {
    finish = () => resolve('done')
  })
  const running = Array.from({ length: 16 }, (_, n) => cache.get(`page ${n}`, shown, () => waiting))
  expect(() => cache.get('another', shown, () => waiting)).toThrow(expect.objectContaining({ status: 503 }))
  expect(await text(cache.get('known', shown, () => waiting))).toBe('known')
  finish()
  await Promise.all(running)
  expect(await text(cache.get('another', shown, async () => 'another'))).toBe('another')
})
