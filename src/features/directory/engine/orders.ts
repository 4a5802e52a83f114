// Keeps the servers sorted by each sort key. Repairs only what changed since an order was last used.
import { LRUCache } from 'lru-cache'
import type { Columns } from './columns.ts'
import type { Ids } from './ids.ts'
import { mixBits } from './mix-bits.ts'
import { createSortedSlots, firstFrom, isCurrent, mark, positionOf, repair, type SortedSlots } from './sorted-slots.ts'

/** The fields that have a column of 32-bit integers, or a column that sorts like them. */
export type ValueKey =
  | 'totalVotes'
  | 'monthlyVotes'
  | 'recentVotes'
  | 'currentPlayers'
  | 'createdAt'
  | 'name'
  | 'uptime'
  | 'lastWipeAt'
/** `rank`: from the most votes to the least, so its ascending order is the default one. `random`: with a seed. */
export type SortKey = ValueKey | 'rank' | `random ${number}`
export type SortOrder = 'asc' | 'desc'

/** What decides a server's position in an order, whether the server is still there or not. */
export interface Place {
  /** Its value under the sort key. */
  value: number | string
  /** Epoch ms. */
  createdAt: number
  id: string
}

// rank = ±value * AGES + ageRank. Values are 32-bit integers, so this stays an exact double for up to four million
// servers.
const AGES = 2 ** 22
// Sorts after every known value.
const LAST = 2 ** 31 - 1
/** 400 kB each at 100,000 servers. */
const MAX_RANDOM_ORDERS = 4

const isRandom = (key: SortKey): key is `random ${number}` => key.startsWith('random')
const seedOf = (key: `random ${number}`) => Number(key.slice('random '.length))
/** Keys whose value 0 means unknown. */
const hasUnknown = (key: SortKey) => key === 'uptime' || key === 'lastWipeAt'
/** Rank 1 has the most votes. */
const isDescending = (key: SortKey, order: SortOrder) => (order === 'desc') !== (key === 'rank')
const reversesTies = (key: SortKey, order: SortOrder) => key === 'rank' && order === 'desc'

interface Context {
  columns: Columns
  ids: Ids
  /** Folded. */
  nameOf(slot: number): string
}

export type Orders = ReturnType<typeof createOrders>

