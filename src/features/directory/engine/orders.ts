// Keeps the servers sorted by each sort key. Repairs only what changed since an order was last used.
import { LRUCache } from 'lru-cache'
import type { Columns } from './columns.ts'
import { mixBits } from './mix-bits.ts'

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

export interface Orders {
  /** A slot was added, removed, or shows another server: every order must place it again. */
  moved(slot: number): void
  /** The slot's value under this key changed. */
  changed(key: ValueKey, slot: number): void
  /** Every slot's value under this key may have changed. */
  changedAll(key: ValueKey): void
  /**
   * All servers by the key in this direction, those whose value is unknown last, then createdAt ascending, then id
   * ascending; `rank desc` is `rank asc` reversed.
   */
  sorted(key: SortKey, order: SortOrder): Uint32Array
  /** @returns the slot's index in `sorted(key, order)`, by binary search */
  indexOf(key: SortKey, order: SortOrder, slot: number): number
  placeOf(key: SortKey, slot: number): Place
  /** Whether the slot comes after the place in `sorted(key, order)`. */
  isAfter(key: SortKey, order: SortOrder, slot: number, place: Place): boolean
  /** @returns the index in `sorted(key, order)` of the first server after the place, by binary search */
  indexAfter(key: SortKey, order: SortOrder, place: Place): number
  /** All servers, oldest first: by createdAt, then id. */
  byAge(): Uint32Array
  /** Numbers that sort like this order, to rank a few servers without visiting all; valid until the next change. */
  ranking(key: SortKey, order: SortOrder): { rank(slot: number): number; slotOf(rank: number): number }
}

// rank = ±value * AGES + ageRank. Values are 32-bit integers, so this stays an exact double for up to four million
// servers.
const AGES = 2 ** 22
// Above this share of changed servers, sorting all again is cheaper than merging.
const REBUILD_SHARE = 0.25
// Sorts after every known value.
const LAST = 2 ** 31 - 1
/** 400 kB each at 100,000 servers. */
const MOST_RANDOM_ORDERS = 4

const isRandom = (key: SortKey): key is `random ${number}` => key.startsWith('random')
const seedOf = (key: `random ${number}`) => Number(key.slice('random '.length))
/** Keys whose value 0 means unknown. */
const hasUnknown = (key: SortKey) => key === 'uptime' || key === 'lastWipeAt'
/** Rank 1 has the most votes. */
const isDescending = (key: SortKey, order: SortOrder) => (order === 'desc') !== (key === 'rank')
const reversesTies = (key: SortKey, order: SortOrder) => key === 'rank' && order === 'desc'

interface Order {
  slots: Uint32Array
  changed: Set<number> | 'all'
}

interface Context {
  columns: Columns
  /** Whether a slot holds a server. */
  isOccupied(slot: number): boolean
  idOf(slot: number): string
  /** Folded. */
  nameOf(slot: number): string
  /** Used slots are below this. */
  slotsEnd(): number
}

