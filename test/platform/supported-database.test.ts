// Unsuitable databases are refused before anything is written to them, with what to do.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { expect, inject, it, onTestFinished } from 'vitest'
import { describeDatabaseError } from '../../src/platform/db/advice.ts'
import { migrate } from '../../src/platform/db/migrate.ts'
import { type DatabaseFacts, requireSupported } from '../../src/platform/db/supported-database.ts'
import { testLog } from '../support/database.ts'

async function ask(url: string, ...statements: string[]): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const results: unknown[] = []
    for (const statement of statements)
      results.push(...(await client.query({ text: statement, rowMode: 'array' })).rows)
    return results.flat()
  } finally {
    await client.end()
  }
}

/** @returns the URL of a new database, dropped with the test */
async function create(options = ''): Promise<{ name: string; url: string }> {
  const server = inject('postgresUrl')
  const name = `suitable_${randomBytes(6).toString('hex')}`
  await ask(server, `create database ${name} ${options}`)
  onTestFinished(async () => void (await ask(server, `drop database ${name} with (force)`)))
  return { name, url: server.replace(/\/postgres$/, `/${name}`) }
}

const TABLES = `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`

it('a database with another program’s tables is refused and left unchanged', async () => {
  const { name, url } = await create()
  await ask(url, 'create table users (id integer)', 'create table posts (id integer)')
  await expect(migrate({ url, log: testLog })).rejects.toThrow(
    `database ${name} contains tables of another program (posts, users): set DATABASE_URL to an empty one`,
  )
  expect((await ask(url, TABLES)).sort()).toEqual(['posts', 'users'])
})

it('a database whose encoding can’t store every name is refused', async () => {
  const { url } = await create(`encoding 'LATIN1' locale 'C' template template0`)
  await expect(migrate({ url, log: testLog })).rejects.toThrow(
    /^its encoding LATIN1 can’t store every name: .*createdb/,
  )
  expect(await ask(url, TABLES)).toEqual([])
})

const FIRST = '0001_directory'
const EMPTY: DatabaseFacts = { version: 180_004, encoding: 'UTF8', database: 'd', tables: [], migrations: [] }

it.each<[string, Partial<DatabaseFacts>, string | undefined]>([
  ['an empty one', {}, undefined],
  ['the oldest that is supported', { version: 150_000 }, undefined],
  ['one before that', { version: 140_017 }, 'PostgreSQL 14 is too old: move to PostgreSQL 15 to 18'],
  ['one whose first migration was interrupted', { tables: ['_prisma_migrations'] }, undefined],
  ['one of ours', { tables: ['_prisma_migrations', 'servers'], migrations: [FIRST, '0002_people'] }, undefined],
  [
    'another program that uses Prisma',
    { tables: ['_prisma_migrations', 'a', 'b', 'c', 'e'], migrations: ['20260101_init'] },
    'database d contains tables of another program (a, b, c, …): set DATABASE_URL to an empty one',
  ],
])('%s', (_what, facts, complaint) => {
  const check = () => requireSupported({ ...EMPTY, ...facts }, FIRST)
  if (complaint) expect(check).toThrow(complaint)
  else expect(check).not.toThrow()
})

it('an unreachable database is reported with what to do', async () => {
  const server = new URL(inject('postgresUrl'))
  const report = async (change: (url: URL) => void) => {
    const url = new URL(server)
    change(url)
    return await migrate({ url: url.href, log: testLog }).then(() => 'it was migrated', describeDatabaseError)
  }
  expect(await report((url) => (url.pathname = '/nowhere'))).toBe(
    'database "nowhere" does not exist: create it with `createdb`, or fix DATABASE_URL',
  )
  expect(await report((url) => (url.password = 'wrong'))).toBe(
    'password authentication failed for user "postgres": fix the user and password in DATABASE_URL',
  )
  expect(await report((url) => (url.port = '1'))).toBe(
    'connect ECONNREFUSED 127.0.0.1:1: start it, fix DATABASE_URL, or unset DATABASE_URL to use the embedded database',
  )
  expect(describeDatabaseError(new Error('timeout expired'))).toContain('start it, fix DATABASE_URL')
  expect(describeDatabaseError(new Error('something else'))).toBe('something else')
})
