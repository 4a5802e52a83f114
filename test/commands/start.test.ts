// `npm start` as a user types it: real API, real worker, real database.
import fs from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  descendant,
  descendants,
  isRunning,
  isUsed,
  postmasterPid,
  type RunningLauncher,
  startLauncher,
  temporaryFolder,
  tryKill,
} from './support/start-launcher.ts'

const WAIT_OPTIONS = { timeout: 45_000, interval: 100 }
const UNPRIVILEGED_UID = 65534

async function untilRunning(launcher: RunningLauncher): Promise<void> {
  const early = launcher.ended.then((code) => {
    throw new Error(`ended with ${code}:\n${launcher.output()}`)
  })
  const screen = vi.waitFor(() => expect(launcher.output()).toContain('The server directory is running.'), WAIT_OPTIONS)
  await Promise.race([screen, early])
}

async function status(url: string): Promise<number> {
  return await fetch(url).then(
    (response) => response.status,
    () => 0,
  )
}

async function query(folder: string, sql: string): Promise<unknown[]> {
  const url = fs.readFileSync(path.join(folder, 'database-url'), 'utf8').trim()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query({ text: sql, rowMode: 'array' })).rows.flat()
  } finally {
    await client.end()
  }
}

/** Starts it and expects it to end with no process left running. @returns its output */
async function failedStart(
  env: Record<string, string>,
  { code = 1, ...options }: { code?: number; args?: string[]; uid?: number } = {},
): Promise<string> {
  const launcher = await startLauncher(env, options)
  expect(await launcher.ended).toBe(code)
  expect(isUsed(launcher.env.DATA_DIR ?? '')).toBe(false)
  return launcher.output()
}

