// Several processes on one port: limits, metrics, readiness, signals, and what a killed primary leaves.
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createServers } from '../../../src/features/servers/index.ts'
import { descendants, isRunning } from '../../commands/support/start-launcher.ts'
import { createTestDatabase } from '../../support/database.ts'
import { type RunningProcess, startProcess } from '../../support/processes.ts'

const { pool, url } = await createTestDatabase()

/** Starts a primary and waits until all its processes listen. */
async function startSeveral(
  env: Record<string, string> = {},
  script: 'src/main.ts' | 'workers/main.ts' = 'src/main.ts',
  node?: string,
) {
  const started = await startProcess(script, url, { API_PROCESSES: '2', WORKER_PROCESSES: '2', ...env }, node)
  const role = script === 'src/main.ts' ? 'api' : 'worker'
  await vi.waitFor(async () => expect(await processesIn(started)).toEqual([`${role} 1`, `${role} 2`]), {
    timeout: 60_000,
    interval: 50,
  })
  return started
}

/** A request on a connection of its own, so that the primary chooses a process for it. */
async function get({ url }: RunningProcess, path: string): Promise<{ status: number; text: string }> {
  const response = await fetch(url + path, { headers: { connection: 'close' } })
  return { status: response.status, text: await response.text() }
}

async function processesIn(started: RunningProcess): Promise<string[]> {
  const { text } = await get(started, '/metrics')
  return [...text.matchAll(/^process_start_time_seconds\{process="(.+)"\}/gm)].map(([, name = '']) => name).sort()
}

const pids = ({ child }: RunningProcess) => descendants(child.pid ?? 0).map(({ pid }) => pid)

it('limits count all processes together, and /metrics has the series of each', async () => {
  const api = await startSeveral({ RATE_LIMIT_IP_PER_MINUTE: '50' })
  const replies = await Promise.all(Array.from({ length: 120 }, () => get(api, '/api/public/stats')))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(50)
  expect(replies.filter(({ status }) => status === 429)).toHaveLength(70)

  const { text } = await get(api, '/metrics')
  const counts = [...text.matchAll(/_seconds_count\{.*route="\/public\/stats".*process="(.+)"\} (\d+)/g)]
  expect(counts.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(120)
  expect(new Set(counts.map(([, name]) => name))).toEqual(new Set(['api 1', 'api 2']))
  expect(text.match(/^# TYPE directory_http_request_duration_seconds /gm)).toHaveLength(1)
})

it('a restart of all processes keeps what the limits have counted', async () => {
  // By the hour, because the restart may take more than a minute on a busy machine.
  const api = await startSeveral({ RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '60' })
  for (let n = 0; n < 30; n++) expect((await get(api, '/api/public/stats')).status).toBe(200)
  api.child.kill('SIGHUP')
  await vi.waitFor(() => expect(api.output()).toContain('api processes restarted'), { timeout: 150_000 })
  const replies = await Promise.all(Array.from({ length: 60 }, () => get(api, '/api/public/stats')))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(30)
})

it('what one process writes, the other shows', async () => {
  const [server] = await createServers({ pool }).addMany([
    { name: 'An island', ipAddress: '192.0.2.1', gamePort: 7777, queryPort: 27015, game: 'protocol-valve' },
  ])
  const id = server && 'id' in server ? server.id : ''
  const api = await startSeveral()
  for (let n = 1; n <= 4; n++) {
    const vote = await fetch(`${api.url}/api/servers/${id}/vote`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ visitorId: `visitor ${n} of several` }),
    })
    expect(vote.status).toBe(200)
    // Two requests one after the other reach both processes.
    await vi.waitFor(
      async () => {
        for (const read of [1, 2])
          expect(JSON.parse((await get(api, `/api/public/servers/${id}`)).text).totalVotes, `read ${read}`).toBe(n)
      },
      { timeout: 10_000 },
    )
  }
})

