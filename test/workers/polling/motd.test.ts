// Hostile messages of the day: what is stored of them is short, plain to show, and cheap to get.
import { expect, test } from 'vitest'
import { parseMotd, plainMotd } from '../../../src/features/servers/index.ts'
import { chatMotd, chatParts } from '../../../workers/polling/message-of-the-day.ts'
import { motdOf } from '../../../workers/polling/motd.ts'
import { cpuMicrosOf, growthOf } from '../../support/cpu-time.ts'

test('markup stays text', () => {
  expect(motdOf('<script>alert(1)</script> [url=x]&lt;')).toBe('<script>alert(1)</script> [url=x]&lt;')
})

test('marks that turn text around, hide it or stack on it are removed', () => {
  for (const mark of [
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
    '\u200e',
    '\u200f',
    '\u061c',
    '\u200b',
    '\ufeff',
    '\0',
    '\u001b',
  ])
    expect(motdOf(`§aab${mark}${mark}cd`)).toBe('§aabcd')
  const stacked = `Zal${'\u0301'.repeat(3)}go`
  expect(motdOf(`Zal${'\u0301'.repeat(300)}go`)).toBe(stacked)
  expect(motdOf(`Zal${'§r\u0301'.repeat(300)}go`)).toBe(stacked)
  expect(chatMotd(chatParts(['Zal', ...Array.from({ length: 300 }, () => '\u0301'), 'go']))).toBe(stacked)
  expect(motdOf('lone \ud83e surrogate').isWellFormed()).toBe(true)
  // A code that only appears when a mark is removed is none.
  expect(motdOf('A§\u202eaB')).toBe('AaB')
})

test('a message has at most 500 characters in four lines, however it is sent', () => {
  expect(plainMotd(motdOf('x'.repeat(100_000)))).toHaveLength(500)
  expect(plainMotd(motdOf('§a🦖'.repeat(5_000)))).toSatisfy((text: string) => Array.from(text).length === 500)
  expect(motdOf('a\r\nb\rc\nd\ne\nf')).toBe('a\nb\nc\nd')
  expect(
    plainMotd(chatMotd(chatParts(Array.from({ length: 5_000 }, (_, n) => ({ text: `${n} `, color: 'red' }))))),
  ).toHaveLength(500)
})

test('a message has at most a hundred codes', () => {
  const rainbow = Array.from({ length: 400 }, (_, n) => `§${(n % 15).toString(16)}x`).join('')
  expect(motdOf(rainbow).match(/§/g)).toHaveLength(100)
  expect(plainMotd(motdOf(rainbow))).toBe('x'.repeat(400))
  const components = Array.from({ length: 400 }, (_, n) => ({
    text: 'x',
    color: n % 2 ? 'red' : '#123456',
    bold: n % 3 > 0,
  }))
  expect(chatMotd(chatParts(components)).match(/§/g)?.length).toBeLessThanOrEqual(100)
})

test('nothing to see is no message', () => {
  for (const nothing of ['', '   \n ', '§a§l§r', '§', '\u200b\u202e', undefined, null, 7, {}, ['x']])
    expect([nothing, motdOf(nothing)]).toEqual([nothing, ''])
  expect(chatMotd(chatParts({ text: '', extra: [] }))).toBe('')
})

const nested = (depth: number): unknown => ({ text: '§a', color: 'red', extra: depth ? [nested(depth - 1)] : [] })

test.each<[string, (size: number) => unknown]>([
  ['§', (size) => '§'.repeat(20 * size)],
  ['codes', (size) => '§a'.repeat(10 * size)],
  ['colours without digits', (size) => '§x'.repeat(10 * size)],
  ['colours with one digit', (size) => '§x§f'.repeat(5 * size)],
  ['colours of hosts', (size) => '§#'.repeat(10 * size)],
  ['accents', (size) => '\u0301'.repeat(10 * size)],
  ['parts', (size) => Array.from({ length: size }, () => ({ text: 'x', color: '#ff8800', bold: true }))],
  ['nested parts', (size) => nested(Math.floor(size / 4))],
])('a message of many %s is short, and its cost grows with its length only', (_, descriptionOf) => {
  const motdOfSize = (size: number) => chatMotd(chatParts(descriptionOf(size)))
  const motd = motdOfSize(5_000)
  expect(Array.from(plainMotd(motd)).length).toBeLessThanOrEqual(500)
  expect(parseMotd(motd).length).toBeLessThanOrEqual(101)
  expect(motd.length).toBeLessThan(1_500)
  expect(growthOf(motdOfSize, 1_250)).toBeLessThan(9)
})

test('empty texts within a hundred levels cost little more than at the top', () => {
  const within = (levels: number, component: unknown): unknown => (levels ? [within(levels - 1, component)] : component)
  const empty = Array.from({ length: 165_000 }, () => '')
  const unfilled = { fallback: '%s'.repeat(250_000) }
  for (const component of [empty, unfilled]) {
    expect(chatParts(within(95, component))).toEqual([])
    const [top, deep] = [0, 95].map((levels) => cpuMicrosOf(() => chatParts(within(levels, component))))
    // A pass through every level for each text takes 20 times as long.
    expect(deep).toBeLessThan(10 * (top ?? 0))
  }
})
