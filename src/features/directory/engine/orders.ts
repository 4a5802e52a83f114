// Keeps the servers sorted by each sort key. Repairs only what changed since an order was last used.
import { createAgeOrder, createNameOrder } from './base-orders.ts'
import { mixBits } from './mix-bits.ts'
import { numberAt, uint32At } from './number-at.ts'
import {
  columnOf,
  hasUnknown,
  isAfter,
  isDescending,
  isRandom,
  type KeysetPosition,
  keysetPositionOf,
  reversesTies,
  type SortedFields,
  type SortKey,
  type SortOrder,
  seedOf,
  type ValueKey,
} from './sort-keys.ts'
import {
  createSortedSlots,
  isSorted,
  markChanged,
  partitionPoint,
  positionOf,
  repair,
  type SortedSlots,
} from './sorted-slots.ts'

// rank = ±value * AGE_RANKS + ageRank. Values are 32-bit integers, so this stays an exact double for up to four million
// servers.
const AGE_RANKS = 2 ** 22
const AFTER_KNOWN_VALUES = 2 ** 31 - 1
/** The remainder is not negative for negative ranks, unlike that of `%`. */
const ageRankOf = (rank: number) => rank - Math.floor(rank / AGE_RANKS) * AGE_RANKS

/** Numbers that sort like an order, to rank a few servers without visiting all; valid until the next change. */
interface Ranking {
  rank(slot: number): number
  slotOf(rank: number): number
}

export type Orders = ReturnType<typeof createOrders>

export function createOrders(fields: SortedFields) {
  const { columns, ids, nameOf } = fields
  const taken = { isTaken: ids.isTaken, slotsEnd: ids.end }
  const ages = createAgeOrder(columns, ids, taken)
  const names = createNameOrder(columns, nameOf, taken)
  const orders = new Map<string, SortedSlots>()

  function ranking(key: SortKey, order: SortOrder): Ranking {
    const byAge = ages.sorted()
    if (key === 'name') names.refresh()
    const { ageRank } = columns
    const scale = isDescending(key, order) ? -AGE_RANKS : AGE_RANKS
    const slotOf = (rank: number) => uint32At(byAge, ageRankOf(rank))
    if (isRandom(key)) {
      const seed = seedOf(key)
      return { rank: (slot) => mixBits(ids.bitsOf(slot), seed) * scale + uint32At(ageRank, slot), slotOf }
    }
    const values = columnOf(columns, key)
    if (reversesTies(key, order))
      return {
        rank: (slot) => numberAt(values, slot) * scale - uint32At(ageRank, slot),
        slotOf: (rank) => slotOf(-rank),
      }
    if (hasUnknown(key) && order === 'asc')
      return {
        rank: (slot) => (numberAt(values, slot) || AFTER_KNOWN_VALUES) * scale + uint32At(ageRank, slot),
        slotOf,
      }
    return { rank: (slot) => numberAt(values, slot) * scale + uint32At(ageRank, slot), slotOf }
  }

  function orderBy(key: SortKey, direction: SortOrder): SortedSlots {
    if (key === 'rank' && direction === 'asc') return orderBy('totalVotes', 'desc')
    if (isRandom(key)) throw new Error('random orders are not kept: pick their pages by rank')
    const name = `${key} ${direction}`
    let order = orders.get(name)
    if (!order) {
      order = createSortedSlots()
      orders.set(name, order)
    }
    if (isSorted(order)) return order
    const { rank, slotOf } = ranking(key, direction)
    repair(order, taken, {
      sort: (slots) => Uint32Array.from(Float64Array.from(slots, rank).sort(), slotOf),
      isBefore: (slot, other) => rank(slot) < rank(other),
    })
    return order
  }

  /**
   * All servers by the key in this direction, those whose value is unknown last, then createdAt ascending, then id
   * ascending; `rank desc` is `rank asc` reversed.
   */
  const sorted = (key: SortKey, direction: SortOrder) => orderBy(key, direction).slots

  /** The orders in use that sort by the key's values. */
  function ordersBy(key: ValueKey): SortedSlots[] {
    const names = key === 'totalVotes' ? [`${key} asc`, `${key} desc`, 'rank desc'] : [`${key} asc`, `${key} desc`]
    return names.flatMap((name) => orders.get(name) ?? [])
  }

  return {
    /** A slot was added, removed, or shows another server: every order must sort it in again. */
    moved(slot: number): void {
      ages.markChanged(slot)
      names.markChanged(slot)
      for (const order of orders.values()) markChanged(order, slot)
    },
    /** The slot's value under this key changed. */
    changed(key: ValueKey, slot: number): void {
      for (const order of ordersBy(key)) markChanged(order, slot)
      if (key === 'name') names.markChanged(slot)
    },
    /** Every slot's value under this key may have changed. */
    changedAll(key: Exclude<ValueKey, 'name'>): void {
      for (const order of ordersBy(key)) order.changed = 'all'
    },
    sorted,
    /** @returns a function from a taken slot to its index in `sorted(key, direction)`; valid until the next change */
    positions(key: SortKey, direction: SortOrder): (slot: number) => number {
      const order = orderBy(key, direction)
      return (slot) => positionOf(order, slot)
    },
    keysetPosition: (key: SortKey, slot: number): KeysetPosition => keysetPositionOf(fields, key, slot),
    /** Whether the slot comes after the position in `sorted(key, direction)`. */
    isAfter: (key: SortKey, direction: SortOrder, slot: number, position: KeysetPosition): boolean =>
      isAfter(fields, key, direction, slot, position),
    /** @returns the index in `sorted(key, direction)` of the first server after the position, by binary search */
    indexAfter(key: SortKey, direction: SortOrder, position: KeysetPosition): number {
      const slots = sorted(key, direction)
      return partitionPoint(slots.length, (at) => isAfter(fields, key, direction, uint32At(slots, at), position))
    },
    /** All servers, oldest first: by createdAt, then id. */
    byAge: ages.sorted,
    ranking,
  }
}
