// One test a row of the interface, and the record of which rows have one.
import { describe, test } from 'vitest'
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
