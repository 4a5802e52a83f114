import pg from 'pg'
import { describe, expect, inject, it } from 'vitest'
import { migrate, pendingMigrations } from '../../src/platform/db/migrate.ts'
import { createTestDatabase, testLog } from '../support/database.ts'

describe('migrate', () => {
  it('has nothing left to do on a migrated database', async () => {
    const { url, pool } = await createTestDatabase()
    expect(await migrate({ url, log: testLog })).toEqual([])
    expect(await pendingMigrations(pool)).toEqual([])
  })

  it('is applied once when several processes start at once', async () => {
    const serverUrl = inject('postgresUrl')
    const client = new pg.Client({ connectionString: serverUrl })
    await client.connect()
    await client.query('create database migrate_race')
    const url = serverUrl.replace(/\/postgres$/, '/migrate_race')
    const applied = await Promise.all(Array.from({ length: 5 }, () => migrate({ url, log: testLog })))
    expect(applied.flat()).toEqual(['0001_directory'])
    await client.query('drop database migrate_race with (force)')
    await client.end()
  })
})
