// Pages of a list that is read from the database: which one is asked for, and how many there are.
import * as z from 'zod'

const MAX_PAGE = 1_000_000_000

/** Query text that is a whole number in a range; nothing is clamped or guessed. The document says integer, as clients write it. */
const integer = (minimum: number, maximum: number, byDefault: number) =>
  z
    .string('must be given once')
    .regex(/^\d{1,10}$/, { error: 'must be a whole number', abort: true })
    .transform(Number)
    .pipe(z.number().min(minimum, `must be at least ${minimum}`).max(maximum, `must be at most ${maximum}`))
    .default(byDefault)
    .meta({
      override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum, maximum, default: byDefault })
      },
    })

/** `page` and `limit` of a query. */
export const pageQuery = ({ limit, maxLimit }: { limit: number; maxLimit: number }) => ({
  page: integer(1, MAX_PAGE, 1).describe('Which page, from 1; one past the last is empty'),
  limit: integer(1, maxLimit, limit).describe('Items a page'),
})

export interface PageQuery {
  page: number
  limit: number
}

export const offsetOf = ({ page, limit }: PageQuery): number => (page - 1) * limit

/** The pagination object of interface.md §2. */
export const paginationOf = ({ page, limit }: PageQuery, total: number) => ({
  page,
  limit,
  total,
  totalPages: Math.ceil(total / limit),
})
