// Length limits of user text.
import { expect, test } from 'vitest'
import * as z from 'zod'
import { line, paragraphs } from '../../src/platform/text.ts'

const accepts = (schema: z.ZodType, given: string) => schema.safeParse(given).success

test.each([
  ['line', line(2, 5)],
  ['paragraphs', paragraphs(2, 5)],
])('a %s counts characters as its description says, not UTF-16 units', (_name, schema) => {
  expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'string', minLength: 2, maxLength: 5 })
  expect(accepts(schema, '𝒜𝒜𝒜𝒜𝒜')).toBe(true)
  expect(accepts(schema, '𝒜𝒜𝒜𝒜𝒜𝒜')).toBe(false)
  expect(accepts(schema, '𝒜𝒜')).toBe(true)
  expect(accepts(schema, '𝒜')).toBe(false)
})

test('all rules that a text breaks are reported at once, for its normalized form', () => {
  const reasons = (given: string) =>
    line(3, 5)
      .safeParse(given)
      .error?.issues.map(({ message }) => message)
  expect(reasons('  a\u200b  ')).toEqual([
    'must have at least 3 characters',
    'must not contain control, bidirectional or zero-width characters',
  ])
  expect(reasons(`  ${'e\u0301'.repeat(5)}  `)).toBeUndefined()
  expect(reasons('abcdef')).toEqual(['must have at most 5 characters'])
})

test.each([
  ['line', line(0, 100)],
  ['paragraphs', paragraphs(0, 100)],
])(
  'the description of a %s has a pattern that excludes what is refused, as far as patterns of all dialects can',
  (_name, schema) => {
    const { pattern = '' } = z.toJSONSchema(schema, { io: 'input' })
    const described = new RegExp(pattern, 'u')
    const isSurrogate = (code: number) => code >= 0xd800 && code < 0xe000
    const codes = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) => !isSurrogate(code))
    // Between letters, because the ends are trimmed.
    const texts = codes.map((code) => `a${String.fromCharCode(code)}b`)
    expect(texts.filter((given) => described.test(given) !== accepts(schema, given))).toEqual([])
    expect(described.test('😀 𝒜')).toBe(true)
  },
)
