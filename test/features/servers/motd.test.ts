// Messages of the day as workers store them: text with formatting codes.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMotd, type MotdRun, motdColor, parseMotd, plainMotd } from '../../../src/features/servers/index.ts'

test.each<[string, MotdRun[]]>([
  ['', []],
  ['A server', [{ text: 'A server' }]],
  [
    '§aGreen §lbold§r none',
    [{ color: 'green', text: 'Green ' }, { color: 'green', bold: true, text: 'bold' }, { text: ' none' }],
  ],
  [
    '§l§nBoth §cred',
    [
      { bold: true, underlined: true, text: 'Both ' },
      { color: 'red', text: 'red' },
    ],
  ],
  [
    '§#FF8800any §x§f§f§0§0§8§8old',
    [
      { color: '#ff8800', text: 'any ' },
      { color: '#ff0088', text: 'old' },
    ],
  ],
  ['§zun§§zknown§', [{ text: 'un' }, { text: 'known' }]],
  ['one§\ntwo', [{ text: 'one' }, { text: '\ntwo' }]],
])('%j is read as its pieces', (motd, runs) => {
  expect(parseMotd(motd)).toEqual(runs)
})

test('§r returns to the style that the text began with', () => {
  expect(parseMotd('a§cb§rc', { color: 'gold', bold: true })).toEqual([
    { color: 'gold', bold: true, text: 'a' },
    { color: 'red', text: 'b' },
    { color: 'gold', bold: true, text: 'c' },
  ])
})

test.each<[string, string]>([
  ['§a§a§aGreen', '§aGreen'],
  ['§l§aGreen', '§aGreen'],
  ['§a§lA§r§a§lB', '§a§lAB'],
  ['§a§lA§aB', '§a§lA§aB'],
  ['§lA§r§lB§rC', '§lAB§rC'],
  ['§x§1§2§3§4§5§6A', '§#123456A'],
  ['A§l§m§n§r', 'A'],
  ['§AGreen §LBold', '§aGreen §lBold'],
])('%j is written as %j', (motd, written) => {
  expect(formatMotd(parseMotd(motd), 100)).toBe(written)
})

test('text continues in its style when the codes are used up', () => {
  expect(formatMotd(parseMotd('§aa§bb§cc§dd'), 2)).toBe('§aa§bbcd')
})

test('what is written is read as the same pieces, whatever was sent', () => {
  const codes = fc.array(fc.oneof(fc.constantFrom(...'§§§§§0afklmnorx#123456z\n '), fc.string({ maxLength: 2 })), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(codes, (parts) => {
      const once = formatMotd(parseMotd(parts.join('')), 1_000)
      expect(formatMotd(parseMotd(once), 1_000)).toBe(once)
      expect(plainMotd(once)).toBe(plainMotd(parts.join('')))
    }),
    { numRuns: 500 },
  )
})

test('the plain text has no codes, and no spaces that centre a line', () => {
  expect(plainMotd('   §a§lA   §rserver  \n  §#ff8800Second ')).toBe('A server\nSecond')
})

test('a colour is one of Minecraft’s or hexadecimal', () => {
  expect(['gold', '#12ab9f', 'hotpink', '#12AB9F', 'url(x)', '', 'constructor'].map(motdColor)).toEqual([
    'gold',
    '#12ab9f',
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})
