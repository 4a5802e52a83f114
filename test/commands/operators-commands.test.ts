// Runs `npm run queues` and `npm run doctor`.
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { describeDatabase } from '../../commands/database.ts'
import {
  checkConnections,
  checkHistory,
  checkMigrations,
  checkPolling,
  checkQueues,
  checkSkew,
  checkStandby,
  checkVersion,
  checkWorkers,
} from '../../commands/doctor/examination.ts'
import { freePort } from '../../commands/start/ports.ts'
import { mail } from '../../src/features/mail/index.ts'
import { adoptInstallation, markRestored } from '../../src/platform/db/installation.ts'
import { openJobs, openWorkerJobs } from '../../src/platform/queue/jobs.ts'
import { startTestApi } from '../support/api.ts'
import { createCertificate } from '../support/certificate.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { isMissing } from '../support/installed.ts'
import { startMailServer } from '../support/mail-server.ts'
import { NODE_ARGS } from '../support/node.ts'

const { pool, url } = await createTestDatabase()
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-operators-'))
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))
const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
afterAll(() => jobs.stop())

function start(program: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [...NODE_ARGS, program, ...args], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const seen = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    seen.out += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    seen.err += chunk
  })
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...seen })),
  )
  return { child, seen, ended }
}
const queues = (...args: string[]) => start('commands/queues/main.ts', args, {}).ended
const doctor = (env: Record<string, string> = {}) => start('commands/doctor/main.ts', [], env).ended

describe('npm run queues', () => {
  it('prints every queue, and ends with 0 while all are healthy', async () => {
    const { code, out } = await queues()
    expect(out).toMatch(/^QUEUE +VERDICT +READY/)
    for (const name of ['poll', 'mail', 'mail-dead']) expect(out).toMatch(new RegExp(`^${name} +ok`, 'm'))
    expect(code).toBe(0)
  })

  it('shows failed jobs, says what to do and requeues them', async () => {
    await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: uuidv7() }], { retryLimit: 0 })
    const [job] = await jobs.boss.fetch('mail')
    await jobs.boss.fail('mail', job?.id ?? '', { message: 'mail refused: 550 RCPT TO' })

    const bad = await queues('list')
    expect(bad.code).toBe(1)
    expect(bad.out).toMatch(/^mail +failing/m)
    expect(bad.out).toContain('npm run queues -- redrive mail')
    expect((await queues('failed', 'mail')).out).toContain('mail refused: 550 RCPT TO')
    expect((await queues('redrive', 'mail')).out).toBe('1 job moved back\n')
    expect((await queues('failed', 'mail')).out).toBe('no failed jobs\n')
    await jobs.boss.deleteAllJobs('mail')
  })

  it('shows single jobs by state, with payload', async () => {
    await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: uuidv7() }], { startAfter: 3600 })
    expect((await queues('jobs', 'mail')).out).toBe('no ready jobs\n')
    const { code, out } = await queues('jobs', 'mail', '--state', 'deferred')
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/ due \S+Z {2}0 attempts\n.*"password-changed".*\npage 1 of 1, 1 jobs\n$/),
    ])
    await jobs.boss.deleteAllJobs('mail')
  })

  it.each([
    [['jobs', 'mail', '--state', 'lost'], 2, '--state must be one of ready, active, deferred, completed'],
    [['nonsense'], 2, 'unknown command nonsense; the commands are list, jobs, failed, retry, redrive'],
    [['failed'], 2, '<queue> is missing'],
    [['failed', 'nothing'], 1, 'There is no such queue.'],
    [['failed', 'mail', '--page', '0'], 2, '--page must be a whole number from 1'],
    [['redrive', 'mail', '--id', 'x'], 2, '--id must be the id of a job, as `failed` prints it'],
  ])('refuses %j in one line', async (args, code, message) => {
    expect(await queues(...args)).toEqual({ code, out: '', err: `queues: ${message}\n` })
  })
})

