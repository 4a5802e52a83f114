// Many lists of numbers, most of them short, without an object per list: a vocabulary's occurrences.
import { uint32At } from './number-at.ts'

/** Numbers that a pool has space for at first; a pool of longer lists begins with one block. */
const MIN_POOL = 4096

/** A list of n numbers is a block of the smallest power of two that holds them; blocks of one size share an array. */
export function createSlotLists() {
  let sizes = new Uint32Array(1024)
  let starts = new Uint32Array(1024)
  const pools: { values: Uint32Array; used: number; free: number[] }[] = []
  const NOTHING = new Uint32Array(0)

  /** 0 also for a list that no number was ever added to. */
  const sizeOf = (list: number) => sizes[list] ?? 0

  /** The exponent of the block of a list with that many numbers. */
  const exponentOf = (size: number) => 32 - Math.clz32(size - 1)

  function poolOf(exponent: number) {
    pools[exponent] ??= { values: new Uint32Array(Math.max(MIN_POOL, 1 << exponent)), used: 0, free: [] }
    return pools[exponent]
  }

  function allocate(exponent: number): number {
    const pool = poolOf(exponent)
    const start = pool.free.pop() ?? pool.used
    if (start < pool.used) return start
    pool.used += 1 << exponent
    if (pool.used > pool.values.length) {
      const larger = new Uint32Array(Math.ceil((pool.values.length * 1.25) / (1 << exponent)) << exponent)
      larger.set(pool.values)
      pool.values = larger
    }
    return start
  }

  /** Moves a list to a block for another size. @param kept how many of its numbers move */
  function move(list: number, from: number, to: number, kept: number): void {
    const start = allocate(to)
    const source = poolOf(from)
    const before = uint32At(starts, list)
    poolOf(to).values.set(source.values.subarray(before, before + kept), start)
    source.free.push(before)
    starts[list] = start
  }

  /** @returns the numbers, unordered and read-only; valid until a list changes */
  function valuesOf(list: number): Uint32Array {
    const size = sizeOf(list)
    if (size === 0) return NOTHING
    const start = uint32At(starts, list)
    return poolOf(exponentOf(size)).values.subarray(start, start + size)
  }

  return {
    /** Adds a number to a list. Numbers must not be added twice. */
    add(list: number, value: number): void {
      if (list >= sizes.length) {
        const grown = (numbers: Uint32Array) => {
          const larger = new Uint32Array(Math.max(list + 1, Math.ceil(numbers.length * 1.25)))
          larger.set(numbers)
          return larger
        }
        sizes = grown(sizes)
        starts = grown(starts)
      }
      const size = uint32At(sizes, list)
      const exponent = exponentOf(size + 1)
      if (size === 0) starts[list] = allocate(exponent)
      else if (exponent !== exponentOf(size)) move(list, exponentOf(size), exponent, size)
      poolOf(exponent).values[uint32At(starts, list) + size] = value
      sizes[list] = size + 1
    },
    /** Removes a number that was added. @returns whether the list is empty now */
    remove(list: number, value: number): boolean {
      const values = valuesOf(list)
      const at = values.indexOf(value)
      if (at === -1) return values.length === 0
      const left = values.length - 1
      values[at] = uint32At(values, left)
      const exponent = exponentOf(left + 1)
      if (left === 0) poolOf(exponent).free.push(uint32At(starts, list))
      else if (exponentOf(left) !== exponent) move(list, exponent, exponentOf(left), left)
      sizes[list] = left
      return left === 0
    },
    valuesOf,
    sizeOf,
  }
}
