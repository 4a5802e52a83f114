// What clients are told while the database is away: to come back, never that something is broken.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { openCuttableWay } from '../../support/cuttable-way.ts'
import { createTestDatabase } from '../../support/database.ts'
import { addPerson } from '../../support/people.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

it('no operation answers 500 while the database is away, and those that need it say when to try again', async () => {
  const { pool, url } = await createTestDatabase()
  const way = await openCuttableWay(url)
  const api = await startTestApi({ database: { pool, url: way.url } })
  const { cookie } = await addPerson(pool, { isAdmin: true })
  const { paths } = (await (await api.request('/api/openapi.json')).json()) as { paths: Record<string, object> }
  await way.cut()
  const statuses = new Map<string, number>()
  for (const [path, item] of Object.entries(paths))
    for (const method of METHODS.filter((one) => one in item)) {
      const target = path.replaceAll(/\{\w+\}/g, '018f0000-0000-7000-8000-000000000000')
      const response = await api.request(
        path.startsWith('/api') || path.startsWith('/healthz') ? target : `/api${target}`,
        {
          method: method.toUpperCase(),
          headers: { cookie, ...(method === 'get' ? {} : { 'content-type': 'application/json' }) },
          ...(method === 'get' ? {} : { body: '{}' }),
          redirect: 'manual',
        },
      )
      await response.body?.cancel()
      statuses.set(`${method} ${path}`, response.status)
      if (response.status === 503 && path.startsWith('/api')) expect(response.headers.get('retry-after')).toBeTruthy()
    }
  expect([...statuses].filter(([, status]) => status === 500)).toEqual([])
  expect([...statuses].filter(([, status]) => status === 503).length).toBeGreaterThan(statuses.size / 2)
  await way.mend()
  await api.stop()
  await way.cut()
})
