// While the database is down, the API asks clients to retry and never reports an internal error.
import { expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { createTestDatabase } from '../../support/database.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { addPerson } from '../../support/people.ts'

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

it('no operation answers 500 while the database is down, and those that need it send Retry-After', async () => {
  const { pool, url } = await createTestDatabase()
  const proxy = await openDatabaseProxy(url)
  const api = await startTestApi({ database: { pool, url: proxy.url } })
  const { cookie } = await addPerson(pool, { isAdmin: true })
  const { paths } = (await (await api.request('/api/openapi.json')).json()) as { paths: Record<string, object> }
  await proxy.cut()
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
  await proxy.restore()
  await api.stop()
  await proxy.cut()
})
