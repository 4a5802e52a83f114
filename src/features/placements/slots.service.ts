// What administrators do with ad slots.
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { offsetOf, type PageQuery, paginationOf } from '../../platform/http/paging.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { notifyDirectory } from '../directory/index.ts'
import type { AdSlotChange, NewAdSlot } from './placements.schema.ts'
import { refreshFeatured } from './placements.sql.ts'
import {
  countSlots,
  deleteSlot,
  findServersOfSlot,
  findSlots,
  insertSlot,
  lockSlot,
  type SlotRow,
  updateSlot,
} from './slots.sql.ts'

export const SLOT_CODES = ['slot_exists', 'slot_in_use'] as const

export function createSlotsService({ pool }: Pick<Deps, 'pool'>) {
  const exists = () => new ApiError(400, 'slot_exists', 'There is a slot of this location, tier and name.')
  const noSuchSlot = () => notFound('There is no such ad slot.')

  return {
    async list(query: PageQuery) {
      const total = await countSlots(pool)
      const adSlots = await findSlots(pool, { limit: query.limit, offset: offsetOf(query) })
      return { adSlots, pagination: paginationOf(query, total) }
    },

    /** @throws ApiError 400 slot_exists */
    create: (actorId: string, given: NewAdSlot): Promise<SlotRow> =>
      inTransaction(pool, async (tx) => {
        const slot = await insertSlot(tx, uuidv7(), given)
        if (!slot) throw exists()
        await recordAction(tx, {
          actorId,
          action: 'ad-slot.create',
          targetType: 'ad-slot',
          targetId: slot.id,
          details: { ...slot },
        })
        return slot
      }),

    /** Switching a slot off takes down what runs in it, and back on lets it go on. @throws ApiError 404; 400 slot_exists */
    change: (actorId: string, id: string, change: AdSlotChange): Promise<SlotRow> =>
      inTransaction(pool, async (tx) => {
        const before = isUuid(id) ? await lockSlot(tx, id) : undefined
        if (!before) throw noSuchSlot()
        const after = await updateSlot(tx, id, change)
        if (!after) throw exists()
        const details = changesBetween({ ...before }, { ...after })
        if (!details) return after
        await recordAction(tx, { actorId, action: 'ad-slot.update', targetType: 'ad-slot', targetId: id, details })
        if (before.isActive !== after.isActive && (await refreshFeatured(tx, await findServersOfSlot(tx, id))))
          await notifyDirectory(tx)
        return after
      }),

    /** @throws ApiError 404; 400 slot_in_use when it has auctions or placements: it can be made inactive instead */
    remove: (actorId: string, id: string): Promise<void> =>
      inTransaction(pool, async (tx) => {
        const before = isUuid(id) ? await lockSlot(tx, id) : undefined
        if (!before) throw noSuchSlot()
        if (!(await deleteSlot(tx, id)))
          throw new ApiError(400, 'slot_in_use', 'This slot has auctions or placements. Make it inactive instead.')
        await recordAction(tx, {
          actorId,
          action: 'ad-slot.delete',
          targetType: 'ad-slot',
          targetId: id,
          details: { before },
        })
      }),
  }
}

export type SlotsService = ReturnType<typeof createSlotsService>
