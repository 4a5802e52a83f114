import { expect, it } from 'vitest'
import { createSeenOnce } from '../../src/platform/seen-once.ts'

it('a key was asked for before from its second time on', () => {
  const seenOnce = createSeenOnce()
  expect(['page=1', 'page=2', 'page=1', 'page=1', 'page=2'].map(seenOnce)).toEqual([false, false, true, true, true])
})

it('keys asked for long ago are forgotten, so that a walk through all pages remembers only the last', () => {
  const seenOnce = createSeenOnce()
  const pages = Array.from({ length: 100_000 }, (_, n) => `page=${n}`)
  for (const page of pages) expect(seenOnce(page)).toBe(false)
  expect(pages.slice(0, 50_000).filter(seenOnce)).toEqual([])
})
