// Declares one test for each promise.
import { describe, expect, test } from 'vitest'
import type { RowOf, Section } from './rows.ts'

/** What the row promises, as a sentence, and the function that checks it. */
export type RowTest = [sentence: string, check: () => Promise<void> | void, timeoutMs?: number]

/** Tests the rows of a section, in their order. A missing row is also a type error. */
export function section<S extends Section>(name: S, tests: Record<RowOf<S>, RowTest>): void {
  describe(name, () => {
    for (const [row, [sentence, check, timeoutMs]] of Object.entries<RowTest>(tests))
      test(`${row}: ${sentence}`, check, timeoutMs)
  })
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
