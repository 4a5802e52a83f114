// Each promise of `test/acceptance/rows.ts` is tested: its section has tests in one file, and a test
// file imports that file.
import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ROWS } from '../acceptance/rows.ts'

const FOLDER = path.resolve(import.meta.dirname, '../acceptance')
const textsOf = (pattern: string) => fs.globSync(pattern, { cwd: FOLDER }).map((file) => ({ file, text: read(file) }))
const read = (file: string) => fs.readFileSync(path.join(FOLDER, file), 'utf8')

it('every section of promises has its tests in one place', () => {
  const declared = textsOf('sections/*.ts').flatMap(({ text }) =>
    Array.from(text.matchAll(/^section\('(.+)', \{/gm), ([, name]) => name),
  )
  expect(declared.toSorted()).toEqual(Object.keys(ROWS).toSorted())
})

it('every section and journey runs once', () => {
  const parts = textsOf('{sections,journeys}/*.ts').flatMap(({ file }) => (file.endsWith('.test.ts') ? [] : [file]))
  const imported = textsOf('*.test.ts').flatMap(({ text }) =>
    Array.from(text.matchAll(/^import '\.\/(.+)'$/gm), ([, file]) => file),
  )
  expect(imported.toSorted()).toEqual(parts.toSorted())
})
