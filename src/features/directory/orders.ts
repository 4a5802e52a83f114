// Keeps the servers sorted by each key a list can be sorted by, repairing only what changed since an order was last asked for.
import type { Columns } from './columns.ts'

export type SortKey = 'totalVotes' | 'monthlyVotes' | 'currentPlayers' | 'createdAt'
export type SortOrder = 'asc' | 'desc'

export interface Orders {
  /** A slot came, left, or shows another server: every order must place it anew. */
  moved(slot: number): void
  /** The slot's value under this key changed. */
  changed(key: SortKey, slot: number): void
  /** Every slot's value under this key may have changed. */
  changedAll(key: SortKey): void
  /** All servers in the order: by the key in this direction, then createdAt ascending, then id ascending. */
  sorted(key: SortKey, order: SortOrder): Uint32Array
  /** Numbers that sort as this order does, to rank a few servers without walking through all; valid until the next change. */
  ranking(key: SortKey, order: SortOrder): { rank(slot: number): number; slotOf(rank: number): number }
}

// rank = ±value * AGES + ageRank. Values are 32-bit integers, so this stays an exact double for up to four million servers.
const AGES = 2 ** 22
// Past this share of changed servers, sorting all again is cheaper than merging.
const REBUILD_SHARE = 0.25

interface Order {
  slots: Uint32Array
  changed: Set<number> | 'all'
}

interface Context {
  columns: Columns
  /** Whether a slot holds a server. */
  isTaken(slot: number): boolean
  idOf(slot: number): string
  /** Slots that may be taken are below this. */
  slotsEnd(): number
}

export function createOrders({ columns, isTaken, idOf, slotsEnd }: Context): Orders {
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
    for (let slot = 0; slot < slots.length; slot++) if (isTaken(slot)) slots[count++] = slot
    return slots.subarray(0, count)
  }

  /** Takes the changed slots out of a sorted array and puts those of them that are still taken back in where they belong. */
  function merge(
    old: Uint32Array,
    changed: Set<number>,
    fresh: Uint32Array,
    isBefore: (a: number, b: number) => boolean,
  ) {
    const merged = new Uint32Array(old.length + fresh.length)
    const marked = new Uint8Array(slotsEnd())
    for (const slot of changed) marked[slot] = 1
    let count = 0
    let next = 0
    for (let i = 0; i < old.length; i++) {
      const slot = old[i] ?? 0
      if (marked[slot] === 1) continue
      for (let f = fresh[next]; f !== undefined && isBefore(f, slot); f = fresh[++next]) merged[count++] = f
      merged[count++] = slot
    }
    for (; next < fresh.length; next++) merged[count++] = fresh[next] ?? 0
    return merged.slice(0, count)
  }

  const isSmall = (changed: Order['changed'], total: number): changed is Set<number> =>
    changed !== 'all' && changed.size < total * REBUILD_SHARE

  function repairAge(): void {
    if (byAge.changed !== 'all' && byAge.changed.size === 0) return
    if (isSmall(byAge.changed, byAge.slots.length)) {
      const fresh = Uint32Array.from([...byAge.changed].filter(isTaken)).sort(compareAge)
      byAge.slots = merge(byAge.slots, byAge.changed, fresh, isOlder)
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
    const sortByRank = (slots: Uint32Array | number[]) => {
      const ranks = Float64Array.from(slots, rank).sort()
      return Uint32Array.from(ranks, slotOf)
    }
    if (isSmall(order.changed, order.slots.length)) {
      const fresh = sortByRank([...order.changed].filter(isTaken))
      order.slots = merge(order.slots, order.changed, fresh, (a, b) => rank(a) < rank(b))
    } else order.slots = sortByRank(takenSlots())
    order.changed = new Set()
    return order.slots
  }

  function mark(order: Order, slot: number): void {
    if (order.changed === 'all') return
    order.changed.add(slot)
    if (!isSmall(order.changed, order.slots.length)) order.changed = 'all' // an order nobody asks for gathers no more
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
    ranking,
  }
}
