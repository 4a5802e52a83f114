import { expect, it } from 'vitest'
import { createAskedBefore } from '../../src/platform/asked-before.ts'

it('a key was asked for before from its second time on', () => {
  const wasAsked = createAskedBefore()
  expect(['page=1', 'page=2', 'page=1', 'page=1', 'page=2'].map(wasAsked)).toEqual([false, false, true, true, true])
})

it('keys asked for long ago are forgotten, so that a walk through all pages remembers only the last', () => {
  const wasAsked = createAskedBefore()
  const pages = Array.from({ length: 100_000 }, (_, n) => `page=${n}`)
  for (const page of pages) expect(wasAsked(page)).toBe(false)
  expect(pages.slice(0, 50_000).filter(wasAsked)).toEqual([])
})
