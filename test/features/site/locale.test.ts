// Numbers and names as each language writes them.
import { describe, expect, it } from 'vitest'
import { createLocale } from '../../../src/features/site/components/locale.ts'
import { TEXTS } from '../../../src/features/site/texts/index.ts'
import { COUNTRIES, continentOf } from '../../../src/platform/countries.ts'

const inLanguage = (language: 'en' | 'de') => createLocale({ language, texts: TEXTS[language], isChosen: false })
const [german, english] = [inLanguage('de'), inLanguage('en')]

describe('a region', () => {
  it('that comes from the country is translated, each of them', () => {
    const derived = [...new Set(COUNTRIES.map(continentOf))].sort()
    expect(derived.map(german.region)).toEqual([
      'Afrika',
      'Antarktis',
      'Asien',
      'Europa',
      'Nordamerika',
      'Ozeanien',
      'Südamerika',
    ])
    expect(derived.map(english.region)).toEqual(derived)
  })

  it.each(['eu', 'EU West', '', 'europe', 'constructor'])('as the owner wrote it stays: %j', (name) => {
    expect(german.region(name)).toBe(name)
  })
})

it('a short number has the separators of the long one', () => {
  expect([999, 2564, 28_149, 1_234_567].map(german.short)).toEqual(['999', '2.564', '28.149', '1,2\u00a0Mio.'])
  expect([999, 2564, 28_149, 1_234_567].map(english.short)).toEqual(['999', '2.6K', '28.1K', '1.2M'])
  expect(german.number(2564)).toBe('2.564')
})

it.each([
  [86_399, 'in 24 hours'],
  [7_140, 'in 2 hours'],
  [47 * 3_600, 'in 2 days'],
  [4_500, 'in 1 hour'],
  [0, 'now'],
  [-7_140, '1 hour ago'],
])('a time %d seconds from now is %j', (seconds, words) => {
  const now = Date.UTC(2026, 10, 20)
  expect(english.relative(new Date(now + seconds * 1000).toISOString(), now)).toBe(words)
})
