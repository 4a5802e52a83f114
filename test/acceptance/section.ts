// Declares one test for each promise, and records which promises have one.
import { describe, expect, test } from 'vitest'
import { ROWS, type RowOf, type Section } from './rows.ts'

/** What the row promises, as a sentence, and the function that checks it. */
export type RowTest = [sentence: string, check: () => Promise<void> | void, timeoutMs?: number]

const tested = new Map<Section, Set<string>>()

/** Tests the rows of a section, in their order. A missing row is also a type error. */
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

/** Expects exactly these fields. */
export function expectFields(body: object | undefined, fields: readonly string[]): void {
  expect(Object.keys(body ?? {}).sort()).toEqual([...fields].sort())
}

/** Makes a value that several tests share at its first use, so that a skipped section does not make it. */
export function onceNeeded<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
