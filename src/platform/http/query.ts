// Numbers and flags in a query: parsed from text; numbers are described as numbers in the OpenAPI document.
import * as z from 'zod'

/** How the document describes a number in a query, without the pattern that validates its text. */
export const withOpenApiSchema = (schema: {
  type: 'integer' | 'number'
  minimum: number
  maximum: number
  default?: number
}) => ({
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    delete jsonSchema.pattern
    Object.assign(jsonSchema, schema)
  },
})

const digits = z
  .string('must be given once')
  .regex(/^\d{1,10}$/, 'must be a whole number')
  .transform(Number)

/** A whole number in a range. Values out of range are rejected, not clamped. */
export const wholeNumber = (minimum: number, maximum: number) =>
  digits
    .pipe(z.number().check(z.gte(minimum, `must be at least ${minimum}`), z.lte(maximum, `must be at most ${maximum}`)))
    .meta(withOpenApiSchema({ type: 'integer', minimum, maximum }))

export const wholeNumberWithDefault = (minimum: number, maximum: number, byDefault: number) =>
  wholeNumber(minimum, maximum)
    .default(byDefault)
    .meta(withOpenApiSchema({ type: 'integer', minimum, maximum, default: byDefault }))

/** Upper case is accepted too: Python writes `True`. */
export const flag = z
  .string('must be given once')
  .toLowerCase()
  .pipe(z.enum(['true', 'false'], 'must be true or false'))
  .transform((value) => value === 'true')
  .meta({
    override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
      jsonSchema.enum = ['true', 'false']
    },
  })
