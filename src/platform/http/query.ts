// Numbers in a query: they come as text, and are described as the numbers that clients write.
import * as z from 'zod'

/** What the document says of a number in a query: its pattern as a text is no part of it. */
export const describedAs = (schema: {
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

/** A whole number in a range; nothing is clamped or guessed. */
export const integer = (minimum: number, maximum: number, byDefault: number) =>
  z
    .string('must be given once')
    .regex(/^\d{1,10}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`))
    .default(byDefault)
    .meta(describedAs({ type: 'integer', minimum, maximum, default: byDefault }))
