// Generates values from a schema of the document: valid ones, and ones with one change.
import fc, { type Arbitrary } from 'fast-check'
import { fitting } from './meant.ts'
import { oddKey, oddNumber, oddText, oddValue } from './odd-values.ts'
import type { Schema } from './operations.ts'

const MAX_CHARACTERS = 300
const SEEN = [
  ...'aZ09 éß',
  'e\u0301',
  'я',
  'ع',
  '字',
  '𝒜',
  '😀',
  '☠\ufe0f',
  'İ',
  'ﷺ',
  '\u0958',
  ...'<>"\'&%_\\$;,:/@#?{}',
]
const UNITS = ['a', 'é', 'я', '字', '𝒜', '👨‍👩‍👧'] as const

/**
 * Valid values; fields with known names mostly get meaningful ones.
 * @param operation with `field`, decides which values fit
 */
export function givenBy(schema: Schema, operation: string, field = ''): Arbitrary<unknown> {
  const known = fitting(operation, field)
  const any = anyOf(schema, operation)
  return known.length
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...known) }, { weight: 1, arbitrary: any })
    : any
}

function anyOf(schema: Schema, operation: string): Arbitrary<unknown> {
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives) return fc.oneof(...alternatives.map((one) => anyOf(one, operation)))
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer': {
      const { minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER } = schema
      return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum }))
    }
    case 'number':
      return fc.oneof(fc.constantFrom(0, 0.5, 1, 1e6), fc.float({ min: 0, max: 1_024, noNaN: true }))
    case 'array':
      return listOf(schema, operation)
    case 'object':
      return objectOf(schema, operation)
    case 'string':
      return textOf(schema)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

function listOf(
  { items = {}, minItems = 0, maxItems = 5, uniqueItems }: Schema,
  operation: string,
): Arbitrary<unknown> {
  const item = anyOf(items, operation)
  if (uniqueItems) return fc.uniqueArray(item, { minLength: minItems, maxLength: maxItems })
  const short = fc.array(item, { minLength: minItems, maxLength: Math.min(maxItems, minItems + 4), size: 'max' })
  return fc.oneof(
    { weight: 9, arbitrary: short },
    { weight: 1, arbitrary: item.map((one) => Array.from({ length: Math.min(maxItems, 1_000) }, () => one)) },
  )
}

function objectOf(schema: Schema, operation: string): Arbitrary<unknown> {
  const { properties = {}, required = [], additionalProperties } = schema
  const entries = Object.entries(properties)
  const known = fc.record(Object.fromEntries(entries.map(([name, one]) => [name, givenBy(one, operation, name)])), {
    requiredKeys: required,
  })
  if (additionalProperties === false) return known
  const extra = fc.option(fc.tuple(oddKey, oddValue), { freq: 8, nil: undefined })
  return fc
    .tuple(known, extra)
    .map(([object, one]) => (one && !(one[0] in properties) ? withKey(object, ...one) : object))
}

function textOf({ minLength = 0, maxLength = MAX_CHARACTERS, pattern, format }: Schema): Arbitrary<unknown> {
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }).map((at) => at.toISOString())
  if (format === 'email') return fc.emailAddress()
  if (format === 'uuid') return fc.uuid({ version: [1, 4, 7] })
  // fast-check does not support lookaheads, which only dates and months have.
  const isExclusion = pattern?.startsWith('^[^')
  if (pattern && !isExclusion && !pattern.includes('(?!')) return fc.stringMatching(new RegExp(pattern))
  const fits = pattern && isExclusion ? new RegExp(pattern, 'u') : undefined
  const most = Math.min(maxLength, Math.max(minLength, MAX_CHARACTERS))
  const bounded = { minLength, maxLength: most, size: 'max' } as const
  const cut = (text: string) => [...text].slice(0, maxLength).join('')
  const atBounds = fc
    .tuple(fc.constantFrom(...UNITS.slice(0, 5)), fc.constantFrom(minLength, maxLength))
    .map(([unit, length]) => unit.repeat(length))
  const any = fc.oneof(
    oddText.filter((text) => [...text].length >= minLength && [...text].length <= maxLength),
    fc.string({ ...bounded, unit: 'binary' }).map(cut),
    fc.string({ ...bounded, maxLength: Math.min(most, minLength + 30) }),
    atBounds,
    // A visible character passes the first rule of most texts.
    { weight: 4, arbitrary: fc.string({ ...bounded, unit: fc.constantFrom(...SEEN) }).map(cut) },
  )
  return fits ? any.filter((text) => fits.test(text)) : any
}

