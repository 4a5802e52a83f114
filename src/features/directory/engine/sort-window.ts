// Sorts a few values out of many: a page deep in an order that is not kept.
import { float64At } from './number-at.ts'

/**
 * Sorts the values that belong at the indexes `from` to before `to`, in linear time. Reorders all values.
 * @returns these values, ascending; valid until `values` changes
 */
export function sortWindow(values: Float64Array, from: number, to: number): Float64Array {
  partition(values, from)
  const rest = values.subarray(from)
  partition(rest, to - from)
  return rest.subarray(0, to - from).sort()
}

/** Moves the `count` lowest values to the front (quickselect). */
function partition(values: Float64Array, count: number): void {
  let low = 0
  let high = values.length - 1
  while (low < high) {
    const pivot = medianOf(float64At(values, low), float64At(values, (low + high) >>> 1), float64At(values, high))
    let left = low
    let right = high
    while (left <= right) {
      while (float64At(values, left) < pivot) left++
      while (float64At(values, right) > pivot) right--
      if (left > right) break
      const value = float64At(values, left)
      values[left++] = float64At(values, right)
      values[right--] = value
    }
    // Between `right` and `left` are values that equal the pivot.
    if (count <= right) high = right
    else if (count >= left) low = left
    else return
  }
}

const medianOf = (a: number, b: number, c: number) => Math.max(Math.min(a, b), Math.min(Math.max(a, b), c))