export function createOrders({ columns, isOccupied, idOf, nameOf, slotsEnd }: Context): Orders {
  const byAge: Order = { slots: new Uint32Array(0), changed: 'all' }
  /** Undefined until names were sorted the first time. */
  let byName: Order | undefined
  const orders = new Map<string, Order>()
  const randomOrders = new LRUCache<string, Order>({ max: MOST_RANDOM_ORDERS })

  const isOlder = (a: number, b: number): boolean => {
    const difference = (columns.createdAt[a] ?? 0) - (columns.createdAt[b] ?? 0)
    return difference === 0 ? idOf(a) < idOf(b) : difference < 0
  }
  const compareAge = (a: number, b: number) => (a === b ? 0 : isOlder(a, b) ? -1 : 1)

  const compareName = (a: number, b: number) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0)

  function takenSlots(): Uint32Array {
    const slots = new Uint32Array(slotsEnd())
    let count = 0
    for (let slot = 0; slot < slots.length; slot++) if (isOccupied(slot)) slots[count++] = slot
    return slots.subarray(0, count)
  }

  /**
   * Removes the changed slots from a sorted order and inserts those of them that are still used at their new places.
   * @param fresh those slots, sorted
   * @param isBefore whether an unchanged slot comes before fresh[next]
   */
  function merge(order: Order, fresh: Uint32Array, isBefore: (slot: number, next: number) => boolean): void {
    const marked = new Uint8Array(slotsEnd())
    for (const slot of order.changed) marked[slot as number] = 1
    const staying = new Uint32Array(order.slots.length)
    let count = 0
    for (const slot of order.slots) if (marked[slot] === 0) staying[count++] = slot

    // The few changed slots are searched in the many unchanged ones, which are copied in runs.
    const merged = new Uint32Array(count + fresh.length)
    let copied = 0
    for (let next = 0; next < fresh.length; next++) {
      let low = copied
      for (let high = count; low < high; ) {
        const middle = (low + high) >>> 1
        if (isBefore(staying[middle] ?? 0, next)) low = middle + 1
        else high = middle
      }
      merged.set(staying.subarray(copied, low), copied + next)
      merged[low + next] = fresh[next] ?? 0
      copied = low
    }
    merged.set(staying.subarray(copied, count), copied + fresh.length)
    order.slots = merged
  }

  const isSmall = (changed: Order['changed'], total: number): changed is Set<number> =>
    changed !== 'all' && changed.size < total * REBUILD_SHARE

  /** @returns whether anything changed */
  function repair(order: Order, compare: (a: number, b: number) => number): boolean {
    if (order.changed !== 'all' && order.changed.size === 0) return false
    if (isSmall(order.changed, order.slots.length)) {
      const fresh = Uint32Array.from([...order.changed].filter(isOccupied)).sort(compare)
      merge(order, fresh, (slot, next) => compare(slot, fresh[next] ?? 0) < 0)
    } else order.slots = takenSlots().slice().sort(compare)
    order.changed = new Set()
    return true
  }

  function repairAge(): void {
    if (!repair(byAge, compareAge)) return
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
    byName ??= { slots: new Uint32Array(0), changed: 'all' }
    if (!repair(byName, compareName)) return
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

  function ranking(key: SortKey, order: SortOrder) {
    repairAge()
    if (key === 'name') repairNames()
    const { ageRank } = columns
    const scale = isDescending(key, order) ? -AGES : AGES
    const slotOf = (rank: number) => byAge.slots[rank - Math.floor(rank / AGES) * AGES] ?? 0
    if (isRandom(key)) {
      const { idBits } = columns
      const seed = seedOf(key)
      return { rank: (slot: number) => mixBits(idBits[slot] ?? 0, seed) * scale + (ageRank[slot] ?? 0), slotOf }
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

  function sorted(key: SortKey, direction: SortOrder): Uint32Array {
    if (key === 'rank' && direction === 'asc') return sorted('totalVotes', 'desc')
    const kept = isRandom(key) ? randomOrders : orders
    const name = `${key} ${direction}`
    let order = kept.get(name)
    if (!order) {
      order = { slots: new Uint32Array(0), changed: 'all' }
      kept.set(name, order)
    }
    if (order.changed !== 'all' && order.changed.size === 0) return order.slots
    const { rank, slotOf } = ranking(key, direction)
    const sortedRanks = (slots: Uint32Array | number[]) => Float64Array.from(slots, rank).sort()
    if (isSmall(order.changed, order.slots.length)) {
      const ranks = sortedRanks([...order.changed].filter(isOccupied))
      merge(order, Uint32Array.from(ranks, slotOf), (slot, next) => rank(slot) < (ranks[next] ?? 0))
    } else order.slots = Uint32Array.from(sortedRanks(takenSlots()), slotOf)
    order.changed = new Set()
    return order.slots
  }

  function sortValueOf(key: SortKey, slot: number): number | string {
    if (key === 'createdAt') return columns.createdAt[slot] ?? 0
    if (key === 'name') return nameOf(slot)
    return isRandom(key) ? mixBits(columns.idBits[slot] ?? 0, seedOf(key)) : (columnOf(key)[slot] ?? 0)
  }

  function isAfter(key: SortKey, direction: SortOrder, slot: number, place: Place): boolean {
    const value = sortValueOf(key, slot)
    if (value !== place.value) {
      if (hasUnknown(key) && (value === 0 || place.value === 0)) return value === 0
      return value < place.value === isDescending(key, direction)
    }
    const createdAt = columns.createdAt[slot] ?? 0
    const id = idOf(slot)
    if (createdAt === place.createdAt && id === place.id) return false
    const isYounger = createdAt === place.createdAt ? id > place.id : createdAt > place.createdAt
    return isYounger !== reversesTies(key, direction)
  }

  function mark(order: Order, slot: number): void {
    if (order.changed === 'all') return
    order.changed.add(slot)
    if (!isSmall(order.changed, order.slots.length)) order.changed = 'all' // stops collecting changes for an order that is not used
  }

  function* ordersBy(key: ValueKey): Generator<Order> {
    const names = [`${key} asc`, `${key} desc`]
    if (key === 'totalVotes') names.push('rank desc')
    for (const name of names) {
      const order = orders.get(name)
      if (order) yield order
    }
    if (key === 'name' && byName) yield byName
  }

  return {
    moved(slot) {
      mark(byAge, slot)
      if (byName) mark(byName, slot)
      for (const order of orders.values()) mark(order, slot)
      for (const order of randomOrders.values()) mark(order, slot)
    },
    changed(key, slot) {
      for (const order of ordersBy(key)) mark(order, slot)
    },
    changedAll(key) {
      for (const order of ordersBy(key)) order.changed = 'all'
    },
    sorted,
    indexOf(key, direction, slot) {
      const slots = sorted(key, direction)
      const { rank } = ranking(key, direction)
      const wanted = rank(slot)
      let low = 0
      for (let high = slots.length; low < high; ) {
        const middle = (low + high) >>> 1
        if (rank(slots[middle] ?? 0) < wanted) low = middle + 1
        else high = middle
      }
      return low
    },
    placeOf: (key, slot) => ({
      value: sortValueOf(key, slot),
      createdAt: columns.createdAt[slot] ?? 0,
      id: idOf(slot),
    }),
    isAfter,
    indexAfter(key, direction, place) {
      const slots = sorted(key, direction)
      let low = 0
      for (let high = slots.length; low < high; ) {
        const middle = (low + high) >>> 1
        if (isAfter(key, direction, slots[middle] ?? 0, place)) high = middle
        else low = middle + 1
      }
      return low
    },
    byAge() {
      repairAge()
      return byAge.slots
    },
    ranking,
  }
}
