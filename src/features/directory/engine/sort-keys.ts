// The keys that lists are sorted by, and the values that decide a server's position in an order.
import type { Columns } from './columns.ts'
import type { Ids } from './ids.ts'
import { mixBits } from './mix-bits.ts'
import { float64At, numberAt } from './number-at.ts'

/** The fields that have a column of 32-bit integers, or another column that sorts like the field. */
export type ValueKey =
  | 'score'
  | 'totalVotes'
  | 'monthlyVotes'
  | 'recentVotes'
  | 'currentPlayers'
  | 'createdAt'
  | 'name'
  | 'uptime'
  | 'lastWipeAt'
  | 'nextWipeAt'
/** `rank`: from the most votes to the least, so its ascending order is the default one. `random`: with a seed. */
export type SortKey = ValueKey | 'rank' | `random ${number}`
export type SortOrder = 'asc' | 'desc'

export const isRandom = (key: SortKey): key is `random ${number}` => key.startsWith('random')
export const seedOf = (key: `random ${number}`) => Number(key.slice('random '.length))
/** Keys whose value 0 means unknown. */
export const hasUnknown = (key: SortKey) => key === 'uptime' || key === 'lastWipeAt' || key === 'nextWipeAt'
/** Whether values descend. For `rank`, ascending ranks mean descending votes: rank 1 has the most votes. */
export const isDescending = (key: SortKey, order: SortOrder) => (key === 'rank' ? order === 'asc' : order === 'desc')
/**
 * Whether servers with the same value go from young to old: only in the reverse order of ranks, else from old to young.
 */
export const reversesTies = (key: SortKey, order: SortOrder) => key === 'rank' && order === 'desc'

/** Numbers that sort like the key's values. */
export function columnOf(columns: Columns, key: Exclude<SortKey, `random ${number}`>): Int32Array | Uint32Array {
  if (key === 'createdAt') return columns.ageGroup
  if (key === 'name') return columns.nameGroup
  if (key === 'uptime') return columns.uptimeOrder
  if (key === 'lastWipeAt') return columns.wipeOrder
  if (key === 'nextWipeAt') return columns.nextWipeOrder
  if (key === 'score') return columns.scoreOrder
  return columns[key === 'rank' ? 'totalVotes' : key]
}

/** What decides a server's position in an order, whether the server is still there or not. */
export interface KeysetPosition {
  /** The server's value under the sort key. */
  value: number | string
  /** Epoch ms. */
  createdAt: number
  id: string
}

export interface SortedFields {
  columns: Columns
  ids: Ids
  /** The folded name. */
  nameOf(slot: number): string
}

function sortValueOf({ columns, ids, nameOf }: SortedFields, key: SortKey, slot: number): number | string {
  if (key === 'createdAt') return float64At(columns.createdAt, slot)
  if (key === 'name') return nameOf(slot)
  return isRandom(key) ? mixBits(ids.bitsOf(slot), seedOf(key)) : numberAt(columnOf(columns, key), slot)
}

export const keysetPositionOf = (fields: SortedFields, key: SortKey, slot: number): KeysetPosition => ({
  value: sortValueOf(fields, key, slot),
  createdAt: float64At(fields.columns.createdAt, slot),
  id: fields.ids.idOf(slot),
})

/** Whether the slot comes after the position. */
export function isAfter(
  fields: SortedFields,
  key: SortKey,
  order: SortOrder,
  slot: number,
  position: KeysetPosition,
): boolean {
  const value = sortValueOf(fields, key, slot)
  if (value !== position.value) {
    if (hasUnknown(key) && (value === 0 || position.value === 0)) return value === 0
    return isDescending(key, order) ? value < position.value : value > position.value
  }
  const createdAt = float64At(fields.columns.createdAt, slot)
  const id = fields.ids.idOf(slot)
  if (createdAt === position.createdAt && id === position.id) return false
  const isYounger = createdAt === position.createdAt ? id > position.id : createdAt > position.createdAt
  return reversesTies(key, order) ? !isYounger : isYounger
}