describe('npm run doctor', () => {
  it('finds nothing wrong with a running installation', async () => {
    const worker = await openWorkerJobs({ url, log: testLog, applicationName: 'worker' })
    onTestFinished(() => worker.stop())
    await worker.boss.supervise()
    const api = await startTestApi({ database: { url, pool } })
    const { code, out } = await doctor({ PUBLIC_BASE_URL: api.url })
    expect(out.split('\n').filter((line) => line && !line.startsWith('ok '))).toEqual([])
    for (const what of [
      'settings',
      'PostgreSQL',
      'clocks',
      'migrations',
      'installation',
      'workers',
      'queues',
      'polling',
      'API',
    ])
      expect(out).toMatch(new RegExp(`^ok +${what}: `, 'm'))
    expect(code).toBe(0)
    await api.stop()
  })

  it('names a bad setting, a missing database, and an API that does not answer', async () => {
    const bad = await doctor({ PORT: 'x' })
    expect(bad).toMatchObject({ code: 1 })
    expect(bad.out).toContain('FAILURE  settings: bad setting: PORT must be a whole number')
    const port = await freePort()
    const gone = await doctor({
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/none`,
      PUBLIC_BASE_URL: `http://127.0.0.1:${port}`,
    })
    expect(gone.code).toBe(1)
    expect(gone.out).toContain('FAILURE  database: ')
    expect(gone.out).toContain(`FAILURE  API: no answer at http://127.0.0.1:${port}`)
  })

  it('names settings whose use fails', async () => {
    const { code, out } = await doctor({
      COUNTRY_DATABASE: '/nowhere/countries.mmdb',
      NETWORK_OWNER_DATABASE: 'package.json',
      DEFAULT_GAME: 'chess',
    })
    expect(code).toBe(1)
    expect(out).toContain('FAILURE  settings: bad setting: COUNTRY_DATABASE must be a file in the MMDB format: ENOENT')
    expect(out).toContain('FAILURE  settings: bad setting: NETWORK_OWNER_DATABASE must be a file in the MMDB format: ')
    expect(out).toContain('FAILURE  settings: bad setting: DEFAULT_GAME must be a gamedig type id')
  })

  it('reports a restored copy until it is adopted', async () => {
    await markRestored(pool)
    onTestFinished(async () => void (await adoptInstallation(pool)))
    const { code, out } = await doctor()
    expect(out).toMatch(/^FAILURE {2}installation: this database is a restored copy.*\n +→ Run `npm run adopt`/m)
    expect(code).toBe(1)
    await adoptInstallation(pool)
    expect((await doctor()).out).toMatch(/^ok +installation: /m)
  })

  it('asks the API of the running `npm start`, unless a setting names another', async () => {
    const api = await startTestApi({ database: { url, pool } })
    const file = path.join(folder, 'api-url')
    fs.writeFileSync(file, `${api.url}\n`)
    onTestFinished(() => fs.rmSync(file))
    expect((await doctor()).out).toContain(`ok       API: ready at ${api.url}`)
    const port = await freePort()
    expect((await doctor({ PORT: String(port) })).out).toContain(`no answer at http://localhost:${port}`)
    await api.stop()
  })

  it('reports an unreachable mail server without its password', async () => {
    const port = await freePort()
    const { code, out } = await doctor({ SMTP_URL: `smtp://user:hunter2hunter2@127.0.0.1:${port}` })
    expect(out).toContain(`FAILURE  mail server: 127.0.0.1:${port} can’t send mails: ECONNREFUSED`)
    expect(out).not.toContain('hunter2')
    expect(code).toBe(1)
  })

  it('reports a mail server that refuses the login', async () => {
    const { url: smtp } = await startMailServer({
      authMethods: ['PLAIN'],
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(new Error('535 not with hunter2hunter2')),
    })
    const { out } = await doctor({ SMTP_URL: smtp.replace('://', '://user:hunter2hunter2@') })
    expect(out).toMatch(/FAILURE {2}mail server: 127\.0\.0\.1:\d+ can’t send mails: EAUTH AUTH PLAIN 535/)
    expect(out).not.toContain('hunter2')
  })

  it.skipIf(isMissing('openssl')).each(['smtp', 'smtps'])(
    'reports an %s:// server whose certificate the worker refuses, and accepts it with NODE_EXTRA_CA_CERTS',
    async (protocol) => {
      const { key, cert, file } = createCertificate()
      const tls = { key, cert, disabledCommands: [], secure: protocol === 'smtps' }
      const { url: smtp } = await startMailServer(tls)
      const SMTP_URL = smtp.replace('smtp:', `${protocol}:`)
      const refused = await doctor({ SMTP_URL })
      expect(refused.out).toMatch(/FAILURE {2}mail server: .* DEPTH_ZERO_SELF_SIGNED_CERT/)
      expect((await doctor({ SMTP_URL, NODE_EXTRA_CA_CERTS: file })).out).toMatch(/^ok +mail server: .* accepts mails/m)
    },
  )

  it.each([
    ['a PostgreSQL that is too old', checkVersion(140_010), 'failure'],
    ['a PostgreSQL newer than tested', checkVersion(190_000), 'warning'],
    ['a clock that is a little off', checkSkew(-5), 'warning'],
    ['a clock that is far off', checkSkew(120), 'failure'],
    ['connections that run out', checkConnections({ used: 85, max: 97 }), 'warning'],
    ['a standby that is late', checkStandby(8_000_000), 'warning'],
    ['a standby that was promoted', checkStandby(null), 'failure'],
    ['a migration that is missing', checkMigrations(['0009_x']), 'failure'],
    ['no worker', checkWorkers({ hasWorker: false, supervisedSecondsAgo: 300, queues: [] }), 'failure'],
    ['polls that are late', checkPolling(600), 'warning'],
    ['history that can’t be decoded', checkHistory({ chunks: 2, servers: 1, since: new Date(0) }), 'warning'],
    [
      'a stuck queue',
      checkQueues({
        hasWorker: true,
        supervisedSecondsAgo: 5,
        queues: [{ name: 'poll', verdict: 'stuck', advice: 'Do.' }],
      })[0],
      'failure',
    ],
  ])('names %s and says what to do', (_what, finding, status) => {
    expect(finding?.status).toBe(status)
    expect(finding?.advice).not.toBe('')
  })
})

