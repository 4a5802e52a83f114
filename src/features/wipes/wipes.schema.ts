// Requests and replies of the wipe operations.
import * as z from 'zod'
import { idParam } from '../../platform/http/operation.ts'
import { pageOf, pageQuery } from '../../platform/http/paging.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { paragraphs } from '../../platform/text.ts'

const KINDS = ['full', 'map', 'partial'] as const

const kind = z
  .enum(KINDS, `must be one of ${KINDS.join(', ')}`)
  .describe('`full`: everything; `map`: the world, but players may keep their progress; `partial`: a part of the world')

export const WipeParams = z.object({ wipeId: idParam('Wipe id', 'There is no such wipe.') })
export const WipesQuery = z.object(pageQuery({ limit: 20, maxLimit: 100 }))

export const NewWipe = z.object({
  wipedAt: z.iso
    .datetime({ offset: true, error: 'must be an ISO 8601 date and time' })
    .transform((text) => new Date(text))
    .meta({
      description: 'Default: now. Not in the future, and at most ten years ago',
      override: ({ jsonSchema }) => Object.assign(jsonSchema, { type: 'string', format: 'date-time' }),
    })
    .optional(),
  kind,
  note: paragraphs(0, 500).default('').describe('At most 500 characters'),
})

export const Wipe = z
  .object({
    id: z.uuid(),
    wipedAt: Timestamp,
    kind,
    note: z.string(),
    source: z.enum(['owner', 'detected']).describe('`owner`: added by the owner; `detected`: found by a poll'),
  })
  .meta({ id: 'Wipe' })

export type WipeRow = z.output<typeof Wipe>

export const Wipes = pageOf('wipes', Wipe)
