// Statements over ad slots.
import type { Db } from '../../platform/db/pool.ts'
import type { AdSlotChange, NewAdSlot, SlotTier } from './placements.schema.ts'

export interface SlotRow {
  id: string
  location: string
  tier: SlotTier
  name: string
  width: number
  height: number
  isActive: boolean
}

const COLUMNS = `id, location, tier, name, width, height, is_active as "isActive"`

/** Undefined when there is one of this location, tier and name. */
export async function insertSlot(db: Db, id: string, slot: NewAdSlot): Promise<SlotRow | undefined> {
  const { rows } = await db.query<SlotRow>(
    `insert into ad_slots (id, location, tier, name, width, height, is_active) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (location, tier, name) do nothing returning ${COLUMNS}`,
    [id, slot.location, slot.tier, slot.name, slot.width, slot.height, slot.isActive],
  )
  return rows[0]
}

export async function findSlots(db: Db, page: { limit: number; offset: number }): Promise<SlotRow[]> {
  const { rows } = await db.query<SlotRow>(
    `select ${COLUMNS} from ad_slots order by location, tier, name limit $1 offset $2`,
    [page.limit, page.offset],
  )
  return rows
}

export async function countSlots(db: Db): Promise<number> {
  const { rows } = await db.query<{ count: number }>('select count(*) from ad_slots')
  return rows[0]?.count ?? 0
}

/** Locks a slot until the transaction ends, so that what it sells and whether it is active agree. */
export async function lockSlot(tx: Db, id: string): Promise<SlotRow | undefined> {
  const { rows } = await tx.query<SlotRow>(`select ${COLUMNS} from ad_slots where id = $1 for no key update`, [id])
  return rows[0]
}

/** Shares the slot with others who only need it to stay as it is. */
export async function holdSlot(tx: Db, id: string): Promise<SlotRow | undefined> {
  const { rows } = await tx.query<SlotRow>(`select ${COLUMNS} from ad_slots where id = $1 for share`, [id])
  return rows[0]
}

/** @returns undefined when another slot of the location and tier has the name */
export async function updateSlot(tx: Db, id: string, change: AdSlotChange): Promise<SlotRow | undefined> {
  const { rows } = await tx.query<SlotRow>(
    `update ad_slots set name = coalesce($2, name), width = coalesce($3, width), height = coalesce($4, height),
       is_active = coalesce($5, is_active), updated_at = now()
     where id = $1 and not exists (
       select from ad_slots as other
       where other.id <> $1 and other.name = $2 and (other.location, other.tier) = (ad_slots.location, ad_slots.tier))
     returning ${COLUMNS}`,
    [id, change.name, change.width, change.height, change.isActive],
  )
  return rows[0]
}

/** @returns false when it has sold, or sells, something */
export async function deleteSlot(tx: Db, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `delete from ad_slots where id = $1
       and not exists (select from auctions where slot_id = $1) and not exists (select from placements where slot_id = $1)`,
    [id],
  )
  return rowCount === 1
}

export async function findActiveSlots(db: Db): Promise<SlotRow[]> {
  const { rows } = await db.query<SlotRow>(`select ${COLUMNS} from ad_slots where is_active order by id`)
  return rows
}

/** Servers whose placements run, or will run, in a slot. */
export async function findServersOfSlot(tx: Db, slotId: string): Promise<string[]> {
  const { rows } = await tx.query<{ id: string }>(
    'select distinct server_id as id from placements where slot_id = $1 and ended_at is null and ends_at > now()',
    [slotId],
  )
  return rows.map(({ id }) => id)
}