describe('npm start', () => {
  it('runs API and worker, restarts what crashes, survives its own death, and stops everything', {
    timeout: 150_000,
  }, async () => {
    const first = await startLauncher()
    const folder = first.env.DATA_DIR ?? ''
    await untilRunning(first)
    const reference = `http://localhost:${first.env.PORT}/docs`
    expect(first.output()).toContain(reference)
    for (const address of [reference, `${first.workerUrl}/metrics`]) expect(await status(address)).toBe(200)
    expect(fs.statSync(path.join(folder, 'database-url')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(path.join(folder, 'app-secret')).mode & 0o777).toBe(0o600)
    expect(fs.readFileSync(path.join(folder, 'api-url'), 'utf8')).toBe(`http://localhost:${first.env.PORT}\n`)
    await query(folder, 'create table kept as select 42 as answer')

    // A second start on the same folder does not affect the first.
    const second = await startLauncher({ DATA_DIR: folder })
    expect(await second.ended).toBe(1)
    expect(second.output()).toBe(
      `data folder ${folder} is in use by another start (process ${first.pid}): stop that first, or set DATA_DIR to another folder\n`,
    )

    for (const [name, program, url] of [
      ['api', 'src/main.ts', first.apiUrl],
      ['worker', 'workers/main.ts', first.workerUrl],
    ] as const) {
      const crashed = descendant(first.pid, program)?.pid ?? 0
      process.kill(crashed, 'SIGKILL')
      await vi.waitFor(() => {
        expect(first.output()).toContain(`${name} ended unexpectedly (SIGKILL); restarting it in 1 s`)
        expect(first.output()).toContain(`${name} is ready again`)
      }, WAIT_OPTIONS)
      expect(await status(`${url}/readyz`)).toBe(200)
      expect(isRunning(crashed)).toBe(false)
    }

    // When it is killed, API and worker end too; the next start takes over its database.
    const children = descendants(first.pid)
      .filter(({ command }) => command.includes('main.ts'))
      .map(({ pid }) => pid)
    expect(children).toHaveLength(3) // API, worker and payment sandbox
    onTestFinished(() => children.forEach(tryKill))
    const oldDatabase = postmasterPid(folder) ?? 0
    first.kill('SIGKILL')
    const third = await startLauncher({
      DATA_DIR: folder,
      PORT: first.env.PORT ?? '',
      WORKER_PORT: first.env.WORKER_PORT ?? '',
    })
    await untilRunning(third)
    await vi.waitFor(() => expect([...children, oldDatabase].filter(isRunning)).toEqual([]), WAIT_OPTIONS)
    expect(await query(folder, 'select answer from kept')).toEqual([42])

    const pids = descendants(third.pid).map(({ pid }) => pid)
    expect(pids.length).toBeGreaterThanOrEqual(3)
    third.kill('SIGTERM')
    expect(await third.ended).toBe(0)
    expect(pids.filter(isRunning)).toEqual([])
    for (const file of ['database-url', 'api-url']) expect(fs.existsSync(path.join(folder, file))).toBe(false)
  })

  it('stops everything on Ctrl-C, also during its start', async () => {
    const launcher = await startLauncher()
    const folder = launcher.env.DATA_DIR ?? ''
    await vi.waitFor(() => expect(fs.existsSync(path.join(folder, 'postgres'))).toBe(true), WAIT_OPTIONS)
    const pids = descendants(launcher.pid).map(({ pid }) => pid)
    launcher.kill('SIGINT')
    expect(await launcher.ended).toBe(0)
    expect(pids.filter(isRunning)).toEqual([])
    expect(isUsed(folder)).toBe(false)
    expect(launcher.output()).not.toContain('The server directory is running.')
  })

  it('stops everything when its npm process is stopped', async () => {
    const npm = await startLauncher({}, { throughNpm: true })
    await vi.waitFor(() => expect(descendant(npm.pid, 'workers/main.ts')).toBeDefined(), WAIT_OPTIONS)
    const pids = descendants(npm.pid).map(({ pid }) => pid)
    npm.kill('SIGTERM')
    await npm.ended
    expect(pids.filter(isRunning)).toEqual([])
    expect(npm.output()).toMatch(/stopped\n$/)
  })

  it.skipIf(!fs.existsSync('/dev/full'))('runs on while the disk of its output is full', async () => {
    const launcher = await startLauncher({ LOG_LEVEL: 'info' }, { writesTo: '/dev/full' })
    await vi.waitFor(async () => expect(await status(`${launcher.apiUrl}/readyz`)).toBe(200), WAIT_OPTIONS)
    await vi.waitFor(async () => expect(await status(`${launcher.workerUrl}/readyz`)).toBe(200), WAIT_OPTIONS)
    expect(launcher.output()).toBe('')
    launcher.kill('SIGTERM')
    expect(await launcher.ended).toBe(0)
  })

  it('uses the database of DATABASE_URL, and reports when it does not answer', async () => {
    const output = await failedStart({ DATABASE_URL: 'postgres://owner:secret@127.0.0.1:1/directory' })
    expect(output).toBe(
      'PostgreSQL on 127.0.0.1:1/directory can’t be used: connect ECONNREFUSED 127.0.0.1:1: start it, fix DATABASE_URL, or unset DATABASE_URL to use the embedded database\n',
    )
  })
})

describe('npm start ends with one line when', () => {
  it('a port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await vi.waitFor(() => expect(taken.listening).toBe(true))
    const port = String((taken.address() as { port: number }).port)
    expect(await failedStart({ PORT: port })).toBe(
      `port ${port} is in use: stop what uses it, or set PORT to another port\n`,
    )
    expect(await failedStart({ WORKER_PORT: port })).toContain('set WORKER_PORT to another port')
    expect(await failedStart({ PORT: port, WORKER_PORT: port })).toContain(`PORT and WORKER_PORT are both ${port}`)
  })

  it('a setting is wrong, and changes nothing', async () => {
    const DATA_DIR = path.join(temporaryFolder(), 'data')
    expect(await failedStart({ DATA_DIR, POLL_INTERVAL_SECONDS: 'soon' })).toBe(
      'bad setting: POLL_INTERVAL_SECONDS must be a whole number\n',
    )
    expect(fs.existsSync(DATA_DIR)).toBe(false)
    expect(await failedStart({ DATA_DIR: '~/data' })).toBe(
      'bad setting: DATA_DIR must not begin with ~, which only a shell expands\n',
    )
  })

  it('HOST is not an address of this machine', async () => {
    expect(await failedStart({ HOST: '192.0.2.1' })).toMatch(
      /^launcher │ warning: HOST is 192\.0\.2\.1, [^\n]*\nHOST 192\.0\.2\.1 can’t be listened on \(.*\): set it to an address of this machine, or 0\.0\.0\.0 for all\n$/,
    )
  })

  it('production lacks its secret', async () => {
    expect(await failedStart({ NODE_ENV: 'production' })).toBe('bad setting: APP_SECRET is needed in production\n')
  })

  it('the data folder can’t be read, or is no folder', async () => {
    const folder = temporaryFolder()
    const closed = path.join(folder, 'closed')
    fs.mkdirSync(closed, { mode: process.getuid?.() === 0 ? 0o700 : 0o000 })
    const uid = process.getuid?.() === 0 ? { uid: UNPRIVILEGED_UID } : {}
    expect(await failedStart({ DATA_DIR: closed }, uid)).toMatch(
      /^data folder .*closed can’t be used: .*, or set DATA_DIR to another folder\n$/,
    )
    fs.writeFileSync(path.join(folder, 'file'), '')
    expect(await failedStart({ DATA_DIR: path.join(folder, 'file') })).toMatch(
      /^data folder .*file can’t be used: .*\n$/,
    )
  })

  it('the database user can’t enter the data folder', async ({ skip }) => {
    if (process.getuid?.() !== 0) {
      console.log('skipped: only root’s database runs as another user')
      skip()
    }
    const folder = temporaryFolder()
    fs.chmodSync(folder, 0o700)
    expect(await failedStart({ DATA_DIR: path.join(folder, 'data') })).toMatch(
      /^the database runs as user `postgres`, who can’t enter .*: move DATA_DIR out of there, or set DATABASE_URL\n$/,
    )
  })

  it('the demo is asked for in production, or where loopback servers are not polled', async () => {
    const APP_SECRET = 'a secret of the tests, 32 characters and more'
    const demo = { args: ['--demo'] }
    expect(await failedStart({ NODE_ENV: 'production', APP_SECRET }, demo)).toContain('--demo is not for production')
    expect(await failedStart({ ALLOW_PRIVATE_TARGETS: 'false' }, demo)).toContain('--demo needs ALLOW_PRIVATE_TARGETS')
  })

  it('an option is unknown', async () => {
    expect(await failedStart({}, { args: ['--fast'], code: 2 })).toMatch(/^Unknown option '--fast'.*--help.*\n$/)
    expect(await failedStart({}, { args: ['--discover', '--demo'], code: 2 })).toMatch(
      /^Option '--discover' .*--help.*\n$/,
    )
    expect(await failedStart({}, { args: ['--help'], code: 0 })).toContain('--demo')
    // npm sets this when `npm start --demo` was typed.
    expect(await failedStart({ npm_config_demo: 'true' }, { code: 2 })).toBe(
      'npm takes --demo as its own option: type `npm start -- --demo`\n',
    )
    expect(await failedStart({}, { args: ['--discover', 'nowhere'] })).toContain('DISCOVER has no source nowhere')
  })
})
