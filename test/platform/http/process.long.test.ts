// The API as a process: start, errors at the start, waiting for the database, and stop.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../../commands/start/ports.ts'
import { descendants } from '../../commands/support/start-launcher.ts'
import { createTestDatabase } from '../../support/database.ts'
import { isMissing } from '../../support/installed.ts'
import { NODE_ARGS } from '../../support/node.ts'

const root = path.resolve(import.meta.dirname, '../../..')

function startApi(env: Record<string, string>, folder = root, nodeArgs: string[] = []) {
  const child: ChildProcess = spawn(process.execPath, [...NODE_ARGS, ...nodeArgs, 'src/main.ts'], {
    cwd: folder,
    env: { PATH: process.env.PATH, APP_SECRET: 'a secret of the tests, 32 characters and more', PORT: '0', ...env },
  })
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    child,
    ended,
    out: () => out,
    err: () => err,
    /** The port in its `api listening` line. */
    listening: async () => {
      await expect.poll(() => out, { timeout: 50_000, interval: 50 }).toContain('"api listening"')
      return Number(/"port":(\d+),"msg":"api listening"/.exec(out)?.[1])
    },
  }
}

it('a bad setting ends the start with one line that names it', async () => {
  const { url } = await createTestDatabase()
  const api = startApi({ DATABASE_URL: url, RATE_LIMIT_IP_PER_MINUTE: 'many' })
  expect(await api.ended).toBe(1)
  expect(api.err()).toMatch(/^api: bad setting: RATE_LIMIT_IP_PER_MINUTE [^\n]+\n$/)
})

it('a missing setting ends the start with one line that names it', async () => {
  const api = startApi({})
  expect(await api.ended).toBe(1)
  expect(api.err()).toMatch(/^api: bad setting: DATABASE_URL [^\n]+\n$/)
})

it('a missing database client ends the start with one line that names the command that makes it', async () => {
  const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-copy-'))
  onTestFinished(() => fs.rmSync(copy, { recursive: true }))
  const generated = path.join(root, 'src/generated')
  fs.cpSync(path.join(root, 'src'), path.join(copy, 'src'), { recursive: true, filter: (from) => from !== generated })
  for (const name of ['package.json', 'node_modules', 'commands', 'prisma'])
    fs.symlinkSync(path.join(root, name), path.join(copy, name))
  const api = startApi({ DATABASE_URL: 'postgres://127.0.0.1:1/none' }, copy)
  expect(await api.ended).toBe(1)
  expect(api.err()).toBe('api: the database client (src/generated) is missing: run `npx prisma generate`\n')
})

it('a taken port ends the start with one line that names it', async () => {
  const { url } = await createTestDatabase()
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  onTestFinished(() => {
    taken.close()
  })
  const { port } = taken.address() as { port: number }
  const api = startApi({ DATABASE_URL: url, PORT: String(port) })
  expect(await api.ended).toBe(1)
  expect(api.err()).toContain(`api: port ${port} on 127.0.0.1 is in use: set PORT to another\n`)
})

it('OPERATOR_PORT moves health and metrics from the public port and out of the OpenAPI document', async () => {
  const { url } = await createTestDatabase()
  const operatorPort = await freePort()
  const api = startApi({ DATABASE_URL: url, OPERATOR_PORT: String(operatorPort) })
  const port = await api.listening()
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    expect((await fetch(`http://127.0.0.1:${operatorPort}${path}`)).status).toBe(200)
    expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(404)
  }
  expect((await fetch(`http://127.0.0.1:${operatorPort}/api/public/stats`)).status).toBe(404)
  const document = await (await fetch(`http://127.0.0.1:${port}/api/openapi.json`)).json()
  expect(Object.keys((document as { paths: object }).paths)).not.toContain('/metrics')

  const second = startApi({ DATABASE_URL: url, OPERATOR_PORT: String(operatorPort) })
  expect(await second.ended).toBe(1)
  expect(second.err()).toContain(`api: port ${operatorPort} on 127.0.0.1 is in use: set OPERATOR_PORT to another\n`)
})

it('OPERATOR_PORT can’t be PORT', async () => {
  const api = startApi({ PORT: '3000', OPERATOR_PORT: '3000' })
  expect(await api.ended).toBe(1)
  expect(api.err()).toMatch(/^api: bad setting: OPERATOR_PORT must differ from PORT[^\n]+\n$/)
})

it('the API waits for a database that is not up yet, then starts', async () => {
  const { url } = await createTestDatabase()
  const { port, hostname } = new URL(url)
  // Stands in for a PostgreSQL that is starting: refuses first, then forwards everything.
  const gatePort = await freePort()
  const api = startApi({ DATABASE_URL: url.replace(`:${port}/`, `:${gatePort}/`) })
  await expect.poll(api.out, { timeout: 50_000, interval: 50 }).toContain('waiting for the database')
  const { connect } = await import('node:net')
  const gate = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.pipe(far).pipe(near)
    near.on('error', () => far.destroy())
    far.on('error', () => near.destroy())
  }).listen(gatePort, '127.0.0.1')
  onTestFinished(() => {
    gate.close()
  })
  const listening = await api.listening()
  expect((await fetch(`http://127.0.0.1:${listening}/readyz`)).status).toBe(200)
  api.child.kill('SIGTERM')
  expect(await api.ended).toBe(0)
})

