// The months' standings in the sitemap.
import { expect, it, onTestFinished } from 'vitest'
import { serverPath } from '../../../src/features/site/components/server-parts.ts'
import { monthFrom, monthOfTime } from '../../../src/platform/months.ts'
import { startTestApi } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { insertServer } from '../directory/rows-in-database.ts'

it('has the pages of the last finished months that have standings, and no others', async () => {
  const api = await startTestApi()
  const { pool } = api.database
  const [rust, dayz] = [await insertServer(pool, { game: 'rust' }), await insertServer(pool, { game: 'dayz' })]
  const [last, before] = [-1, -2].map((by) => monthFrom(monthOfTime(Date.now()), by)) as [string, string]
  const archive = (serverId: string, month: string, place: number | null, votes = 3) =>
    pool.query(
      'insert into server_vote_months (server_id, month, votes, place, place_in_game, is_ranked) values ($1, $2, $3, $4, $4, true)',
      [serverId, `${month}-01`, votes, place],
    )
  await archive(rust, before, 1)
  await archive(dayz, before, 1, 0) // all its votes are voided
  await archive(dayz, last, null)
  await api.directory.refresh()

  const part = await (await fetch(`${api.url}/sitemap-1.xml`)).text()
  const tops = [...part.matchAll(/<loc>[^<]*?((?:\/games\/[^<]*)?\/top\/[^<]*)<\/loc>/g)].map(([, path]) => path)
  expect(tops.sort()).toEqual([`/games/rust/top/${before}`, `/top/${before}`])
  for (const top of tops) expect(await (await fetch(api.url + top)).text()).not.toContain('content="noindex"')
})

it('lacks them while the database is away', async () => {
  const { pool, url } = await createTestDatabase()
  const proxy = await openDatabaseProxy(url)
  onTestFinished(proxy.cut)
  const id = await insertServer(pool, { game: 'rust', name: 'Nordland' })
  const api = await startTestApi({ database: { pool, url: proxy.url } })
  onTestFinished(api.stop)
  await proxy.cut()
  const part = await fetch(`${api.url}/sitemap-1.xml`)
  expect(part.status).toBe(200)
  const text = await part.text()
  expect(text).toContain(serverPath({ id, name: 'Nordland' }))
  expect(text).not.toContain('/top/')
})
