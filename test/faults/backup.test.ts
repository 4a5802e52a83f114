// A backup taken under load equals the original when restored, and the copy sends nothing until it is adopted.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { mail } from '../../src/features/mail/index.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { queueDeliveries } from '../../src/features/webhooks/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { adoptInstallation, isUnadoptedCopy } from '../../src/platform/db/installation.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { TEST_SECRET } from '../support/api.ts'
import { backup, createEmptyDatabase, restore, temporaryFile } from '../support/backups.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { NODE_ARGS } from '../support/node.ts'
import { addPerson } from '../support/people.ts'
import { startProcess } from '../support/processes.ts'
import { beginFaultRun } from './support/run.ts'

const execute = promisify(execFile)

function openPool(url: string): Pool {
  const pool = createPool({ url, max: 5, applicationName: 'test', log: testLog })
  onTestFinished(() => pool.end())
  return pool
}
const database = (url: string, name: string) => url.replace(/\/[^/]+$/, `/${name}`)

function mailFolder(): { DATA_DIR: string; mails(): string[] } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-copy-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  const mails = path.join(folder, 'mail')
  return {
    DATA_DIR: folder,
    mails: () => (fs.existsSync(mails) ? fs.readdirSync(mails).filter((f) => f.endsWith('.eml')) : []),
  }
}

