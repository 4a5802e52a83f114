// The difference that a change made, for the audit log.

export interface Changes<T> {
  before: Partial<T>
  after: Partial<T>
}

/** @returns the fields that differ; undefined if none does. Compares strings, numbers, booleans and null. */
export function changesBetween<T extends object>(before: T, after: T): Changes<T> | undefined {
  const differing = (Object.keys(after) as (keyof T)[]).filter((key) => before[key] !== after[key])
  const take = (from: T) => Object.fromEntries(differing.map((key) => [key, from[key]])) as Partial<T>
  return differing.length ? { before: take(before), after: take(after) } : undefined
}
