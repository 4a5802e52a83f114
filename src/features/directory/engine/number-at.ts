// Reads numbers of typed arrays. `array[index]` is undefined out of range, and arithmetic with it is silently wrong.
// One function for each kind of array, because V8 compiles a read for the kinds that its function has seen: with one
// for three kinds a query took 1.4 times as long, and with one for six the loops over sets 20 times. Hot loops that
// call them are not inside a `for…of`, where they take twice as long (`intersectionOf`).

/** @throws RangeError if the array has no such index, as all of these */
export function int32At(array: Int32Array, index: number): number {
  const value = array[index]
  return value === undefined ? outOfRange(array, index) : value
}

export function uint32At(array: Uint32Array, index: number): number {
  const value = array[index]
  return value === undefined ? outOfRange(array, index) : value
}

export function float64At(array: Float64Array, index: number): number {
  const value = array[index]
  return value === undefined ? outOfRange(array, index) : value
}

export function int16At(array: Int16Array | Uint16Array, index: number): number {
  const value = array[index]
  return value === undefined ? outOfRange(array, index) : value
}

/** Reads a column whose kind of array depends on the query. */
export function numberAt(array: Int32Array | Uint32Array | Float64Array, index: number): number {
  const value = array[index]
  return value === undefined ? outOfRange(array, index) : value
}

function outOfRange({ length }: { length: number }, index: number): never {
  throw new RangeError(`index ${index} is out of range: the array has ${length} numbers`)
}