/** Resolves `db.test`, but not at the fourth look-up: the first after the database was opened. */
const SHORT_OUTAGE_OF_NAMES = `
  import dns from 'node:dns'
  const { lookup } = dns
  let count = 0
  dns.lookup = (hostname, options, callback) => {
    if (hostname !== 'db.test') return lookup(hostname, options, callback)
    count++
    if (count !== 4) return lookup('127.0.0.1', options, callback)
    const failure = { code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname }
    process.nextTick(callback, Object.assign(new Error('getaddrinfo EAI_AGAIN db.test'), failure))
  }`

it('the API waits for a database whose name can’t be resolved for a moment during the start', async () => {
  const url = new URL((await createTestDatabase()).url)
  url.hostname = 'db.test'
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(SHORT_OUTAGE_OF_NAMES)}`]
  const api = startApi({ DATABASE_URL: url.href }, root, nodeArgs)
  const started = api.listening().then(() => 'started')
  expect(await Promise.race([started, api.ended.then(api.err)])).toBe('started')
})

const AS_PID_1 = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child']
const isContainerMissing = isMissing('unshare') || spawnSync('unshare', [...AS_PID_1, 'true']).status !== 0

it.skipIf(isContainerMissing).each(['src/main.ts', 'workers/main.ts', 'src/migrate.ts'])(
  '%s as PID 1 ends at SIGTERM while it waits for the database',
  async (script) => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as AddressInfo
    const connected = once(silent, 'connection')
    const child = spawn('unshare', [...AS_PID_1, process.execPath, ...NODE_ARGS, script], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        APP_SECRET: 'a secret of the tests, 32 characters and more',
        DATABASE_URL: `postgres://127.0.0.1:${port}/none`,
      },
      stdio: 'ignore',
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await connected
    const [inContainer] = descendants(child.pid ?? 0)
    process.kill(inContainer?.pid ?? 0, 'SIGTERM')
    expect(await ended).toEqual([143, null])
  },
)

it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s stops the API cleanly, also with an idle keep-alive connection',
  async (signal) => {
    const { url, pool } = await createTestDatabase()
    const api = startApi({ DATABASE_URL: url })
    const port = await api.listening()
    expect((await fetch(`http://127.0.0.1:${port}/api/public/stats`)).status).toBe(200)
    api.child.kill(signal)
    expect(await api.ended).toBe(0)
    expect(api.out()).toContain('"api stopped"')
    const { rows } = await pool.query(
      `select application_name from pg_stat_activity where datname = current_database() and application_name not in ('test')`,
    )
    expect(rows).toEqual([])
  },
)

it('the API survives repeated loss of all its database connections', async () => {
  const { url, pool } = await createTestDatabase()
  const api = startApi({ DATABASE_URL: url, RATE_LIMIT_STORE: 'postgres' })
  const port = await api.listening()
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  for (let i = 0; i < 5; i++) {
    const traffic = Array.from({ length: 20 }, () => get('/api/public/stats'))
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and application_name <> 'test'`,
    )
    for (const reply of await Promise.all(traffic)) expect(reply.status).toBe(200)
  }
  await expect.poll(async () => (await get('/readyz')).status, { interval: 100 }).toBe(200)
  expect(api.child.exitCode).toBeNull()
})

it('a draining API still serves requests while /readyz answers 503, then stops by itself', async () => {
  const { url } = await createTestDatabase()
  const api = startApi({ DATABASE_URL: url, DRAIN_SECONDS: '2' })
  const port = await api.listening()
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`)
  expect((await get('/readyz')).status).toBe(200)
  api.child.kill('SIGTERM')
  await expect.poll(async () => (await get('/readyz')).status, { interval: 20 }).toBe(503)
  const reply = await get('/api/public/stats')
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close'])
  expect(await api.ended).toBe(0)
  expect(api.out()).toContain('"api stopped"')
})

it('a repeated signal changes nothing; one that comes later than a second ends a draining API at once', async () => {
  const { url } = await createTestDatabase()
  const api = startApi({ DATABASE_URL: url, DRAIN_SECONDS: '300' })
  const port = await api.listening()
  // Two at once, since a busy machine may take a second for a step of the test; of one kind they could arrive as one.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) api.child.kill(signal)
  const readiness = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status)
  await expect.poll(readiness, { interval: 20 }).toBe(503)
  expect((await fetch(`http://127.0.0.1:${port}/api/public/stats`)).status).toBe(200)
  const again = setInterval(() => api.child.kill('SIGTERM'), 100)
  onTestFinished(() => clearInterval(again))
  expect(await api.ended).toBe(1)
})

it.each([
  ['start:api', 'api', 'PORT'],
  ['start:worker', 'worker', 'WORKER_PORT'],
])('npm run %s starts the API and stops it at its own end', async (script, role, port) => {
  const { url } = await createTestDatabase()
  const child = spawn('npm', ['run', '-s', script], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      APP_SECRET: 'a secret of the tests, 32 characters and more',
      DATABASE_URL: url,
      [port]: '0',
    },
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  await expect.poll(() => out, { timeout: 50_000, interval: 50 }).toContain(`"${role} listening"`)
  child.kill('SIGTERM')
  await ended
  expect(out).toContain(`"${role} stopped"`)
})
