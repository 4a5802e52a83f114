// What the endpoints of wipes take and return.
import * as z from 'zod'
import { Pagination, pageQuery } from '../../platform/http/paging.ts'
import { paragraphs } from '../../platform/text.ts'
import { ServerParams } from '../directory/index.ts'

const KINDS = ['full', 'map', 'partial'] as const

const kind = z
  .enum(KINDS, `must be one of ${KINDS.join(', ')}`)
  .describe('`full`: everything; `map`: the world, while what players know may stay; `partial`: some of it')

export const WipeParams = ServerParams.extend({ wipeId: z.string().describe('Id of a wipe in its history') })
export const WipesQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const NewWipe = z.object({
  wipedAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 instant' })
    .transform((text) => new Date(text))
    .meta({
      description: 'Now, unless given; not in the future and at most ten years ago',
      override: ({ jsonSchema }) => Object.assign(jsonSchema, { type: 'string', format: 'date-time' }),
    })
    .optional(),
  kind,
  note: paragraphs(0, 500).default('').describe('At most 500 characters'),
})
export type NewWipe = z.output<typeof NewWipe>

export const Wipe = z
  .object({
    id: z.uuid(),
    wipedAt: z.iso.datetime({ precision: 3 }),
    kind,
    note: z.string(),
    source: z.enum(['owner', 'detected']).describe('Who says so: the owner, or the server itself when it was polled'),
  })
  .meta({ id: 'Wipe' })

export const Wipes = z.object({ wipes: z.array(Wipe), pagination: Pagination })
