// What is left of a deleted account: exactly what docs/SECURITY.md says, found by a search of every table.
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { callerOf } from '../servers/support.ts'
import { addPersonWithEverything } from './support.ts'

const api = await startTestApi()
const { pool } = api.database
const call = callerOf(api)

/** The tables of the section, by the first cell of each row. */
function documentedTables(): string[] {
  const [, section = ''] =
    /## Data kept after account deletion([\s\S]*?)\n## /.exec(fs.readFileSync('docs/SECURITY.md', 'utf8')) ?? []
  const cells = section.split('\n').flatMap((line) => /^\| ([^|]*`[^|]*) \|/.exec(line)?.[1] ?? [])
  return cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name = '']) => name)).sort()
}

/** Tables with a row that contains one of the texts. */
async function tablesWith(texts: string[]): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select relnamespace::regnamespace::text || '.' || relname as name from pg_class
     where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'pgboss')`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rowCount } = await pool.query(`select from ${name} as one where one::text ilike any($1) limit 1`, [
      texts.map((text) => `%${text}%`),
    ])
    if (rowCount) found.push(name.replace(/^public\./, ''))
  }
  return found
}

test('what is left is in the documented tables, and nowhere else', async () => {
  const { person } = await addPersonWithEverything(api)
  const { id } = person
  await pool.query(
    'update users set password_hash = null, username = $2, email = $3, email_verified_at = now() where id = $1',
    [id, `Name of ${id}`, `${id}@example.com`],
  )
  const texts = [id, `platform-${id}`, `cus_${id}`, `Name of ${id}`]
  expect(await tablesWith(texts)).toContain('users')
  expect((await call(person, 'DELETE', '/user', {})).status).toBe(200)
  // Sent long before it leaves the queue.
  await pool.query(`delete from pgboss.job where name = 'mail' and data ->> 'kind' = 'account-access'`)
  expect((await tablesWith(texts)).sort()).toEqual(documentedTables())
  expect(await tablesWith([`platform-${id}`])).toEqual(['votes'])
})
