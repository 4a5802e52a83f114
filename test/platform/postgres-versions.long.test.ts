// The oldest supported PostgreSQL, if one is installed: migrate, list, follow changes and poll.
import { expect, it, onTestFinished, vi } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { testLog } from '../support/database.ts'
import { findPostgres, startInstalledPostgres } from '../support/installed-postgres.ts'
import { startProcess } from '../support/processes.ts'

const OLDEST = 15
it(`PostgreSQL ${OLDEST}: migrates, lists, follows changes and is polled from`, async ({ skip }) => {
  const programs = findPostgres([OLDEST])
  if (!programs) {
    console.log(`skipped: no PostgreSQL ${OLDEST} is installed on this machine`)
    return skip()
  }
  const url = await startInstalledPostgres(programs)
  const pool = createPool({ url, max: 3, applicationName: 'test', log: testLog })
  onTestFinished(() => pool.end())
  expect((await prepareDatabase({ DATABASE_URL: url }, testLog)).length).toBeGreaterThan(0)
  expect(await prepareDatabase({ DATABASE_URL: url }, testLog)).toEqual([])

  const servers = createServers({ pool })
  const listed = await servers.add({ name: 'Before the start', ipAddress: '127.0.0.1', gamePort: 7777, queryPort: 9 })
  const api = await startProcess('src/main.ts', url)
  const names = async () => {
    const response = await fetch(`${api.url}/api/public/servers`)
    const body = (await response.json()) as { servers: { name: string }[] }
    return body.servers.map(({ name }) => name)
  }
  expect(await names()).toEqual(['Before the start'])

  await servers.add({ name: 'After the start', ipAddress: '127.0.0.1', gamePort: 7778, queryPort: 10 })
  await vi.waitFor(async () => expect(await names()).toContain('After the start'), { timeout: 20_000 })

  await startProcess('workers/main.ts', url)
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query('select last_polled_at from server_status where server_id = $1', [listed.id])
      expect(rows[0]?.last_polled_at).toBeInstanceOf(Date)
    },
    { timeout: 45_000, interval: 200 },
  )
})