export function createOrders({ columns, ids, nameOf }: Context) {
  const taken = { isTaken: ids.isTaken, slotsEnd: ids.end }
  const byAge = createSortedSlots()
  /** Undefined until names were sorted the first time. */
  let byName: SortedSlots | undefined
  const orders = new Map<string, SortedSlots>()
  const randomOrders = new LRUCache<string, SortedSlots>({ max: MAX_RANDOM_ORDERS })

  const isOlder = (a: number, b: number): boolean => {
    const difference = (columns.createdAt[a] ?? 0) - (columns.createdAt[b] ?? 0)
    return difference === 0 ? ids.isBefore(a, b) : difference < 0
  }
  const compareAge = (a: number, b: number) => (a === b ? 0 : isOlder(a, b) ? -1 : 1)

  const compareName = (a: number, b: number) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)

  const sortingBy = (compare: (a: number, b: number) => number) => ({
    sort: (slots: Uint32Array) => slots.sort(compare),
    isBefore: (slot: number, other: number) => compare(slot, other) < 0,
  })
  const sortingByAge = sortingBy(compareAge)
  const sortingByName = sortingBy(compareName)

  function repairAge(): void {
    if (!repair(byAge, taken, sortingByAge)) return
    let group = 0
    let last = Number.NaN
    for (let rank = 0; rank < byAge.slots.length; rank++) {
      const slot = byAge.slots[rank] ?? 0
      const createdAt = columns.createdAt[slot] ?? 0
      if (createdAt !== last) group++
      last = createdAt
      columns.ageRank[slot] = rank
      columns.ageGroup[slot] = group
    }
  }

  function repairNames(): void {
    byName ??= createSortedSlots()
    if (!repair(byName, taken, sortingByName)) return
    let group = 0
    let last: string | undefined
    for (const slot of byName.slots) {
      const name = nameOf(slot)
      if (name !== last) group++
      last = name
      columns.nameGroup[slot] = group
    }
  }

  /** Numbers that sort like the key's values. */
  function columnOf(key: Exclude<SortKey, `random ${number}`>): Int32Array | Uint32Array {
    if (key === 'createdAt') return columns.ageGroup
    if (key === 'name') return columns.nameGroup
    if (key === 'uptime') return columns.uptimeOrder
    if (key === 'lastWipeAt') return columns.wipeOrder
    return columns[key === 'rank' ? 'totalVotes' : key]
  }

  /** Numbers that sort like this order, to rank a few servers without visiting all; valid until the next change. */
  function ranking(key: SortKey, order: SortOrder) {
    repairAge()
    if (key === 'name') repairNames()
    const { ageRank } = columns
    const scale = isDescending(key, order) ? -AGES : AGES
    const slotOf = (rank: number) => byAge.slots[rank - Math.floor(rank / AGES) * AGES] ?? 0
    if (isRandom(key)) {
      const seed = seedOf(key)
      return { rank: (slot: number) => mixBits(ids.bitsOf(slot), seed) * scale + (ageRank[slot] ?? 0), slotOf }
    }
    const values = columnOf(key)
    if (reversesTies(key, order))
      return {
        rank: (slot: number) => (values[slot] ?? 0) * scale - (ageRank[slot] ?? 0),
        slotOf: (rank: number) => slotOf(-rank),
      }
    if (hasUnknown(key) && order === 'asc')
      return { rank: (slot: number) => (values[slot] || LAST) * scale + (ageRank[slot] ?? 0), slotOf }
    return { rank: (slot: number) => (values[slot] ?? 0) * scale + (ageRank[slot] ?? 0), slotOf }
  }

  function orderBy(key: SortKey, direction: SortOrder): SortedSlots {
    if (key === 'rank' && direction === 'asc') return orderBy('totalVotes', 'desc')
    const kept = isRandom(key) ? randomOrders : orders
    const name = `${key} ${direction}`
    let order = kept.get(name)
    if (!order) {
      order = createSortedSlots()
      kept.set(name, order)
    }
    if (isCurrent(order)) return order
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

  function sortValueOf(key: SortKey, slot: number): number | string {
    if (key === 'createdAt') return columns.createdAt[slot] ?? 0
    if (key === 'name') return nameOf(slot)
    return isRandom(key) ? mixBits(ids.bitsOf(slot), seedOf(key)) : (columnOf(key)[slot] ?? 0)
  }

  /** Whether the slot comes after the place in `sorted(key, direction)`. */
  function isAfter(key: SortKey, direction: SortOrder, slot: number, place: Place): boolean {
    const value = sortValueOf(key, slot)
    if (value !== place.value) {
      if (hasUnknown(key) && (value === 0 || place.value === 0)) return value === 0
      return value < place.value === isDescending(key, direction)
    }
    const createdAt = columns.createdAt[slot] ?? 0
    const id = ids.idOf(slot)
    if (createdAt === place.createdAt && id === place.id) return false
    const isYounger = createdAt === place.createdAt ? id > place.id : createdAt > place.createdAt
    return isYounger !== reversesTies(key, direction)
  }

  function* ordersBy(key: ValueKey): Generator<SortedSlots> {
    const names = [`${key} asc`, `${key} desc`]
    if (key === 'totalVotes') names.push('rank desc')
    for (const name of names) {
      const order = orders.get(name)
      if (order) yield order
    }
    if (key === 'name' && byName) yield byName
  }

  return {
    /** A slot was added, removed, or shows another server: every order must place it again. */
    moved(slot: number): void {
      mark(byAge, slot)
      if (byName) mark(byName, slot)
      for (const order of orders.values()) mark(order, slot)
      for (const order of randomOrders.values()) mark(order, slot)
    },
    /** The slot's value under this key changed. */
    changed(key: ValueKey, slot: number): void {
      for (const order of ordersBy(key)) mark(order, slot)
    },
    /** Every slot's value under this key may have changed. */
    changedAll(key: ValueKey): void {
      for (const order of ordersBy(key)) order.changed = 'all'
    },
    sorted,
    /** Tells slots' indexes in `sorted(key, direction)`, by binary search; valid until the next change. */
    positions(key: SortKey, direction: SortOrder): (slot: number) => number {
      const order = orderBy(key, direction)
      const { rank } = ranking(key, direction)
      return (slot) => positionOf(order, rank(slot), rank)
    },
    placeOf: (key: SortKey, slot: number): Place => ({
      value: sortValueOf(key, slot),
      createdAt: columns.createdAt[slot] ?? 0,
      id: ids.idOf(slot),
    }),
    isAfter,
    /** @returns the index in `sorted(key, direction)` of the first server after the place, by binary search */
    indexAfter(key: SortKey, direction: SortOrder, place: Place): number {
      const slots = sorted(key, direction)
      return firstFrom(slots.length, (at) => isAfter(key, direction, slots[at] ?? 0, place))
    },
    /** All servers, oldest first: by createdAt, then id. */
    byAge(): Uint32Array {
      repairAge()
      return byAge.slots
    },
    ranking,
  }
}
