// The time of a key's last use: visible soon, written rarely, and without delaying a request.
import { expect, test, vi } from 'vitest'
import { updateLastUsed } from '../../../src/features/api-keys/api-keys.sql.ts'
import { createUsageRecorder } from '../../../src/features/api-keys/usage-recorder.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'
import { bearer, type Created, createKey, listKeys } from './support.ts'

const one = await startTestApi()
const other = await startTestApi({ database: one.database })
const { pool } = one.database

const use = (api: typeof one, key: Created) => api.request('/api/public/stats', { headers: bearer(key) })

/** Changes with each write of the row. */
async function rowOf({ id }: Created): Promise<{ version: string; lastUsedAt: Date | null }> {
  const { rows } = await pool.query<{ version: string; lastUsedAt: Date | null }>(
    'select xmin::text as version, last_used_at as "lastUsedAt" from api_keys where id = $1',
    [id],
  )
  return rows[0] ?? { version: '', lastUsedAt: null }
}

const enterprise = () => addPerson(pool, { tier: 'enterprise' })

test('a use is visible soon; many uses in a minute, in two processes, are one write', async () => {
  const owner = await enterprise()
  const key = await createKey(one, owner)
  const before = Date.now()
  await use(one, key)
  await vi.waitFor(async () => expect((await rowOf(key)).lastUsedAt).not.toBeNull(), { timeout: 10_000 })
  const [listed] = await listKeys(one, owner)
  expect(Math.abs(Date.parse(String(listed?.lastUsedAt)) - before)).toBeLessThan(60_000)

  const written = await rowOf(key)
  for (let n = 0; n < 30; n++) await use(n % 2 ? one : other, key)
  const marker = await createKey(one, owner)
  await use(one, marker)
  await use(other, marker)
  // The marker was used after the key, so the key's uses are recorded once it is written.
  await vi.waitFor(async () => expect((await rowOf(marker)).lastUsedAt).not.toBeNull(), { timeout: 10_000 })
  expect(await rowOf(key)).toEqual(written)
})

test('a minute later it is written again, once', async () => {
  const owner = await enterprise()
  const key = await createKey(one, owner)
  await pool.query(`update api_keys set last_used_at = now() - interval '61 seconds' where id = $1`, [key.id])
  const old = await rowOf(key)
  await Promise.all(Array.from({ length: 20 }, (_, n) => use(n % 2 ? one : other, key)))
  await vi.waitFor(async () => expect((await rowOf(key)).version).not.toBe(old.version), { timeout: 10_000 })
  expect((await rowOf(key)).lastUsedAt?.getTime()).toBeGreaterThan((old.lastUsedAt?.getTime() ?? 0) + 60_000)
})

test('the statement writes a key at most once a minute, in any order and concurrently', async () => {
  const key = await createKey(one, await enterprise())
  const start = Date.parse('2026-11-20T12:00:00.000Z')
  const written: number[] = []
  for (const seconds of [0, 1, 30, 59, 60, 61, 90, 30, 0, 119, 120, 300]) {
    const { version } = await rowOf(key)
    const at = new Date(start + seconds * 1000)
    await Promise.all([1, 2, 3].map(() => updateLastUsed(pool, [{ keyId: key.id, at }])))
    const after = await rowOf(key)
    if (after.version !== version) written.push(seconds)
    expect(after.lastUsedAt?.getTime()).toBe(start + (written.at(-1) ?? 0) * 1000)
  }
  expect(written).toEqual([0, 60, 120, 300])
})

test('a failed request is not a use', async () => {
  const key = await createKey(one, await enterprise())
  const wrong = { ...key, secret: 'x'.repeat(43) }
  expect((await use(one, wrong)).status).toBe(401)
  const marker = await createKey(one, await enterprise())
  await use(one, marker)
  await vi.waitFor(async () => expect((await rowOf(marker)).lastUsedAt).not.toBeNull(), { timeout: 10_000 })
  expect((await rowOf(key)).lastUsedAt).toBeNull()
})

test('a process that stops writes its pending uses', async () => {
  const stopping = await startTestApi({ database: one.database })
  const key = await createKey(stopping, await enterprise())
  await use(stopping, key)
  await stopping.stop()
  expect((await rowOf(key)).lastUsedAt).not.toBeNull()
})

test('uses of one key share a write; a failed write is dropped, and the next succeeds', async () => {
  const batches: string[][] = []
  let isDown = true
  const usage = createUsageRecorder({
    gatherMs: 0,
    log: testLog,
    async write(uses) {
      batches.push(uses.map(({ keyId }) => keyId))
      if (isDown) throw new Error('the database is down')
    },
  })
  for (const keyId of ['a', 'b', 'a', 'a']) usage.record({ keyId, at: new Date() })
  await expect.poll(() => batches).toEqual([['a', 'b']])
  isDown = false
  usage.record({ keyId: 'c', at: new Date() })
  await usage.stop()
  expect(batches).toEqual([['a', 'b'], ['c']])
})
