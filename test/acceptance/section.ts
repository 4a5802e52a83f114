// One test a row of the interface, and the record of which rows have one.
import { describe, expect, test } from 'vitest'
import { ROWS, type RowOf, type Section } from './rows.ts'

/** What the row promises, as a sentence, and how it is seen to be so. */
export type RowTest = [sentence: string, check: () => Promise<void> | void, timeoutMs?: number]

const tested = new Map<Section, Set<string>>()

/** Tests the rows of a section, in their order. One that is missing here is also an error of types. */
export function section<S extends Section>(name: S, tests: Record<RowOf<S>, RowTest>): void {
  const entries = Object.entries(tests) as [string, RowTest][]
  tested.set(name, new Set(entries.map(([row]) => row)))
  describe(name, () => {
    for (const [row, [sentence, check, timeoutMs]] of entries) test(`${row}: ${sentence}`, check, timeoutMs)
  })
}

/** @returns rows that no section tests, as `section: row` */
export function untestedRows(): string[] {
  return Object.entries(ROWS).flatMap(([name, rows]) =>
    rows.filter((row) => !tested.get(name as Section)?.has(row)).map((row) => `${name}: ${row}`),
  )
}

/** Exactly these, no more and no fewer. */
export function expectFields(body: object | undefined, fields: readonly string[]): void {
  expect(Object.keys(body ?? {}).sort()).toEqual([...fields].sort())
}

/** What several tests look at: made when the first needs it, so that a section that is not run costs nothing. */
export function onceNeeded<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
