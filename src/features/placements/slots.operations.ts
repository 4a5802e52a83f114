// Administrators' operations on ad slots.
import { v7 as uuidv7 } from 'uuid'
import { isUniqueViolation } from '../../platform/db/pg-errors.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { auditAs, changesBetween, recordAction } from '../audit/index.ts'
import { notifyDirectory } from '../servers/index.ts'
import { AdSlot, AdSlotChange, AdSlotParams, AdSlots, AdSlotsQuery, NewAdSlot } from './placements.schema.ts'
import { findServersOfSlot, refreshFeatured } from './placements.sql.ts'
import { deleteSlot, findSlots, insertSlot, lockSlot, type SlotRow, updateSlot } from './slots.store.ts'

const common = { tag: 'Placements', access: 'admin' } as const

const lockedSlot = (action: string): Resource<'slot', SlotRow> => ({
  name: 'slot',
  params: AdSlotParams,
  errors: [404],
  async load(tx, id) {
    const slot = await lockSlot(tx, id)
    if (!slot) throw notFound('There is no such ad slot.')
    return slot
  },
  after: auditAs('ad-slot', action),
})

const orSlotExists = (error: unknown) => {
  throw isUniqueViolation(error)
    ? new ApiError(400, 'slot_exists', 'A slot with this location, tier and name already exists.')
    : error
}

export const adSlotOperations = [
  operation({
    ...common,
    method: 'get',
    path: '/admin/ad-slots',
    operationId: 'listAdSlots',
    summary: 'List ad slots',
    query: AdSlotsQuery,
    returns: AdSlots,
    handle: ({ db, query }) => findSlots(db, query),
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/ad-slots',
    operationId: 'createAdSlot',
    summary: 'Create an ad slot',
    body: NewAdSlot,
    status: 201,
    returns: AdSlot,
    codes: ['slot_exists'],
    async handle({ tx, actor: { userId: actorId }, body }) {
      const slot = { id: uuidv7(), ...body }
      await insertSlot(tx, slot).catch(orSlotExists)
      const action = 'ad-slot.create'
      await recordAction(tx, { actorId, action, targetType: 'ad-slot', targetId: slot.id, details: slot })
      return slot
    },
  }),
  operation({
    ...common,
    method: 'patch',
    path: '/admin/ad-slots/{id}',
    operationId: 'updateAdSlot',
    summary: 'Change an ad slot',
    description:
      'While a slot is inactive, it is not auctioned and its placements are not displayed. Once it is active again, its placements ' +
      'run until their original end.',
    resource: lockedSlot('ad-slot.update'),
    body: AdSlotChange,
    returns: AdSlot,
    codes: ['slot_exists'],
    async handle({ tx, slot, body }) {
      const changed = await updateSlot(tx, slot.id, body).catch(orSlotExists)
      if (slot.isActive !== changed.isActive && (await refreshFeatured(tx, await findServersOfSlot(tx, slot.id))))
        await notifyDirectory(tx)
      return new Audited(changed, changesBetween(slot, changed))
    },
  }),
  operation({
    ...common,
    method: 'delete',
    path: '/admin/ad-slots/{id}',
    operationId: 'deleteAdSlot',
    summary: 'Delete an ad slot that has no auctions or placements',
    resource: lockedSlot('ad-slot.delete'),
    returns: Success,
    codes: ['slot_in_use'],
    async handle({ tx, slot }) {
      if (!(await deleteSlot(tx, slot.id)))
        throw new ApiError(400, 'slot_in_use', 'This slot has auctions or placements. Set `isActive` to false instead.')
      return new Audited(SUCCESS, { before: slot })
    },
  }),
]
