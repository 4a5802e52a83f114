// How the launcher starts and stops its processes, tested with stand-ins for them.
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { type LaunchOptions, launch } from '../../commands/start/launch.ts'
import { createPrinter } from '../../commands/start/log-lines.ts'
import type { Programs } from '../../commands/start/programs.ts'
import { isRunning, isUsed, postmasterPid, temporaryFolder } from './support/start-launcher.ts'

const STAND_IN = path.join(import.meta.dirname, 'support/stand-in.ts')
const WAIT_OPTIONS = { timeout: 30_000, interval: 50 }

/** Set so that no sandbox starts. */
const BILLING = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
  STRIPE_PRICE_STANDARD: 'price_1',
  STRIPE_PRICE_PREMIUM: 'price_2',
  STRIPE_PRICE_ENTERPRISE: 'price_3',
}

function launchStandIns(habits: { api?: string[]; worker?: string[] } = {}, env: NodeJS.ProcessEnv = {}) {
  const folder = path.join(temporaryFolder(), 'data')
  const stop = new AbortController()
  const hurry = new AbortController()
  let output = ''
  const write = (text: string) => {
    output += text
  }
  const programs: Programs = {
    api: [process.execPath, STAND_IN, 'PORT', ...(habits.api ?? [])],
    worker: [process.execPath, STAND_IN, 'WORKER_PORT', ...(habits.worker ?? [])],
    simulator: [process.execPath],
    sandbox: [process.execPath],
  }
  const options: LaunchOptions = {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: folder,
      PORT: '0',
      WORKER_PORT: '0',
      LOG_LEVEL: 'warn',
      ...BILLING,
      ...env,
    },
    demo: false,
    programs,
    write,
    stop: stop.signal,
    hurry: hurry.signal,
  }
  const launched = launch(options)
  launched.catch(() => {})
  onTestFinished(async () => {
    stop.abort()
    hurry.abort()
    await launched.catch(() => {})
  })
  const running = () => vi.waitFor(() => expect(output).toContain('is running.'), WAIT_OPTIONS)
  return { folder, stop, hurry, launched, running, output: () => output }
}

it('a process that can’t start ends the launcher with its message, and no process is left running', async () => {
  const { launched, folder } = launchStandIns({ worker: ['fail=worker: its queue is gone'] })
  await expect(launched).rejects.toThrow('worker could not start: worker: its queue is gone')
  expect(isUsed(folder)).toBe(false)
})

it('processes stop before the database does', async () => {
  const { launched, running, stop, folder, output } = launchStandIns()
  await running()
  expect(postmasterPid(folder)).toBeDefined()
  stop.abort()
  await launched
  expect(output()).toContain('api      │ draining')
  expect(output()).toContain('worker   │ draining')
  expect(isUsed(folder)).toBe(false)
})

it('a second Ctrl-C kills draining processes, and the database still stops cleanly', async () => {
  const { launched, running, stop, hurry, folder, output } = launchStandIns({ api: ['ignore-sigterm'] })
  await running()
  stop.abort()
  await vi.waitFor(() => expect(output()).toContain('worker   │ draining'), WAIT_OPTIONS)
  hurry.abort()
  await launched
  expect(output()).toContain('api did not stop within 0 s and is killed')
  expect(isUsed(folder)).toBe(false)
})

it('a database that ends unexpectedly is started again on its port', async () => {
  const { running, folder, output } = launchStandIns()
  await running()
  const port = /127\.0\.0\.1:(\d+)\/directory/.exec(output())?.[1]
  const before = postmasterPid(folder) ?? 0
  process.kill(before, 'SIGKILL')
  await vi.waitFor(() => expect(output()).toContain('the database is running again'), WAIT_OPTIONS)
  expect(isRunning(before)).toBe(false)
  expect(output()).toContain('the database ended unexpectedly; restarting it in 1 s')
  expect(output().match(/127\.0\.0\.1:(\d+)\/directory/)?.[1]).toBe(port)
})

it('log lines are objects for log collectors, and for people words with their process’ name in front', () => {
  const line = '{"level":"warn","time":"2026-11-20T12:00:01.000Z","process":"api","msg":"slow","ms":7,"path":"/x"}'
  const printed = (format: 'pretty' | 'json', text: string) => {
    let output = ''
    createPrinter((part) => {
      output += part
    }, format)('api', text)
    return stripVTControlCharacters(output)
  }
  expect(printed('json', line)).toBe(`${line}\n`)
  expect(printed('json', 'no object')).toBe('api      │ no object\n')
  expect(printed('pretty', line)).toMatch(/^api {6}│ \[\d\d:00:01\] WARN: slow \{"ms":7,"path":"\/x"\}\n$/)
  expect(printed('pretty', '{not json')).toBe('api      │ {not json\n')
})

it('people read a few lines of a start: where everything is, and what to do first', async () => {
  const { running, output, folder } = launchStandIns({}, { LOG_FORMAT: 'pretty', ADMIN_EMAILS: 'me@example.com' })
  await running()
  const lines = output()
    .replace(/127\.0\.0\.1:\d+/, 'HOST:PORT')
    .replace(/localhost:\d+/g, 'localhost:1')
    .split('\n')
  // The stand-ins’ own lines, which have no regard for LOG_LEVEL.
  expect(lines.filter((line) => !line.includes('INFO: listening'))).toEqual([
    'launcher │ creating the database; this happens once and takes a moment',
    'The server directory is running.',
    '  Site         http://localhost:1',
    '  API          http://localhost:1/docs',
    `  Data         ${folder}, embedded PostgreSQL on HOST:PORT/directory`,
    '  First steps  log in at http://localhost:1/admin',
    '  Stop         Ctrl-C',
    '',
  ])
})
