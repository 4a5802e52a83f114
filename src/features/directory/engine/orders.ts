// Keeps the servers sorted by each sort key. Repairs only what changed since an order was last used.
import type { Columns } from './columns.ts'

export type SortKey = 'totalVotes' | 'monthlyVotes' | 'currentPlayers' | 'createdAt'
export type SortOrder = 'asc' | 'desc'

/** What decides a server's position in an order, whether the server is still there or not. */
export interface Place {
  /** Its value under the sort key. */
  value: number
  /** Epoch ms. */
  createdAt: number
  id: string
}

export interface Orders {
  /** A slot was added, removed, or shows another server: every order must place it again. */
  moved(slot: number): void
  /** The slot's value under this key changed. */
  changed(key: SortKey, slot: number): void
  /** Every slot's value under this key may have changed. */
  changedAll(key: SortKey): void
  /** All servers by the key in this direction, then createdAt ascending, then id ascending. */
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

interface Order {
  slots: Uint32Array
  changed: Set<number> | 'all'
}

interface Context {
  columns: Columns
  /** Whether a slot holds a server. */
  isOccupied(slot: number): boolean
  idOf(slot: number): string
  /** Used slots are below this. */
  slotsEnd(): number
}

export function createOrders({ columns, isOccupied, idOf, slotsEnd }: Context): Orders {
  const byAge: Order = { slots: new Uint32Array(0), changed: 'all' }
  const orders = new Map<`${SortKey} ${SortOrder}`, Order>()

  const isOlder = (a: number, b: number): boolean => {
    const difference = (columns.createdAt[a] ?? 0) - (columns.createdAt[b] ?? 0)
    return difference === 0 ? idOf(a) < idOf(b) : difference < 0
  }
  const compareAge = (a: number, b: number) => (a === b ? 0 : isOlder(a, b) ? -1 : 1)

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

  function repairAge(): void {
    if (byAge.changed !== 'all' && byAge.changed.size === 0) return
    if (isSmall(byAge.changed, byAge.slots.length)) {
      const fresh = Uint32Array.from([...byAge.changed].filter(isOccupied)).sort(compareAge)
      merge(byAge, fresh, (slot, next) => isOlder(slot, fresh[next] ?? 0))
    } else byAge.slots = takenSlots().slice().sort(compareAge)
    byAge.changed = new Set()
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

  function ranking(key: SortKey, order: SortOrder) {
    repairAge()
    const values = key === 'createdAt' ? columns.ageGroup : columns[key]
    const { ageRank } = columns
    const scale = order === 'asc' ? AGES : -AGES
    return {
      rank: (slot: number) => (values[slot] ?? 0) * scale + (ageRank[slot] ?? 0),
      slotOf: (rank: number) => byAge.slots[rank - Math.floor(rank / AGES) * AGES] ?? 0,
    }
  }

  function sorted(key: SortKey, direction: SortOrder): Uint32Array {
    const name = `${key} ${direction}` as const
    let order = orders.get(name)
    if (!order) {
      order = { slots: new Uint32Array(0), changed: 'all' }
      orders.set(name, order)
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

  function isAfter(key: SortKey, direction: SortOrder, slot: number, place: Place): boolean {
    const value = columns[key][slot] ?? 0
    if (value !== place.value) return value < place.value === (direction === 'desc')
    const createdAt = columns.createdAt[slot] ?? 0
    return createdAt === place.createdAt ? idOf(slot) > place.id : createdAt > place.createdAt
  }

  function mark(order: Order, slot: number): void {
    if (order.changed === 'all') return
    order.changed.add(slot)
    if (!isSmall(order.changed, order.slots.length)) order.changed = 'all' // stops collecting changes for an order that is not used
  }

  return {
    moved(slot) {
      mark(byAge, slot)
      for (const order of orders.values()) mark(order, slot)
    },
    changed(key, slot) {
      for (const order of [orders.get(`${key} asc`), orders.get(`${key} desc`)]) if (order) mark(order, slot)
    },
    changedAll(key) {
      for (const order of [orders.get(`${key} asc`), orders.get(`${key} desc`)]) if (order) order.changed = 'all'
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
      value: columns[key][slot] ?? 0,
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
