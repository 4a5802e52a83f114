// Statements whose parameters have names.
import { expect, it } from 'vitest'
import { namedParameters } from '../../../src/platform/db/named-parameters.ts'
import { createTestDatabase } from '../../support/database.ts'

const { pool } = await createTestDatabase()

it('a repeated name is one parameter, and types and slices keep their colons', async () => {
  const statement = namedParameters({
    text: `select $ids::int[] as ids, ($ids::int[])[$from::int + 1:] as rest, $from::int as "from", $none::text as none`,
    values: { none: undefined, from: 1, ids: [3, 4, 5] },
  })
  expect(statement.text).toBe(
    `select $1::int[] as ids, ($1::int[])[$2::int + 1:] as rest, $2::int as "from", $3::text as none`,
  )
  const { rows } = await pool.query(statement)
  expect(rows).toEqual([{ ids: [3, 4, 5], rest: [4, 5], from: 1, none: null }])
})

it('a statement with a name is prepared once per connection, with any values', async () => {
  const client = await pool.connect()
  try {
    for (const word of ['first', 'second'])
      await client.query(namedParameters({ name: 'test-words', text: 'select $word::text', values: { word } }))
    const { rows } = await client.query(`select generic_plans + custom_plans as runs from pg_prepared_statements`)
    expect(rows).toEqual([{ runs: 2 }])
  } finally {
    client.release()
  }
})

it('a parameter without a value, a value without a parameter and a position are mistakes', () => {
  const statement = (text: string, values: Record<string, unknown>) => () => namedParameters({ text, values })
  expect(statement('select $id, $name', { id: 1 })).toThrow('$name is not both a parameter and a value')
  expect(statement('select $id', { id: 1, name: 'x' })).toThrow('$name is not both a parameter and a value')
  expect(statement('select $toString', {})).toThrow('$toString is not both')
  expect(statement('select $id, $2', { id: 1 })).toThrow('has one by position')
})
