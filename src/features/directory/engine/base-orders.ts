// The servers by age and by name. Both number the servers in columns, by which the other orders are ranked.
import type { Columns } from './columns.ts'
import type { Ids } from './ids.ts'
import { float64At, uint32At } from './number-at.ts'
import { createSortedSlots, markChanged, repair, type SortedSlots, type TakenSlots } from './sorted-slots.ts'

const sortingBy = (compare: (a: number, b: number) => number) => ({
  sort: (slots: Uint32Array) => slots.sort(compare),
  isBefore: (slot: number, other: number) => compare(slot, other) < 0,
})

/** The order by createdAt, then id. */
export function createAgeOrder(columns: Columns, ids: Ids, taken: TakenSlots) {
  const list = createSortedSlots()

  const isOlder = (a: number, b: number): boolean => {
    const difference = float64At(columns.createdAt, a) - float64At(columns.createdAt, b)
    return difference === 0 ? ids.isBefore(a, b) : difference < 0
  }
  const sorting = sortingBy((a, b) => (a === b ? 0 : isOlder(a, b) ? -1 : 1))

  function number(slots: Uint32Array): void {
    let group = 0
    let last = Number.NaN
    for (let rank = 0; rank < slots.length; rank++) {
      const slot = uint32At(slots, rank)
      const createdAt = float64At(columns.createdAt, slot)
      if (createdAt !== last) group++
      last = createdAt
      columns.ageRank[slot] = rank
      columns.ageGroup[slot] = group
    }
  }

  return {
    /** The slot was added, removed, or its age changed. */
    markChanged: (slot: number) => markChanged(list, slot),
    /** All servers, oldest first. Updates `ageRank` and `ageGroup`. */
    sorted(): Uint32Array {
      if (repair(list, taken, sorting)) number(list.slots)
      return list.slots
    },
  }
}

/** The order by name. It is built when it is first used. */
export function createNameOrder(columns: Columns, nameOf: (slot: number) => string, taken: TakenSlots) {
  let list: SortedSlots | undefined
  const sorting = sortingBy((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0))

  function number(slots: Uint32Array): void {
    let group = 0
    let last: string | undefined
    for (const slot of slots) {
      const name = nameOf(slot)
      if (name !== last) group++
      last = name
      columns.nameGroup[slot] = group
    }
  }

  return {
    /** The slot was added, removed, or its name changed. */
    markChanged(slot: number): void {
      if (list) markChanged(list, slot)
    },
    /** Brings `nameGroup` up to date. */
    refresh(): void {
      list ??= createSortedSlots()
      if (repair(list, taken, sorting)) number(list.slots)
    },
  }
}