it('is ready while one process is', async () => {
  const api = await startSeveral()
  const [first = 0] = pids(api)
  process.kill(first, 'SIGKILL')
  await expect.poll(() => api.output()).toContain('ended unexpectedly (SIGKILL)')
  expect(pids(api)).toHaveLength(1)
  expect((await get(api, '/readyz')).status).toBe(200)
  await vi.waitFor(async () => expect(await processesIn(api)).toEqual(['api 1', 'api 2']), { timeout: 60_000 })
})

it('a process that hangs is missing in /metrics, and is killed and replaced after 30 s', async () => {
  const api = await startSeveral()
  const [hanging = 0] = pids(api)
  process.kill(hanging, 'SIGSTOP')
  onTestFinished(() => {
    if (isRunning(hanging)) process.kill(hanging, 'SIGKILL')
  })
  // The connection that the hanging process is given gets no reply.
  const names = () => Promise.race([processesIn(api), sleep(6_000, [])])
  await expect.poll(names).toHaveLength(1)
  await expect.poll(() => api.output()).toMatch(/api \d hangs and is killed/)
  await expect.poll(() => isRunning(hanging)).toBe(false)
  await expect.poll(names).toEqual(['api 1', 'api 2'])
})

it('workers share WORKER_PORT', async () => {
  const worker = await startSeveral({}, 'workers/main.ts')
  expect((await get(worker, '/readyz')).status).toBe(200)
  worker.child.kill('SIGTERM')
  expect(await once(worker.child, 'exit')).toEqual([0, null])
})

it('auto starts a process per core', async () => {
  const api = await startProcess('src/main.ts', url, { API_PROCESSES: 'auto' })
  const cores = os.availableParallelism()
  await vi.waitFor(() => expect(pids(api)).toHaveLength(cores === 1 ? 0 : cores), { timeout: 20_000 })
})

it('a killed primary leaves no process', async () => {
  const api = await startSeveral()
  const left = pids(api)
  expect(left).toHaveLength(2)
  api.child.kill('SIGKILL')
  await vi.waitFor(() => expect(left.filter(isRunning)).toEqual([]), { timeout: 20_000 })
})

it('SIGTERM drains all processes; one that comes later than a second ends them at once', async () => {
  const api = await startSeveral({ DRAIN_SECONDS: '300' })
  const left = pids(api)
  api.child.kill('SIGTERM')
  await vi.waitFor(async () => expect((await get(api, '/readyz')).status).toBe(503), { timeout: 10_000, interval: 20 })
  expect((await get(api, '/api/public/stats')).status).toBe(200)
  const again = setInterval(() => api.child.kill('SIGTERM'), 100)
  onTestFinished(() => clearInterval(again))
  expect(await once(api.child, 'exit')).toEqual([1, null])
  await vi.waitFor(() => expect(left.filter(isRunning)).toEqual([]), { timeout: 20_000 })
})

it('a taken port ends the start with one line that names it', async () => {
  const { port } = await startProcess('src/main.ts', url)
  const failed = await startProcess('src/main.ts', url, {
    API_PROCESSES: '2',
    PORT: '0',
    OPERATOR_PORT: String(port),
  }).catch((error: Error) => error.message)
  expect(failed).toMatch(
    new RegExp(
      `^src/main.ts did not get ready:\n(\\{.*\n)*api: port ${port} on 127.0.0.1 is in use: set OPERATOR_PORT to another\n(\\{.*\n)*$`,
    ),
  )
})

it('a process that can’t be started, as after an update of Node, leaves the others running', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-node-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const node = path.join(folder, 'node')
  fs.copyFileSync(process.execPath, node)
  const api = await startSeveral({}, 'src/main.ts', node)
  fs.rmSync(node)
  api.child.kill('SIGHUP')
  await vi.waitFor(() => expect(api.output()).toContain('can’t be restarted: the previous one continues'), {
    timeout: 30_000,
  })
  expect(await processesIn(api)).toEqual(['api 1', 'api 2'])
})
