// A worker whose database connections are cut repeatedly sends and records everything.
import { expect, it } from 'vitest'
import { startProcess } from '../../support/processes.ts'
import { createWorld, startReceiver } from './support.ts'

it('a worker that keeps losing its database loses no delivery', async () => {
  const world = await createWorld()
  const receiver = await startReceiver((_, res) => setTimeout(() => res.writeHead(204).end(), 20))
  const endpoints = await Promise.all(Array.from({ length: 10 }, (_, n) => world.addEndpoint(`${receiver.url}/${n}`)))
  const worker = await startProcess('workers/main.ts', world.url, { LOG_LEVEL: 'fatal' })
  const ids: string[] = []
  let cuts = 0
  for (let round = 0; round < 30; round++) {
    for (const { serverId } of endpoints) ids.push(await world.queue(serverId))
    const { rowCount } = await world.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name like 'worker%'`,
    )
    cuts += rowCount ?? 0
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  expect(cuts).toBeGreaterThan(30)
  await expect.poll(() => world.count('pending'), { timeout: 180_000, interval: 200 }).toBe(0)
  expect(await world.count('delivered')).toBe(ids.length)
  expect(new Set(receiver.ids())).toEqual(new Set(ids))
  for (const [n] of endpoints.entries()) expect(receiver.mostAtOnce(`/${n}`)).toBe(1)
  expect(worker.running()).toBe(true)
}, 240_000)
