// The comparison of declared rows with PostgreSQL's columns reports each kind of mistake.
import { expect, it } from 'vitest'
import { differences } from '../support/statements/compare.ts'
import { readDeclaredRows } from '../support/statements/declared.ts'
import type { Column } from '../support/statements/record.ts'

const TEXT = 25
const INTEGER = 23
const TIMESTAMP = 1184
const column = (name: string, type: number, fields: Partial<Column> = {}): Column => ({
  name,
  type,
  table: 0,
  column: 0,
  wasNull: false,
  ...fields,
})
const compare = (columns: Column[], isNullable: (table: number) => boolean | undefined = () => undefined) =>
  differences(
    {
      id: { kinds: ['string'], nullable: false },
      votes: { kinds: ['number'], nullable: false },
      endedAt: { kinds: ['date'], nullable: true },
    },
    { at: 'a statement', columns },
    isNullable,
  )
const good = [column('id', TEXT), column('votes', INTEGER), column('endedAt', TIMESTAMP, { wasNull: true })]

it('a row that matches its declaration has no difference', () => {
  expect(compare(good)).toEqual([])
})

it('a wrong alias is reported on both sides', () => {
  const [, ...others] = good
  expect(compare([column('Id', TEXT), ...others])).toEqual([
    'declares "id", which the statement does not return',
    'returns "Id", which its row type does not declare',
  ])
})

it('a different type is reported', () => {
  const [id, , endedAt] = good
  expect(compare([id, column('votes', TEXT), endedAt] as Column[])).toEqual([
    'declares "votes" as number, and it is string',
  ])
})

it('a null value is reported, and so is a nullable column without one', () => {
  const [, votes, endedAt] = good as [Column, Column, Column]
  expect(compare([column('id', TEXT, { wasNull: true }), votes, endedAt])).toEqual([
    'declares "id" as never null, and it was null',
  ])
  expect(compare([column('id', TEXT, { table: 1, column: 1 }), votes, endedAt], (table) => table === 1)).toEqual([
    'declares "id" as never null, and its column may be null',
  ])
})

// TypeScript checks the program for it: seconds on an idle machine, more than a minute on a busy one.
it('rows are read from the source: names, kinds and nullability', { timeout: 240_000 }, () => {
  const file = 'src/features/favorites/favorites.store.ts'
  const [at, declared] = [...readDeclaredRows([file])].find(([at]) => at.startsWith(file)) ?? []
  expect(at).toMatch(/:\d+$/)
  expect(declared).toEqual({
    id: { kinds: ['string'], nullable: false },
    userId: { kinds: ['string'], nullable: false },
    serverId: { kinds: ['string'], nullable: false },
    createdAt: { kinds: ['date'], nullable: false },
  })
})
