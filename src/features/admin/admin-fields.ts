// Fields that several administrators' operations share.
import * as z from 'zod'
import { line } from '../../platform/text.ts'

/** `true` or `false` in a query; does not filter if omitted. */
export const filter = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
  .optional()

export const search = line(0, 100).default('')

export const flag = z.boolean('must be true or false').optional()

export const count = z.int().min(0)