it.each(['commands/adopt', 'commands/doctor', 'dev/games', 'dev/licences', 'dev/migrations', 'dev/settings'])(
  '%s only prints its usage for --help or unknown arguments',
  async (folder) => {
    const program = `${folder}/main.ts`
    const tool = path.basename(folder)
    const name = tool === 'migrations' ? 'db:migration' : tool
    const [help, mistyped] = await Promise.all([
      start(program, ['--help'], {}).ended,
      start(program, ['--halp'], {}).ended,
    ])
    expect(help).toEqual({
      code: 0,
      out: expect.stringMatching(`^npm run ${name}( <name> \\[-- --empty\\])?\n\n`),
      err: '',
    })
    expect(mistyped).toEqual({ code: 2, out: '', err: `${name}: Unknown option '--halp'\n` })
  },
)

it('migrate refuses arguments', async () => {
  expect(await start('src/migrate.ts', ['--help'], {}).ended).toEqual({
    code: 1,
    out: '',
    err: 'migrate: this command takes no arguments; it migrates the database of DATABASE_URL\n',
  })
})

it('migrate treats an empty LOG_LEVEL as unset, and names a bad one', async () => {
  const empty = await start('src/migrate.ts', [], { LOG_LEVEL: '' }).ended
  expect(empty).toMatchObject({ code: 0, err: '' })
  const bad = await start('src/migrate.ts', [], { LOG_LEVEL: 'loud' }).ended
  expect(bad).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^migrate: bad setting: LOG_LEVEL [^\n]+\n$/),
  })
})

it('a database is described as the one that is connected to, whatever the environment adds to its address', () => {
  vi.stubEnv('PGHOST', 'other.example')
  vi.stubEnv('PGPORT', '6432')
  vi.stubEnv('PGDATABASE', 'live')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(describeDatabase('postgres:///directory')).toBe('PostgreSQL on other.example:6432/directory')
  expect(describeDatabase('postgres://owner:secret@db.example')).toBe('PostgreSQL on db.example:6432/live')
  expect(describeDatabase('postgres://db.example:5433/directory?host=[::1]')).toBe('PostgreSQL on [::1]:5433/directory')
})

describe('a missing database', () => {
  const list = (env: Record<string, string>) => start('commands/servers/main.ts', ['list'], env).ended
  it('is reported with what to do, wherever its address comes from', async () => {
    const port = await freePort()
    const url = `postgres://postgres@127.0.0.1:${port}/none`
    expect(await list({ DATABASE_URL: url })).toEqual({
      code: 1,
      out: '',
      err: `servers: the database can’t be reached: connect ECONNREFUSED 127.0.0.1:${port}: start it, fix DATABASE_URL, or unset DATABASE_URL to use the embedded database\n`,
    })
    fs.writeFileSync(path.join(folder, 'database-url'), `${url}\n`) // as after a killed start
    onTestFinished(() => fs.rmSync(path.join(folder, 'database-url')))
    expect((await list({ DATABASE_URL: '' })).err).toBe(
      `servers: the database can’t be reached: connect ECONNREFUSED 127.0.0.1:${port}: start the directory with \`npm start\`\n`,
    )
  })
})
