// Running placements, featured servers, and the administration of ad slots.
import { v7 as uuidv7 } from 'uuid'
import type { Deps } from '../../deps.ts'
import { isUniqueViolation } from '../../platform/db/unique-violation.ts'
import { ApiError, notFound } from '../../platform/http/errors.ts'
import { operation, type Resource } from '../../platform/http/operation.ts'
import { Audited } from '../../platform/http/reply-kinds.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { auditAs, changesBetween, recordAction } from '../audit/index.ts'
import { gameName } from '../games/index.ts'
import { listedServer, notifyDirectory } from '../servers/index.ts'
import {
  AdSlot,
  AdSlotChange,
  AdSlotParams,
  AdSlots,
  AdSlotsQuery,
  Featured,
  FeaturedServers,
  LocationParams,
  NewAdSlot,
  Placements,
} from './placements.schema.ts'
import {
  findFeatured,
  findIsFeatured,
  findRunning,
  findServersOfSlot,
  isLocation,
  type PlacementRow,
  refreshFeatured,
} from './placements.sql.ts'
import { deleteSlot, findSlots, insertSlot, lockSlot, type SlotRow, updateSlot } from './slots.store.ts'

const common = { tag: 'Placements' } as const
const admin = { ...common, access: 'admin' } as const

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

export function placementsOperations({ settings }: Pick<Deps, 'settings'>) {
  const toPlacement = ({ website, ...row }: PlacementRow) => ({
    ...row,
    linkUrl: website || `${settings.PUBLIC_BASE_URL}/api/public/servers/${row.serverId}`,
  })

  return [
    operation({
      ...common,
      method: 'get',
      path: '/ad-placements',
      operationId: 'listPlacements',
      summary: 'List running placements',
      crossOrigin: true,
      returns: Placements,
      handle: async ({ db }) => ({ placements: (await findRunning(db)).map(toPlacement) }),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/ad-placements/{location}',
      operationId: 'listPlacementsOfLocation',
      summary: 'List running placements at a location',
      crossOrigin: true,
      params: LocationParams,
      returns: Placements,
      errors: [404],
      async handle({ db, params: { location } }) {
        if (!(await isLocation(db, location))) throw notFound('There is no such location.')
        return { placements: (await findRunning(db, { location })).map(toPlacement) }
      },
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/featured',
      operationId: 'listFeaturedServers',
      summary: 'List featured servers, most votes first',
      crossOrigin: true,
      returns: FeaturedServers,
      handle: async ({ db }) => ({
        servers: (await findFeatured(db)).map((server) => ({ ...server, gameName: gameName(server.game) })),
      }),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/{id}/featured',
      operationId: 'getFeatured',
      summary: 'Get whether a server is featured, and for which placement',
      crossOrigin: true,
      resource: listedServer(),
      returns: Featured,
      async handle({ db, serverId }) {
        const isFeatured = await findIsFeatured(db, serverId)
        const [running] = isFeatured ? await findRunning(db, { serverId }) : []
        return { isFeatured, placement: running ? toPlacement(running) : null }
      },
    }),
    operation({
      ...admin,
      method: 'get',
      path: '/admin/ad-slots',
      operationId: 'listAdSlots',
      summary: 'List ad slots',
      query: AdSlotsQuery,
      returns: AdSlots,
      handle: ({ db, query }) => findSlots(db, query),
    }),
    operation({
      ...admin,
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
      ...admin,
      method: 'patch',
      path: '/admin/ad-slots/{id}',
      operationId: 'updateAdSlot',
      summary: 'Change an ad slot',
      description:
        'An inactive slot sells and shows nothing. Once it is active again, its placements run until their original end.',
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
      ...admin,
      method: 'delete',
      path: '/admin/ad-slots/{id}',
      operationId: 'deleteAdSlot',
      summary: 'Delete an ad slot that has no auctions or placements',
      resource: lockedSlot('ad-slot.delete'),
      returns: Success,
      codes: ['slot_in_use'],
      async handle({ tx, slot }) {
        if (!(await deleteSlot(tx, slot.id)))
          throw new ApiError(
            400,
            'slot_in_use',
            'This slot has auctions or placements. Set `isActive` to false instead.',
          )
        return new Audited(DONE, { before: slot })
      },
    }),
  ]
}
