// /healthz, /readyz and /metrics: what they report to an operator and what they keep secret.
import { describe, expect, it, onTestFinished } from 'vitest'
import { createHealth, type ReadinessCheck, startHealthServer } from '../../../src/platform/http/health.ts'
import { startTestApi } from '../../support/api.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'
import { openDatabaseProxy } from '../../support/database-proxy.ts'
import { sampleRoutes } from './sample-routes.ts'

describe('the API', () => {
  it('is ready when the database, the queue and the directory are', async () => {
    const api = await startTestApi()
    const ready = await api.request('/readyz')
    expect(ready.status).toBe(200)
    expect(await ready.json()).toEqual({
      ready: true,
      checks: [
        ...['accepting', 'database', 'queue', 'directory'].map((name) => ({ name, ready: true, reason: '' })),
        { name: 'billing', ready: false, reason: 'off: the setting STRIPE_SECRET_KEY is missing' },
      ],
    })
  })

  it('answers a probe with any query', async () => {
    const api = await startTestApi()
    for (const path of ['/healthz', '/readyz', '/metrics'])
      for (const query of ['%', 'a=%ff', 'a=%00']) expect((await api.request(`${path}?${query}`)).status).toBe(200)
  })

  it('is ready without the database while it answers from memory, names the failed check without secrets, and stays alive', async () => {
    const { pool, url } = await createTestDatabase()
    const proxy = await openDatabaseProxy(url)
    onTestFinished(proxy.cut)
    const settings = { DIRECTORY_MAX_STALENESS_SECONDS: '10' }
    const api = await startTestApi({ database: { pool, url: proxy.url }, settings })
    onTestFinished(api.stop)
    const list = () => api.request('/api/public/servers')
    expect((await list()).status).toBe(200)
    await proxy.cut()
    const ready = await api.request('/readyz')
    expect(ready.status).toBe(200)
    const { checks } = (await ready.json()) as { checks: { name: string; reason: string }[] }
    expect(checks.filter(({ name, reason }) => reason && name !== 'billing')).toEqual(
      ['database', 'queue'].map((name) => ({ name, ready: false, reason: 'failed' })),
    )
    expect((await list()).status).toBe(200)
    await expect.poll(async () => (await api.request('/readyz')).status, { timeout: 30_000, interval: 500 }).toBe(503)
    expect((await list()).status).toBe(503)
    expect((await api.request('/healthz')).status).toBe(200)
  })

  it('labels durations by route pattern, method and status class, whatever clients send', async () => {
    const api = await startTestApi({ routes: sampleRoutes() })
    await api.request('/api/samples/1')
    await api.request('/api/v1/samples/missing')
    await fetch(`${api.url}/made/up/${Date.now()}`)
    await fetch(`${api.url}/api/samples`, { method: 'PROPFIND' })
    const metrics = await (await api.request('/metrics')).text()
    const counts = metrics
      .split('\n')
      .filter((line) => line.startsWith('directory_http_request_duration_seconds_count'))
    const labels = counts.map((line) => /\{(.*)\}/.exec(line)?.[1])
    expect(labels).toEqual(
      expect.arrayContaining([
        'route="/samples/{id}",method="GET",status_class="2xx"',
        'route="/samples/{id}",method="GET",status_class="4xx"',
        'route="none",method="GET",status_class="4xx"',
        'route="/samples",method="other",status_class="4xx"',
      ]),
    )
    expect(metrics).not.toMatch(/\{.*made/)
    expect(metrics).toContain('nodejs_eventloop_lag')
  })

  it('has names that end in _total only for counters', async () => {
    const api = await startTestApi()
    const metrics = await (await api.request('/metrics')).text()
    const types = [...metrics.matchAll(/^# TYPE (\w+_total) (\w+)$/gm)].map(([, name, type]) => ({ name, type }))
    expect(types).not.toEqual([])
    expect(types.filter(({ type }) => type !== 'counter')).toEqual([])
  })
})

describe('readiness checks', () => {
  async function readiness(...checks: ReadinessCheck[]) {
    const reply = await createHealth({ checks, log: testLog, timeoutMs: 50 })['/readyz']()
    return { status: reply.status, ...(JSON.parse(reply.body) as object) }
  }

  it('that hang time out, and a later result has no effect', async () => {
    let fail: (error: Error) => void = () => {}
    const hanging = new Promise<undefined>((_resolve, reject) => {
      fail = reject
    })
    expect(await readiness({ name: 'slow', check: () => hanging }, { name: 'fine', check: () => undefined })).toEqual({
      status: 503,
      ready: false,
      checks: [
        { name: 'slow', ready: false, reason: 'no answer within 50 ms' },
        { name: 'fine', ready: true, reason: '' },
      ],
    })
    fail(new Error('too late'))
  })

  it('run once for simultaneous requests', async () => {
    let runs = 0
    const counting = async () => {
      runs++
      return undefined
    }
    const health = createHealth({ checks: [{ name: 'counting', check: counting }], log: testLog })
    await Promise.all(Array.from({ length: 50 }, health['/readyz']))
    expect(runs).toBe(1)
    await health['/readyz']()
    expect(runs).toBe(2)
  })

  it('that throw fail', async () => {
    const throwing = () => {
      throw new Error('password is hunter2')
    }
    expect(await readiness({ name: 'broken', check: throwing })).toMatchObject({ checks: [{ reason: 'failed' }] })
  })
})

describe('the health server of a process without an API', () => {
  it('answers its three paths only', async () => {
    let reason: string | undefined
    const server = await startHealthServer({
      host: '127.0.0.1',
      port: 0,
      checks: [{ name: 'queue', check: () => reason }],
      log: testLog,
    })
    onTestFinished(server.stop)
    const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init)
    expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await get('/readyz?verbose')).status).toBe(200)
    expect(await (await get('/metrics')).text()).toContain('process_cpu_seconds_total')
    expect((await get('/healthz', { method: 'HEAD' })).status).toBe(200)
    reason = 'stopping'
    const unready = await get('/readyz')
    expect(unready.status).toBe(503)
    expect(await unready.json()).toEqual({
      ready: false,
      checks: [{ name: 'queue', ready: false, reason: 'stopping' }],
    })
    expect((await get('/other')).status).toBe(404)
    expect((await get('/toString')).status).toBe(404)
    const post = await get('/healthz', { method: 'POST' })
    expect(post.status).toBe(405)
    expect(post.headers.get('allow')).toBe('GET, HEAD')
  })

  it('reports that its port is in use', async () => {
    const options = { host: '127.0.0.1', checks: [], log: testLog }
    const first = await startHealthServer({ ...options, port: 0 })
    onTestFinished(first.stop)
    await expect(startHealthServer({ ...options, port: first.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})