/** An owner's endpoint that records what it receives. */
async function startReceiver(): Promise<{ url: string; ids: string[] }> {
  const ids: string[] = []
  const server = http.createServer((req, res) => {
    ids.push(String(req.headers['webhook-id']))
    req.resume().on('end', () => res.end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ids }
}

/** Adds a mail and a webhook that are not sent yet. @returns the webhook's id */
async function owe(pool: Pool, url: string, receiver: string): Promise<string> {
  const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
  const { id } = await addPerson(pool)
  await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: id }])
  const server = await createServers({ pool }).add({
    name: 'An owner’s',
    ipAddress: '127.8.8.8',
    gamePort: 8,
    queryPort: 8,
  })
  const secretCipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, $2, '{vote.created}', $3)`,
    [
      server.id,
      secretCipher.encrypt('webhook-url', receiver),
      secretCipher.encrypt('webhook', `whsec_${Buffer.alloc(32, 7).toString('base64')}`),
    ],
  )
  await queueDeliveries(pool, jobs, [{ serverId: server.id, type: 'vote.created', at: new Date(), data: {} }])
  await jobs.stop()
  const { rows } = await pool.query<{ id: string }>('select id from endpoint_deliveries')
  return rows[0]?.id ?? ''
}

/** Expects a worker on a copy to poll and report but send nothing, until the copy is adopted. */
async function expectQuietUntilAdopted(
  pool: Pool,
  url: string,
  owed: { receiver: { ids: string[] }; webhookId: string },
): Promise<void> {
  expect(await isUnadoptedCopy(pool)).toBe(true)
  const { DATA_DIR, mails } = mailFolder()
  const [worker, api] = await Promise.all([
    startProcess('workers/main.ts', url, { DATA_DIR, NODE_ENV: 'development' }),
    startProcess('src/main.ts', url, {
      STRIPE_SECRET_KEY: 'sk_test_none',
      STRIPE_WEBHOOK_SECRET: 'whsec_none',
      STRIPE_API_BASE: 'http://127.0.0.1:9',
      STRIPE_PRICE_STANDARD: 'price_1',
      STRIPE_PRICE_PREMIUM: 'price_2',
      STRIPE_PRICE_ENTERPRISE: 'price_3',
    }),
  ])
  await vi.waitFor(() => expect(worker.output()).toContain('this database is a restored copy'), { timeout: 20_000 })
  // The worker runs: it polls the listed server.
  await vi.waitFor(
    async () => {
      const { rows } = await pool.query('select count(*) as polled from server_status where last_polled_at is not null')
      expect(rows[0]?.polled).toBeGreaterThan(0)
    },
    { timeout: 40_000, interval: 200 },
  )
  expect(mails()).toEqual([])
  expect(owed.receiver.ids).toEqual([])
  const buyer = await addPerson(pool)
  const checkout = await fetch(`${api.url}/api/billing/checkout`, {
    method: 'POST',
    headers: { cookie: buyer.cookie, 'content-type': 'application/json' },
    body: '{"tier":"standard"}',
  })
  expect(checkout.status).toBe(503)
  expect(await checkout.json()).toMatchObject({
    error: 'billing_unavailable',
    message: expect.stringContaining('npm run adopt'),
  })
  const { stdout } = await execute(process.execPath, [...NODE_ARGS, 'commands/adopt/main.ts'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  })
  expect(stdout).toContain('adopted')
  await vi.waitFor(() => expect(mails()).toHaveLength(1), { timeout: 20_000, interval: 100 })
  await vi.waitFor(() => expect(owed.receiver.ids).toEqual([owed.webhookId]), { timeout: 20_000, interval: 100 })
  expect(await isUnadoptedCopy(pool)).toBe(false)
}

it('backup: taken under load, it restores to what was there at one moment, with all rules, and the copy keeps quiet', async ({
  task,
}) => {
  const run = beginFaultRun({ task })
  const url = await createEmptyDatabase(inject('postgresUrl'))
  await prepareDatabase({ DATABASE_URL: url }, testLog)
  const pool = openPool(url)
  const receiver = await startReceiver()
  const webhookId = await owe(pool, url, receiver.url)

  const servers = createServers({ pool })
  let loading = true
  let listed = 0
  const load = (async () => {
    for (let port = 1; loading; port++) {
      const each = Array.from({ length: 20 }, (_, n) => ({
        name: `Server ${port}-${n}`,
        ipAddress: `127.9.${n}.1`,
        gamePort: port,
        queryPort: port,
      }))
      listed += (await servers.addMany(each)).length
      await addPerson(pool)
    }
  })()
  await vi.waitFor(() => expect(listed).toBeGreaterThan(100), { timeout: 20_000 })
  const file = temporaryFile('directory.backup')
  const atBegin = listed
  const taken = await backup(file, url)
  expect(taken.code, taken.out).toBe(0)
  const atEnd = listed
  loading = false
  await load

  const copy = await createEmptyDatabase(url)
  const restored = await restore(file, copy)
  expect(restored.code, restored.out).toBe(0)
  const copyPool = openPool(copy)
  const [before, after] = [await contentsOf(pool), await contentsOf(copyPool)]
  run.tried('database lost, restored from a backup under load')
  run.worked('tables restored', Object.keys(after.rows).length)
  run.worked(
    'rows',
    Object.values(after.rows).reduce((sum, rows) => sum + rows, 0),
  )
  const { servers: all = 0 } = Object.fromEntries(
    Object.entries(after.rows).map(([name, rows]) => [name.slice(7), rows]),
  )
  run.expectNothingLost({
    // Listed in one transaction: a backup of several moments would have more of one than of the other.
    'tables of another moment': ['server_status', 'server_counters', 'server_polls'].filter(
      (name) => after.rows[`public.${name}`] !== all,
    ),
    'constraints, indexes and triggers': before.rules.filter((rule) => !after.rules.includes(rule)),
    'rules that are new': after.rules.filter((rule) => !before.rules.includes(rule)),
  })
  expect(all).toBeGreaterThan(atBegin)
  expect(all).toBeLessThanOrEqual(atEnd + 21)
  expect(await isUnadoptedCopy(pool), 'the original is no copy').toBe(false)
  await expectQuietUntilAdopted(copyPool, copy, { receiver, webhookId })
}, 150_000)

it('a copy made inside the server sends nothing either', async () => {
  const { url, pool } = await createTestDatabase()
  await createServers({ pool }).add({ name: 'A server', ipAddress: '127.0.0.1', gamePort: 9, queryPort: 9 })
  const receiver = await startReceiver()
  const webhookId = await owe(pool, url, receiver.url)
  const { rows } = await pool.query<{ name: string }>('select current_database() as name')
  const name = `${rows[0]?.name}_copy`
  const admin = openPool(database(url, 'postgres'))
  await admin.query(`create database ${name} template ${rows[0]?.name}`).catch(async () => {
    // First close other connections to the original, such as the pool's idle one.
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [rows[0]?.name])
    await admin.query(`create database ${name} template ${rows[0]?.name}`)
  })
  onTestFinished(async () => {
    const client = new pg.Client({ connectionString: database(url, 'postgres') })
    await client.connect()
    await client.query(`drop database ${name} with (force)`)
    await client.end()
  })
  await expectQuietUntilAdopted(openPool(database(url, name)), database(url, name), { receiver, webhookId })
}, 90_000)

it('a restart of the database does not make it a copy, and adopting it changes nothing', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-restart-'))
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  for (const round of [1, 2]) {
    const postgres = await startPostgres({ folder, database: 'directory' })
    const url = postgres.url('directory')
    await prepareDatabase({ DATABASE_URL: url }, testLog)
    const pool = createPool({ url, max: 2, applicationName: 'test', log: testLog })
    expect(await isUnadoptedCopy(pool), `round ${round}`).toBe(false)
    expect(await adoptInstallation(pool)).toBe(false)
    await pool.end()
    await postgres.stop()
  }
}, 60_000)

/** The row count of each table, and every constraint. */
async function contentsOf(
  db: Pick<pg.ClientBase, 'query'>,
): Promise<{ rows: Record<string, number>; rules: string[] }> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'pgboss', 'player_history_days') order by 1`,
  )
  const rows: Record<string, number> = {}
  for (const { name } of tables) {
    const counted = await db.query<{ count: number }>(`select count(*) from ${name}`)
    rows[name] = Number(counted.rows[0]?.count)
  }
  const { rows: rules } = await db.query<{ rule: string }>(
    `select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as rule from pg_constraint
       where connamespace::regnamespace::text in ('public', 'pgboss', 'player_history_days') and conrelid <> 0
     union all select indexdef from pg_indexes where schemaname in ('public', 'pgboss', 'player_history_days')
     union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1`,
  )
  // Restoring an `and` of three drops parentheses.
  return { rows, rules: rules.map(({ rule }) => rule.replaceAll(/[()]/g, '')).sort() }
}
