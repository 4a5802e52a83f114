// Migrations: applied once, atomically, despite other sessions' locks, and compatible with Prisma's bookkeeping.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { MIGRATIONS, migrate, pendingMigrations } from '../../src/platform/db/migrate.ts'
import { createTestDatabase, testLog } from '../support/database.ts'

const scratch = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-migrate-'))
afterAll(() => fs.rmSync(scratch, { recursive: true, force: true }))

const committed = fs
  .readdirSync(MIGRATIONS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
  .sort()

/** A folder with the committed migrations and additional ones. */
function folderWith(more: Record<string, string>): string {
  const folder = fs.mkdtempSync(path.join(scratch, 'migrations-'))
  fs.cpSync(MIGRATIONS, folder, { recursive: true })
  for (const [name, sql] of Object.entries(more)) {
    fs.mkdirSync(path.join(folder, name), { recursive: true })
    fs.writeFileSync(path.join(folder, name, 'migration.sql'), sql)
  }
  return folder
}

async function columnsOf(pool: pg.Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query('select column_name from information_schema.columns where table_name = $1', [table])
  return rows.map((row: { column_name: string }) => row.column_name)
}

describe('migrate', () => {
  it('does nothing on a migrated database', async () => {
    const { url, pool } = await createTestDatabase()
    expect(await migrate({ url, log: testLog })).toEqual([])
    expect(await pendingMigrations(pool)).toEqual([])
  })

  it('applies migrations once when five processes start at once', async () => {
    const serverUrl = inject('postgresUrl')
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query('create database migrate_race')
    const url = serverUrl.replace(/\/postgres$/, '/migrate_race')
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate({ url, log: testLog })))
    expect(applied.flat()).toEqual(committed)
    await client.query('drop database migrate_race with (force)')
    await client.end()
  })

  it('releases its locks while another session holds one, and succeeds once that is released', async () => {
    const { url, pool } = await createTestDatabase()
    const folder = folderWith({ '9000_colour': 'alter table servers add column colour text;\n' })
    const holder = await pool.connect()
    await holder.query('begin; lock table servers in access exclusive mode')
    const attempts: number[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => attempts.push(JSON.parse(line).attempt) })

    const migrating = migrate({ url, log, folder, lockTimeoutMs: 50 })
    await expect.poll(() => attempts.length).toBeGreaterThan(0)
    await holder.query('rollback')
    holder.release()

    expect(await migrating).toEqual(['9000_colour'])
    expect(attempts[0]).toBe(1)
    expect(await columnsOf(pool, 'servers')).toContain('colour')
  })

  it('fails in the end, naming the migration and the lock', async () => {
    const { url, pool } = await createTestDatabase()
    const folder = folderWith({ '9000_colour': 'alter table servers add column colour text;\n' })
    const holder = await pool.connect()
    await holder.query('begin; lock table servers in access exclusive mode')
    await expect(migrate({ url, log: testLog, folder, lockTimeoutMs: 20, tries: 2 })).rejects.toThrow(
      'migration 9000_colour: canceling statement due to lock timeout',
    )
    await holder.query('rollback')
    holder.release()
    expect(await columnsOf(pool, 'servers')).not.toContain('colour')
  })

  it('rolls back a migration that fails half-way, and applies its fixed form', async () => {
    const { url, pool } = await createTestDatabase()
    const half = 'create table half (id int);\nalter table nowhere add column x int;\n'
    const folder = folderWith({ '9000_half': half })
    await expect(migrate({ url, log: testLog, folder })).rejects.toThrow('migration 9000_half: relation "nowhere"')
    expect(await columnsOf(pool, 'half')).toEqual([])
    expect(await pendingMigrations(pool, folder)).toEqual(['9000_half'])

    fs.writeFileSync(path.join(folder, '9000_half/migration.sql'), 'create table half (id int);\n')
    expect(await migrate({ url, log: testLog, folder })).toEqual(['9000_half'])
  })

  it('runs a statement outside a transaction when the migration says so', async () => {
    const { url, pool } = await createTestDatabase()
    const sql = '-- no-transaction\ncreate index concurrently servers_map_idx on server_status (map);\n'
    const folder = folderWith({ '9000_index': sql })
    expect(await migrate({ url, log: testLog, folder })).toEqual(['9000_index'])
    expect(await pendingMigrations(pool, folder)).toEqual([])
  })

  it('creates an index concurrently again after an attempt was interrupted, and beside waiting migrations', async () => {
    const { url, pool } = await createTestDatabase()
    const sql = '-- no-transaction\ncreate index concurrently servers_map_idx on server_status (map);\n'
    const folder = folderWith({ '9000_index': sql })
    await pool.query('create index servers_map_idx on server_status (map)')
    await pool.query(`update pg_index set indisvalid = false where indexrelid = 'servers_map_idx'::regclass`)
    // As an earlier release waits for its turn.
    const earlier = new pg.Client({ connectionString: url })
    await earlier.connect()
    const all = Array.from({ length: 3 }, () => migrate({ url, log: testLog, folder }))
    const waiting = earlier.query('select pg_advisory_lock(72707369)').then(() => earlier.end())
    await waiting.catch(() => earlier.end()) // PostgreSQL may choose it to end the deadlock
    expect((await Promise.all(all)).flat()).toEqual(['9000_index'])
    const { rows } = await pool.query(`select indisvalid from pg_index where indexrelid = 'servers_map_idx'::regclass`)
    expect(rows).toEqual([{ indisvalid: true }])
  })

  it('names a migration that was edited after it was applied', async () => {
    const { url } = await createTestDatabase()
    const folder = folderWith({ '9000_colour': 'alter table servers add column colour text;\n' })
    await migrate({ url, log: testLog, folder })
    fs.appendFileSync(path.join(folder, '9000_colour/migration.sql'), '-- and a thought\n')
    await expect(migrate({ url, log: testLog, folder })).rejects.toThrow('9000_colour was edited after it was applied')
  })

  it('continues a database of a development version, whose migrations were split before the release', async () => {
    const { url, pool } = await createTestDatabase()
    const parts = ['0046_standings_games', '0047_standings_places', '0050_standings_places_in_game']
    parts.push('0051_standings_unranked', '0062_moderators')
    await pool.query('delete from _prisma_migrations where migration_name = any($1)', [parts])
    const former = {
      '0043_standings': '208f8e7acf17f4a02c482039b04a0f8d7f580d18abbb982a8253d69f59b875ea',
      '0066_roles_and_sessions': '6ecde72a1d5620c32cad31c2ccd1e03b4549c5ba07376ce4b8f2531cbee6e7ed',
    }
    for (const [name, checksum] of Object.entries(former))
      await pool.query('update _prisma_migrations set checksum = $2 where migration_name = $1', [name, checksum])
    expect(await migrate({ url, log: testLog })).toEqual(parts)
    expect(await migrate({ url, log: testLog })).toEqual([])
    const { rows } = await pool.query(
      `select indexrelid::regclass::text as index from pg_index
       where indrelid = 'server_vote_months'::regclass and indisvalid and not indisprimary order by 1`,
    )
    expect(rows.map(({ index }) => index)).toEqual([
      'server_vote_months_month_game_place_in_game_server_id_idx',
      'server_vote_months_month_place_server_id_idx',
      'server_vote_months_unranked_idx',
    ])
  })

  it('names an applied migration that is missing on disk', async () => {
    const { url } = await createTestDatabase()
    const one = { '9000_colour': 'alter table servers add column colour text;\n' }
    const two = { '9001_size': 'alter table servers add column size text;\n' }
    await migrate({ url, log: testLog, folder: folderWith({ ...one, ...two }) })
    await expect(migrate({ url, log: testLog, folder: folderWith(two) })).rejects.toThrow(
      'applied migration 9000_colour is not on disk',
    )
  })

  it('accepts a database with migrations of a newer release', async () => {
    const { url, pool } = await createTestDatabase()
    const newer = folderWith({ '9000_colour': 'alter table servers add column colour text;\n' })
    await migrate({ url, log: testLog, folder: newer })
    expect(await migrate({ url, log: testLog })).toEqual([])
    expect(await pendingMigrations(pool)).toEqual([])
  })
})
