// Removing servers: what is deleted with them, what stays, and unknown ids.
import { expect, test } from 'vitest'
import { removeServer, removeServerAndNotify } from '../../../src/features/server-removal/index.ts'
import { createServers } from '../../../src/features/servers/index.ts'
import { inTransaction } from '../../../src/platform/db/pool.ts'
import { createTestDatabase } from '../../support/database.ts'

const { pool } = await createTestDatabase()
const servers = createServers({ pool })
const LISTING = { name: 'An island', ipAddress: '192.0.2.1', gamePort: 7777, queryPort: 27_015 }

async function addWithEndpoint(): Promise<string> {
  const { id } = await servers.add(LISTING)
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret)
     values (gen_random_uuid(), $1, 'encrypted', '{vote.created}', 'encrypted')`,
    [id],
  )
  return id
}

const countOf = async (table: string, id: string) =>
  (await pool.query(`select from ${table} where server_id = $1`, [id])).rowCount

test('a removed server stays for the change feed, without poll and endpoints, and its address is free again', async () => {
  const id = await addWithEndpoint()
  expect([await countOf('server_polls', id), await countOf('endpoints', id)]).toEqual([1, 1])
  expect(await removeServerAndNotify(pool, id)).toBe(true)
  expect(await removeServerAndNotify(pool, id)).toBe(false)
  const { rows } = await pool.query('select deleted_at is not null as deleted from servers where id = $1', [id])
  expect(rows).toEqual([{ deleted: true }])
  expect([await countOf('server_polls', id), await countOf('endpoints', id)]).toEqual([0, 0])
  const again = await servers.add(LISTING)
  expect(await servers.list()).toMatchObject([{ id: again.id }])
  await removeServerAndNotify(pool, again.id)
})

test('a removal that is rolled back leaves the endpoints', async () => {
  const id = await addWithEndpoint()
  const failed = inTransaction(pool, async (tx) => {
    expect(await removeServer(tx, id)).toBe(true)
    throw new Error('the request failed')
  })
  await expect(failed).rejects.toThrow('the request failed')
  expect(await servers.list()).toMatchObject([{ id }])
  expect(await countOf('endpoints', id)).toBe(1)
})

test('an unknown or malformed id is not found', async () => {
  expect(await removeServerAndNotify(pool, 'nonsense')).toBe(false)
  expect(await removeServerAndNotify(pool, '019a0000-0000-7000-8000-000000000000')).toBe(false)
})
