// Which modules the API process loads, as Node reports them.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { createTestDatabase } from '../support/database.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** A preload script that reports each module, imported or required, and at the end those of Node itself. */
const WATCH = `
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
registerHooks({ load(url, context, next) { appendFileSync(process.env.LOADED, url + '\\n'); return next(url, context) } })
process.once('exit', () => appendFileSync(process.env.LOADED, process.moduleLoadList.join('\\n')))
`

// A busy machine takes more than half a minute to start a process whose modules are watched.
it('the API process loads nothing that only workers, some installations or rare requests need', {
  timeout: 150_000,
}, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-loaded-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const watch = path.join(folder, 'watch.mjs')
  const list = path.join(folder, 'loaded.txt')
  fs.writeFileSync(watch, WATCH)
  const { url } = await createTestDatabase()
  const port = await freePort()
  const child = spawn(process.execPath, ['--import', pathToFileURL(watch).href, 'src/main.ts'], {
    cwd: root,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      LOADED: list,
      DATABASE_URL: url,
      APP_SECRET: 'a secret of the tests, 32 characters and more',
      PORT: String(port),
    },
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  // The first answers load the lazy modules.
  await expect
    .poll(() => answers(`http://127.0.0.1:${port}/api/public/servers`), { timeout: 120_000, interval: 100 })
    .toBe(true)
  expect(await answers(`http://127.0.0.1:${port}/docs`)).toBe(true)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)

  const loaded = fs.readFileSync(list, 'utf8').split('\n').filter(Boolean)
  expect(loaded).toContain(pathToFileURL(path.join(root, 'src/main.ts')).href)
  expect(loaded.some((module) => module.includes('/node_modules/pg/'))).toBe(true)
  const ours = loaded.filter(
    (module) => module.startsWith(pathToFileURL(root).href) && !module.includes('/node_modules/'),
  )
  expect(ours.filter((module) => !module.includes('/src/'))).toEqual([])
  const unwanted =
    /\/node_modules\/(@opentelemetry\/sdk-trace|sharp|@img|@resvg|gamedig|node-cron|nodemailer|undici|standardwebhooks|stripe|openid-client|otpauth|@simplewebauthn|csv-parse|rate-limiter-flexible|ioredis|@prisma|vitest|fast-check)\//
  expect(loaded.filter((module) => unwanted.test(module))).toEqual([])
  // Of Node's own modules, the client behind `fetch`, which an import of node:http loads.
  expect(loaded).toContain('NativeModule http')
  expect(loaded.filter((module) => module.includes('internal/deps/undici'))).toEqual([])
})

const answers = (url: string) =>
  fetch(url).then(
    (response) => response.ok,
    () => false,
  )
