// The worker's poller finds wipes: directory and history get each wipe once, with the poll that found it.
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import type { PollBatch } from '../../../src/features/polling/index.ts'
import { createPoller } from '../../../workers/polling/poller.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { createTestDirectory } from './support.ts'

const directory = await createTestDirectory()
const { pool } = directory
const api = await startTestApi({ database: directory, settings: { ALLOW_PRIVATE_TARGETS: 'true' } })
const poller = createPoller(api.deps, { batchesAtOnce: 1 })
afterAll(() => poller.close())

const polled = (batch: PollBatch) => poller.handle(batch, new AbortController().signal)
async function poll(cycles = 1): Promise<PollBatch[]> {
  const batches: PollBatch[] = []
  for (let cycle = 0; cycle < cycles; cycle++) {
    const claimed = await directory.takeBatches()
    for (const batch of claimed) await polled(batch)
    batches.push(...claimed)
  }
  return batches
}

/** Lists a Rust server whose owner subscribes to wipe notifications, with a webhook for wipes. */
async function listRust(bornAt: Date) {
  const server = await startSimulatedServer({ info: { map: 'Procedural Map', keywords: keywordOf(bornAt) } })
  onTestFinished(() => server.close())
  const [id = ''] = await directory.list([{ ...server, game: 'rust' }])
  onTestFinished(async () => {
    await pool.query('update servers set deleted_at = now() where id = $1', [id])
    await api.directory.refresh()
  })
  await pool.query('update servers set owner_id = $2 where id = $1', [id, (await addPerson(pool)).id])
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'https://a.example/', '{server.wiped}', '')`,
    [id],
  )
  await api.directory.refresh()
  return { id, server }
}

const keywordOf = (bornAt: Date) => `mp100,cp3,born${bornAt.getTime() / 1000}`
const hoursAgo = (hours: number) => new Date((Math.floor(Date.now() / 1000) - hours * 3600) * 1000)
const read = async (path: string) => (await api.request(`/api/servers${path}`)).json()
const justWiped = async () =>
  ((await read('?justWiped=true')) as { servers: { id: string }[] }).servers.map(({ id }) => id)
const wipesOf = async (id: string) =>
  ((await read(`/${id}/wipe-history`)) as { wipes: { wipedAt: string; kind: string; source: string }[] }).wipes
async function newsOf(id: string) {
  const { rows } = await pool.query<{ deliveries: number; notices: number }>(
    `select (select count(*) from endpoint_deliveries where endpoint_id = $1) as deliveries,
       (select count(*) from pgboss.job where name = 'notify' and data ->> 'serverId' = $1::text
         and data ->> 'event' = 'serverWiped') as notices`,
    [id],
  )
  return rows[0]
}

test('a new world appears as just wiped in the directory, with one wipe, one delivery and one notification', async () => {
  const { id, server } = await listRust(hoursAgo(500))
  await poll(2)
  expect([await justWiped(), await wipesOf(id)]).toEqual([[], []])
  await pool.query(`update server_wipe_signs set changed_at = now() - interval '3 hours'`)
  const bornAt = hoursAgo(1)
  server.info.keywords = keywordOf(bornAt)
  await poll()
  await expect.poll(justWiped).toEqual([id])
  await poll(2)
  expect(await wipesOf(id)).toMatchObject([{ wipedAt: bornAt.toISOString(), kind: 'map', source: 'detected' }])
  expect(await newsOf(id)).toEqual({ deliveries: 1, notices: 1 })
})

test('the batch that found it, run three times at once and then again, counts it once', async () => {
  const { id, server } = await listRust(hoursAgo(500))
  await poll()
  server.info.keywords = keywordOf(hoursAgo(2))
  const [batch] = await directory.takeBatches()
  if (!batch) throw new Error('nothing was claimed')
  await Promise.all([polled(batch), polled(batch), polled(batch)])
  await polled(batch)
  expect(await wipesOf(id)).toHaveLength(1)
  expect(await newsOf(id)).toEqual({ deliveries: 1, notices: 1 })
  expect((await directory.status(id)).samples).toBe(2)
})

test('a poll whose transaction fails stores neither wipe nor fingerprint, and the next poll finds the wipe', async () => {
  const { id, server } = await listRust(hoursAgo(500))
  await poll()
  server.info.keywords = keywordOf(hoursAgo(3))
  await pool.query(`alter table wipes add constraint full_disk check (server_id <> '${id}')`)
  const [batch] = await directory.takeBatches()
  if (!batch) throw new Error('nothing was claimed')
  await expect(polled(batch)).rejects.toThrow('full_disk')
  expect([await wipesOf(id), await newsOf(id)]).toEqual([[], { deliveries: 0, notices: 0 }])
  await pool.query('alter table wipes drop constraint full_disk')
  await polled(batch)
  expect(await wipesOf(id)).toHaveLength(1)
  expect(await newsOf(id)).toEqual({ deliveries: 1, notices: 1 })
})

test('a server that was down and returns with its world, or an older one, was not wiped', async () => {
  const { id, server } = await listRust(hoursAgo(500))
  await poll()
  server.faults.silent = true
  await poll()
  expect((await directory.status(id)).consecutiveFailures).toBe(1)
  server.faults.silent = false
  await poll()
  server.info.keywords = keywordOf(hoursAgo(600))
  await poll(2)
  expect(await directory.status(id)).toMatchObject({ isOnline: true, consecutiveFailures: 0 })
  expect([await wipesOf(id), await justWiped()]).toEqual([[], []])
})