/** The minimal valid value, always the same: required fields with their best fitting values. */
export function plainOf(schema: Schema, operation: string, field = ''): unknown {
  const [best] = fitting(operation, field)
  if (best !== undefined) return best
  const [alternative] = schema.anyOf ?? schema.oneOf ?? []
  if (alternative) return plainOf(alternative, operation)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  switch (schema.type) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => plainOf(schema.items ?? {}, operation))
    case 'object': {
      const { properties = {}, required = [] } = schema
      return Object.fromEntries(required.map((name) => [name, plainOf(properties[name] ?? {}, operation, name)]))
    }
    default:
      return 'a text of a few words'
  }
}

/** A value with one change anywhere, which may still be valid. */
export function mutationOf(schema: Schema, operation: string): Arbitrary<unknown> {
  const alternatives = schema.oneOf ?? schema.anyOf
  if (alternatives) return fc.oneof(...alternatives.map((one) => mutationOf(one, operation)))
  const whole = { weight: 1, arbitrary: oddValue }
  const value = givenBy(schema, operation)
  const properties = Object.entries(schema.properties ?? {})
  if (!properties.length) return fc.oneof(whole, { weight: 1, arbitrary: value })
  const within = fc
    .constantFrom(...properties)
    .chain(([name, one]) =>
      fc
        .tuple(
          value,
          fc.oneof({ weight: 1, arbitrary: fc.constant(undefined) }, { weight: 8, arbitrary: wrongOf(one, operation) }),
        )
        .map(([object, wrong]) => withKey(object as object, name, wrong)),
    )
  const extra = fc.tuple(value, oddKey, oddValue).map(([object, key, odd]) => withKey(object as object, key, odd))
  return fc.oneof(whole, { weight: 12, arbitrary: within }, { weight: 2, arbitrary: extra })
}

/** Values around a field's bounds, and of other types. */
function wrongOf(schema: Schema, operation: string): Arbitrary<unknown> {
  const near: Arbitrary<unknown>[] = [oddValue, oddNumber, oddText.map((text) => [text]), fc.constant(null)]
  const { type, minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema
  if (type === 'integer' || type === 'number') {
    const bounds = [minimum, maximum].filter((bound) => bound !== undefined)
    near.push(fc.constantFrom(...bounds.flatMap((bound) => [bound - 1, bound + 1, bound + 0.5, String(bound)]), 0))
  }
  if (type === 'string') {
    const lengths = [(minLength ?? 1) - 1, (maxLength ?? 20_000) + 1].filter((length) => length >= 0)
    near.push(
      fc.tuple(fc.constantFrom(...UNITS), fc.constantFrom(...lengths)).map(([unit, length]) => unit.repeat(length)),
      // Trimming or composing makes it shorter.
      fc.constantFrom(' ', 'e\u0301').map((unit) => unit.repeat(maxLength ?? 100)),
    )
  }
  if (type === 'array') {
    const item = givenBy(items ?? {}, operation)
    const lengths = [(minItems ?? 1) - 1, (maxItems ?? 1_000) + 1]
    near.push(
      fc.tuple(item, fc.constantFrom(...lengths)).map(([one, length]) => Array.from({ length }, () => one)),
      fc.tuple(item, oddValue),
    )
  }
  if (type === 'object') near.push(mutationOf(schema, operation))
  return fc.oneof(...near)
}

/** @param value undefined removes the key */
function withKey(object: object, key: string, value: unknown): object {
  const others = Object.entries(object).filter(([name]) => name !== key)
  return Object.fromEntries(value === undefined ? others : [...others, [key, value]])
}
