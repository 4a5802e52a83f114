// What a change did, as the audit log keeps it.

export interface Changes<T> {
  before: Partial<T>
  after: Partial<T>
}

/** @returns the fields that differ; undefined when none does. Values are compared as they are: texts, numbers, flags and null. */
export function changesBetween<T extends object>(before: T, after: T): Changes<T> | undefined {
  const differing = (Object.keys(after) as (keyof T)[]).filter((key) => before[key] !== after[key])
  const take = (from: T) => Object.fromEntries(differing.map((key) => [key, from[key]])) as Partial<T>
  return differing.length ? { before: take(before), after: take(after) } : undefined
}
