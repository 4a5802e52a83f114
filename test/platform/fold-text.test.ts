// The folding of texts: what counts as equal, in the process and in SQL.
import { expect, it } from 'vitest'
import { foldSql } from '../../src/platform/db/fold-sql.ts'
import { fold } from '../../src/platform/fold-text.ts'
import { createTestDatabase } from '../support/database.ts'

const { pool } = await createTestDatabase()

/** All assigned characters of Unicode but NUL, which no database can hold. */
const everyCharacter = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint)).filter(
  (character) => /^[^\0\p{Cn}\p{Co}\p{Cs}]$/u.test(character),
)

it('is the same for every character however it is written, and for its folded form', () => {
  for (const character of everyCharacter) {
    const folded = fold(character)
    const forms = [folded, character.toLowerCase(), character.normalize('NFD'), character.normalize('NFKC')]
    // The capital of a Greek vowel with an iota below has the iota beside it, so that it is another spelling.
    if (!character.normalize('NFD').includes('\u0345')) forms.push(character.toUpperCase())
    for (const form of forms) if (fold(form) !== folded) expect(fold(form), character).toBe(folded)
  }
})

it('keeps letters apart that only look alike or differ in more than accents', () => {
  for (const [one, other] of [
    ['ガ', 'カ'],
    ['ば', 'ぱ'],
    ['कि', 'के'],
    ['ก่', 'ก้'],
    ['서버', '서비'],
    ['o', '0'],
    ['a', 'а'], // Latin and Cyrillic
    ['方', '万'],
  ] as const)
    expect(fold(one)).not.toBe(fold(other))
})

it('is the same in SQL for every character and in words', async () => {
  const texts = [
    ...everyCharacter,
    'İstanbul ISPARTA',
    'ΟΔΥΣΣΕΥΣ ὀδύσσευς',
    'Straße STRASSE ẞ',
    'Ærø Łódź Þór',
    'ＦＵＬＬ ｶﾞﾁｬ',
    '방주'.normalize('NFD'),
    "it's \\d+ [a-z]",
  ]
  const { rows } = await pool.query<{ text: string; inSql: string }>(
    `select text, ${foldSql('text')} as "inSql" from unnest($1::text[]) text`,
    [texts],
  )
  expect(rows).toHaveLength(texts.length)
  // An ICU that is older than a letter leaves it as it is.
  const different = rows.filter(({ text, inSql }) => inSql !== fold(text) && inSql !== text)
  expect(different).toEqual([])
})
