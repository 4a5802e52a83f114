// Values of any type from a stranger, made safe.
import { describe, expect, it, test } from 'vitest'
import {
  safeCount,
  safeFlag,
  safeNames,
  safeParagraphs,
  safeText,
  safeUrl,
} from '../../../workers/polling/safe-values.ts'

test.each<[unknown, number]>([
  [7.9, 7],
  ['12', 12],
  [4_000_000_000, 1_000_000],
  ['1e300', 1_000_000],
  [Number.POSITIVE_INFINITY, 1_000_000],
  [-3, 0],
  [Number.NEGATIVE_INFINITY, 0],
  [Number.NaN, 0],
  ['many', 0],
  [undefined, 0],
  [null, 0],
  [true, 0],
  [[9], 0],
  [{ valueOf: 9 }, 0],
])('%j counts as %i', (value, number) => {
  expect(safeCount(value)).toBe(number)
})

test.each<[unknown, boolean | null]>([
  [true, true],
  ['1', true],
  [1, true],
  ['True', true],
  ['yes', true],
  ['Y', true],
  [false, false],
  ['0', false],
  [0, false],
  ['false', false],
  ['n', false],
  ['', null],
  ['maybe', null],
  [2, null],
  [Number.NaN, null],
  [undefined, null],
  [{}, null],
  [['1'], null],
])('%j as a flag is %j', (value, answer) => {
  expect(safeFlag(value)).toBe(answer)
})

describe('a text', () => {
  it('is one line of at most a hundred characters, or empty', () => {
    expect(safeText('  The\u0000Is\u0007land\r\n\u202e ')).toBe('The Is land')
    expect(safeText('x'.repeat(5_000))).toHaveLength(100)
    expect(Array.from(safeText('🦖'.repeat(200)))).toHaveLength(100)
    expect(safeText('lone \ud83e surrogate')).toBe('lone \ufffd surrogate')
    expect(safeText('Cafe\u0301')).toBe('Caf\u00e9')
    for (const nothing of ['undefined', 'null', undefined, null, 7, {}, ['x']]) expect(safeText(nothing)).toBe('')
  })

  it('has no characters that hide or turn around what follows', () => {
    for (const hidden of ['\u202e', '\u2066', '\u200f', '\u061c', '\u200b', '\u3164', '\u034f', '\u{e0041}'])
      expect(safeText(`a${hidden}${hidden}b`)).toBe('a b')
    expect(safeText('⚔\ufe0f')).toBe('⚔\ufe0f')
  })
})

describe('paragraphs', () => {
  it('keep their lines, and are at most 2,000 characters long', () => {
    expect(safeParagraphs(' One \r\n\r\n\n\n\u202eTwo\u200b\tthree\0\n')).toBe('One\n\nTwo three')
    expect(Array.from(safeParagraphs('🦖\n'.repeat(100_000)))).toHaveLength(1_999)
    expect(safeParagraphs('x'.repeat(1_000_000))).toHaveLength(2_000)
    for (const nothing of [undefined, null, 7, {}, ['x']]) expect(safeParagraphs(nothing)).toBe('')
  })
})

describe('a URL', () => {
  it('is of the web, without a password, and not long', () => {
    expect(safeUrl(' https://example.org/a?b=c ')).toBe('https://example.org/a?b=c')
    for (const refused of [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://user:word@example.org/',
      'https://example.org/"onload="x',
      'https://example.org/\u202e',
      `https://example.org/${'x'.repeat(600)}`,
      'example.org',
      undefined,
      7,
      {},
    ])
      expect(safeUrl(refused)).toBe('')
  })
})

describe('names', () => {
  it('are each there once, without commas of their own, and as many as fit into a listing', () => {
    expect(safeNames(['Mod', ' Mod ', 'A,B', '', null, 7, { a: 1 }, 'C\u202e'])).toBe('Mod,A B,C')
    const many = safeNames(Array.from({ length: 50_000 }, (_, n) => `mod-${n}`))
    expect(many.length).toBeLessThanOrEqual(2_000)
    expect(many.length).toBeGreaterThan(1_950)
    expect(many).toMatch(/,mod-\d+$/)
    for (const nothing of [undefined, null, 'a,b', 7, { length: 3 }]) expect(safeNames(nothing)).toBe('')
  })
})
