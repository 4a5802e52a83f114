// Ad slots (models); their locks, which auctions race for, and the delete (SQL: each checks and acts in one statement).
import type { AdSlot } from '../../generated/prisma/client.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { type PageQuery, paginate } from '../../platform/http/paging.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import type { AdSlotChange, SlotTier } from './placements.schema.ts'

export type SlotRow = Omit<AdSlot, 'tier' | 'createdAt' | 'updatedAt'> & { tier: SlotTier }

const omit = { createdAt: true, updatedAt: true } as const

const toSlot = (row: Omit<SlotRow, 'tier'> & { tier: string }): SlotRow => ({ ...row, tier: row.tier as SlotTier })

/** @throws an error that `isUniqueViolation` recognizes if there is a slot of this location, tier and name */
export async function insertSlot({ prisma }: Db, slot: SlotRow): Promise<void> {
  await prisma.adSlot.create({ data: slot, select: { id: true } })
}

export const findSlots = ({ prisma }: Db, page: PageQuery) =>
  paginate('adSlots', page, {
    count: () => prisma.adSlot.count(),
    async find({ limit: take, offset: skip }) {
      const orderBy = [{ location: 'asc' as const }, { tier: 'asc' as const }, { name: 'asc' as const }]
      return (await prisma.adSlot.findMany({ omit, orderBy, take, skip })).map(toSlot)
    },
  })

/** Locks the slot until the transaction ends, so that its sales and `is_active` stay consistent. */
export const lockSlot = (tx: Sql, id: string) => lock(tx, id, 'for no key update')

/** Keeps the slot from changing until the transaction ends; a shared lock. */
export const lockSlotForShare = (tx: Sql, id: string) => lock(tx, id, 'for share')

async function lock(tx: Sql, id: string, strength: 'for no key update' | 'for share'): Promise<SlotRow | undefined> {
  const { rows } = await tx.query<SlotRow>(
    `select id, location, tier, name, width, height, is_active as "isActive" from ad_slots where id = $1 ${strength}`,
    [id],
  )
  return rows[0]
}

/** @throws an error that `isUniqueViolation` recognizes if another slot of the location and tier has the name */
export async function updateSlot({ prisma }: Db, id: string, change: AdSlotChange): Promise<SlotRow> {
  return toSlot(
    await prisma.adSlot.update({ where: { id }, data: { ...withoutUndefined(change), updatedAt: new Date() }, omit }),
  )
}

/** @returns false if the slot has auctions or placements */
export async function deleteSlot(tx: Sql, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from ad_slots where id = $1
       and not exists (select from auctions where slot_id = $1) and not exists (select from placements where slot_id = $1)`,
    [id],
  )
  return rowCount === 1
}

export async function findActiveSlots({ prisma }: Db): Promise<SlotRow[]> {
  return (await prisma.adSlot.findMany({ where: { isActive: true }, omit, orderBy: { id: 'asc' } })).map(toSlot)
}
