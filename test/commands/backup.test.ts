// `npm run backup` and `npm run restore`: what comes back, across versions, and every file or database that is refused.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest'
import { dump } from '../../commands/backup/dump.ts'
import { createProgress } from '../../commands/backup/progress.ts'
import { createRowChecksum } from '../../commands/backup/row-checksum.ts'
import { openSession } from '../../commands/backup/session.ts'
import { startPostgres } from '../../commands/start/embedded-postgres.ts'
import { recordSweep } from '../../src/features/auctions/obstacles.sql.ts'
import { addPending, rollUpHours } from '../../src/features/history/index.ts'
import { mail } from '../../src/features/mail/index.ts'
import { poll } from '../../src/features/polling/index.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { rankVoteMonths } from '../../src/features/votes/index.ts'
import { queueDeliveries } from '../../src/features/webhooks/index.ts'
import { prepareDatabase } from '../../src/migrate.ts'
import { isUnadoptedCopy } from '../../src/platform/db/installation.ts'
import { MIGRATIONS, migrate, pendingMigrations } from '../../src/platform/db/migrate.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { installQueues, openJobs, openWorkerJobs } from '../../src/platform/queue/jobs.ts'
import { addSlot } from '../support/auctions.ts'
import { backup, begin, contentOf, createEmptyDatabase, restore, temporaryFile, withPool } from '../support/backups.ts'
import { createTestDatabase, testLog } from '../support/database.ts'
import { findPostgres, startInstalledPostgres } from '../support/installed-postgres.ts'
import { addPerson } from '../support/people.ts'
import { insertSamples } from '../support/stored-samples.ts'

const serverUrl = inject('postgresUrl')

/** What COPY's text has to escape, and what else a careless reader of lines stumbles over. */
const AWKWARD = [
  '\\.',
  'a\nb',
  'a\r\nb\tc',
  '\\N',
  '\\\\',
  '',
  'Ünïté 数据 🎮',
  '{"table":"servers"}',
  '\\.\n{"tables":1}\n',
]

/**
 * Something in many tables: odd text, arrays, JSON, bytes, history of days past, jobs in both kinds of partition, a
 * sequence that has moved.
 */
async function fill(pool: Pool, url: string): Promise<void> {
  const servers = createServers({ pool })
  const listed = await servers.addMany(
    AWKWARD.map((text, n) => ({
      name: `Server ${n}`,
      description: text,
      ipAddress: `127.3.0.${n + 1}`,
      gamePort: 7777,
      queryPort: 27015,
    })),
  )
  const [first = '', second = ''] = listed.map((server) => ('id' in server ? server.id : ''))
  const { id } = await addPerson(pool)
  await pool.query('update servers set owner_id = $1, tags = $2, last_wipe_at = now()', [id, AWKWARD])
  for (const message of AWKWARD)
    await pool.query(
      `insert into contact_messages (id, name, email, message, visitor) values (gen_random_uuid(), 'x', 'x@example.com', $1, $1)`,
      [message],
    )
  const at = new Date('2026-03-01T23:59:59.999Z')
  for (const [serverId, later, players] of [
    [first, 0, 3],
    [second, 1, null],
  ] as const)
    await insertSamples(pool, {
      serverIds: [serverId],
      polledAt: new Date(at.getTime() + later),
      players: [players],
      maxPlayers: [70],
    })
  await rollUpHours(pool, new Date('2026-03-02T00:10:00Z'))
  await addPending(pool, { serverIds: [first, second], polledAt: new Date(), players: [1, null], maxPlayers: [70, 70] })
  await pool.query('update server_uptime set day = 0.1, week = 0.333333 where server_id = $1', [first])
  // A trigger marks the month as not ranked, and another one notes since when the slot is inactive.
  await pool.query(`insert into server_vote_months (server_id, month, votes) values ($1, '2026-02-01', 3)`, [first])
  await rankVoteMonths(pool)
  await addSlot(pool, { isActive: false })
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, 'encrypted', '{vote.created}', 'encrypted')`,
    [first],
  )
  const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
  await queueDeliveries(pool, jobs, [{ serverId: first, type: 'vote.created', at, data: { text: AWKWARD } }])
  await jobs.enqueue(pool, mail, [{ kind: 'password-changed', userId: id }])
  await pool.query(`select pgboss.create_queue('other', '{"policy":"stately","partition":true}')`)
  await jobs.boss.insert('other', [{ data: { text: AWKWARD } }])
  await jobs.boss.insert(poll.queue, [{ data: { text: AWKWARD } }])
  await jobs.stop()
}

async function createFilled(): Promise<string> {
  const url = await createMigrated()
  await withPool(url, (pool) => fill(pool, url))
  return url
}

/** Closes its connections, because `restore` refuses a database that programs are connected to. */
async function createMigrated(): Promise<string> {
  const { url, pool } = await createTestDatabase()
  await pool.end()
  return url
}

async function expectDone(ran: Promise<{ code: number | null; out: string }>): Promise<string> {
  const { code, out } = await ran
  expect(code, out).toBe(0)
  return out
}

async function expectRefused(
  ran: Promise<{ code: number | null; out: string }>,
  reason: string | RegExp,
): Promise<void> {
  const { code, out } = await ran
  expect(out).toMatch(reason)
  expect(code).toBe(1)
}

it('files are relative to the folder where npm was called', async () => {
  const url = await createMigrated()
  const file = temporaryFile('made.backup')
  const env = { DATABASE_URL: url, INIT_CWD: path.dirname(file) }
  await expectDone(begin('backup', ['made.backup'], env).ended)
  expect(fs.existsSync(file)).toBe(true)
  await expectDone(begin('restore', ['made.backup', '--replace'], env).ended)
})

it('a backup goes to standard output through npm only where npm writes nothing of its own there', async () => {
  const { url, pool } = await createTestDatabase()
  const file = temporaryFile('piped.backup')
  const script = ['backup', '--', '-']
  const pipe = (...options: string[]) =>
    spawnSync('npm', ['run', ...options, ...script], {
      env: { PATH: process.env.PATH, DATABASE_URL: url },
      stdio: ['ignore', fs.openSync(file, 'w'), 'pipe'],
      encoding: 'utf8',
    })
  const noisy = pipe()
  expect(noisy.stderr).toContain('run `npm run -s backup -- -`')
  expect(noisy.status).toBe(2)
  const silent = pipe('-s')
  expect(silent.status, silent.stderr).toBe(0)
  expect(Object.keys(await contentOf(file))).toContain('servers')
  await pool.end()
})

it('a backup to a folder is refused before anything is read', async () => {
  const folder = path.dirname(temporaryFile('none'))
  // No database is there: it would be reported if it were needed.
  const ran = await backup(folder, 'postgres://localhost:1/nothing')
  expect(ran).toMatchObject({ code: 2, out: expect.stringContaining(`${folder} is a folder: name the file to write`) })
})

it('a backup over midnight does not keep workers from supervising the queues', async () => {
  const { url, pool } = await createTestDatabase()
  const worker = await openWorkerJobs({ url, log: testLog, applicationName: 'worker' })
  const client = await openSession(url, 'backup')
  const parts = dump(client, createProgress({ write: () => true }))
  try {
    await worker.boss.supervise()
    const { rows } = await pool.query<{ last: string }>(
      `select max(inhrelid::regclass::text) as last from pg_inherits where inhparent = 'pgboss.queue_stats'::regclass`,
    )
    await parts.next()
    await pool.query(`set lock_timeout = '5s'; drop table ${rows[0]?.last}`) // the partition that midnight adds
    await worker.boss.supervise()
    const tables: string[] = []
    for await (const bytes of parts) {
      const [, table] = /^\{"table":"([^"]+)"/.exec(bytes.toString()) ?? []
      if (table) tables.push(table)
    }
    expect(tables.at(-1)).toBe('pgboss.queue_stats')
  } finally {
    await client.end()
    await worker.stop()
  }
})

it('a backup that is interrupted leaves no part of a file', async () => {
  const { url, pool } = await createTestDatabase()
  const file = temporaryFile('interrupted')
  const client = await pool.connect()
  try {
    await client.query('begin; lock table servers in access exclusive mode')
    const { child, ended } = begin('backup', [file], { DATABASE_URL: url })
    await expect.poll(() => fs.existsSync(`${file}.part`)).toBe(true)
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 130 })
    expect(fs.readdirSync(path.dirname(file))).toEqual([])
  } finally {
    client.release(true)
    await pool.end()
  }
})

describe('a backup that is restored', () => {
  it('holds the same in a backup of its own, with sequences that go on and a mark that keeps it quiet', async () => {
    const url = await createFilled()
    const [first, second] = [temporaryFile('first'), temporaryFile('second')]
    const { host, pathname } = new URL(url)
    const made = await expectDone(backup(first, url))
    expect(made).toContain(`database: PostgreSQL on ${host}${pathname}\n`)
    expect(made).toContain('Keep APP_SECRET apart from it')
    expect(fs.statSync(first).mode & 0o777).toBe(0o600)
    const copy = await createEmptyDatabase(serverUrl)
    expect(await expectDone(restore(first, copy))).toContain('npm run adopt')
    await withPool(copy, async (pool) => {
      expect(await isUnadoptedCopy(pool)).toBe(true)
      expect(await pendingMigrations(pool)).toEqual([])
      const { rows } = await pool.query<{ tags: string[] }>('select tags from servers')
      expect(rows).toEqual(AWKWARD.map(() => ({ tags: AWKWARD })))
      const { rows: sequence } = await pool.query(
        `select nextval('endpoint_deliveries_number_seq') - max(number) as step from endpoint_deliveries`,
      )
      expect(sequence).toEqual([{ step: 1 }])
      // The feed of the new server must see the rows as of a transaction of its own.
      const { rows: early } = await pool.query(
        'select 1 from servers where changed_in < (select min(xmin::text::xid8) from servers)',
      )
      expect(early).toEqual([])
      const { rows: disabled } = await pool.query(`select tgname from pg_trigger where tgenabled = 'D'`)
      expect(disabled).toEqual([])
    })
    await expectDone(backup(second, copy))
    const content = await contentOf(first)
    expect(await contentOf(second)).toEqual(content)
    for (const [table, rows] of Object.entries({
      servers: 9,
      player_history_chunks: 1,
      player_history_pending: 1,
      player_history_recent: 2,
      server_vote_months: 1,
      ad_slot_pauses: 1,
      contact_messages: 9,
      endpoint_deliveries: 1,
      users: 1,
    }))
      expect(content[table], table).toMatch(new RegExp(`^${rows} `))
    expect(Object.keys(content)).toContain('pgboss.job')
  })

  for (const version of [15, 16, 17])
    it(`goes from PostgreSQL 18 to ${version} and back`, async ({ skip }) => {
      const programs = findPostgres([version])
      if (!programs) {
        console.log(`skipped: no PostgreSQL ${version} is installed on this machine`)
        return skip()
      }
      const url = await createFilled()
      const other = await createEmptyDatabase(await startInstalledPostgres(programs))
      const back = await createEmptyDatabase(serverUrl)
      const files = [temporaryFile('18'), temporaryFile('older'), temporaryFile('18')] as const
      await expectDone(backup(files[0], url))
      await expectDone(restore(files[0], other))
      await expectDone(backup(files[1], other))
      await expectDone(restore(files[1], back))
      await expectDone(backup(files[2], back))
      const content = await contentOf(files[0])
      expect(await contentOf(files[1])).toEqual(content)
      expect(await contentOf(files[2])).toEqual(content)
    })

  it('of an earlier release is brought to this one', async () => {
    const names = fs
      .readdirSync(MIGRATIONS)
      .filter((name) => fs.existsSync(`${MIGRATIONS}/${name}/migration.sql`))
      .sort()
    const folder = temporaryFile('migrations')
    for (const name of names.slice(0, -1)) fs.cpSync(`${MIGRATIONS}/${name}`, `${folder}/${name}`, { recursive: true })
    const url = await createFilled()
    const old = await createEmptyDatabase(serverUrl)
    await migrate({ url: old, log: testLog, folder })
    await installQueues({ url: old, log: testLog, applicationName: 'test' }, [poll])
    const [file, newer] = [temporaryFile('old'), temporaryFile('newer')]
    await expectDone(backup(file, old))
    await expectDone(restore(file, url, '--replace'))
    await withPool(url, async (pool) => {
      expect(await pendingMigrations(pool)).toEqual([])
      expect((await pool.query('select name from servers')).rows).toEqual([])
    })

    await withPool(url, (pool) =>
      pool.query(
        `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '9999_future', now())`,
      ),
    )
    await expectDone(backup(newer, url))
    await expectRefused(restore(newer, old), 'migration 9999_future is not on disk: use the release that applied it')
  })

  it('with player history of release 0.1 is refused before anything changes', async () => {
    const [url, other] = [await createFilled(), await createEmptyDatabase(serverUrl)]
    await withPool(url, async (pool) => {
      await pool.query(
        `create table player_history_days.d20260301 partition of player_history
         for values from ('2026-03-01T00:00Z') to ('2026-03-02T00:00Z')`,
      )
      await pool.query(`insert into player_history values (gen_random_uuid(), '2026-03-01T12:00Z', 3, 70)`)
    })
    const file = temporaryFile('old-history')
    await expectDone(backup(file, url))
    await expectRefused(restore(file, other), 'history is in the format of release 0.1: restore it with release 0.2')
    await withPool(other, async (pool) => {
      expect((await pool.query(`select from pg_class where relnamespace = 'public'::regnamespace`)).rowCount).toBe(0)
    })
  })

  it('with addresses of webhooks that release 0.2 has not encrypted is refused, and changes nothing', async () => {
    const folder = temporaryFile('migrations-of-0.2')
    for (const name of fs.readdirSync(MIGRATIONS))
      if (name < '0077_webhooks_of_0_1') fs.cpSync(`${MIGRATIONS}/${name}`, `${folder}/${name}`, { recursive: true })
    const [url, old] = [await createFilled(), await createEmptyDatabase(serverUrl)]
    await migrate({ url: old, log: testLog, folder })
    await installQueues({ url: old, log: testLog, applicationName: 'test' }, [poll])
    await withPool(old, async (pool) => {
      await pool.query(`
        with server as (
          insert into servers (id, game, name, ip_address, game_port, query_port)
          values (gen_random_uuid(), 'ase', 'Old', 'old.example', 7777, 27015) returning id)
        insert into webhook_endpoints (server_id, url, events, secret)
        select id, 'https://owner.example/', '{vote.created}', '' from server`)
    })
    const file = temporaryFile('old-webhooks')
    await expectDone(backup(file, old))
    await expectRefused(restore(file, url, '--replace'), 'webhooks are in the format of release 0.1')
    await withPool(url, async (pool) => {
      expect(await pendingMigrations(pool)).toEqual([])
      expect((await pool.query(`select from servers where name = 'Old'`)).rowCount).toBe(0)
    })
  })

  it('takes memory that does not grow with the data', async () => {
    const [small, large] = [10, 80]
    const peaks: Record<'backup' | 'restore', number[]> = { backup: [], restore: [] }
    const preload = temporaryFile('peak.mjs')
    fs.writeFileSync(preload, `process.on('exit', () => console.error('peak', process.resourceUsage().maxRSS))`)
    const peakOf = async (command: 'backup' | 'restore', file: string, url: string) => {
      const out = await expectDone(begin(command, [file], { DATABASE_URL: url }, ['--import', preload]).ended)
      peaks[command].push(Number(/peak (\d+)/.exec(out)?.[1]))
    }
    for (const megabytes of [small, large]) {
      const url = await createMigrated()
      await withPool(url, (pool) =>
        pool.query(
          `insert into contact_messages (id, name, email, message, visitor)
           select gen_random_uuid(), 'x', 'x@example.com', (select string_agg(md5(n || ' ' || i), '') from generate_series(1, 312) i), 'x'
           from generate_series(1, $1) n`,
          [megabytes * 100],
        ),
      )
      const file = temporaryFile('large')
      await peakOf('backup', file, url)
      expect(fs.statSync(file).size).toBeGreaterThan(megabytes * 400_000)
      await peakOf('restore', file, await createEmptyDatabase(serverUrl))
    }
    for (const [command, [few = 0, many = 0]] of Object.entries(peaks)) {
      console.log(
        `${command}: ${Math.round(few / 1024)} MB with ${small} MB of data, ${Math.round(many / 1024)} MB with ${large} MB`,
      )
      expect(many / few, command).toBeLessThan(1.4)
    }
  })
})

describe('a file', () => {
  it('that was cut short or altered anywhere is refused, and the database stays as it is', async () => {
    const url = await createFilled()
    const file = temporaryFile('whole')
    await expectDone(backup(file, url))
    const whole = fs.readFileSync(file)
    const harmed = temporaryFile('harmed')
    const altered = (place: number) => {
      const bytes = Buffer.from(whole)
      bytes[place] = (bytes[place] ?? 0) ^ 1
      return bytes
    }
    const copy = await createEmptyDatabase(serverUrl)
    for (const [bytes, reason] of [
      [whole.subarray(0, whole.length - 1), /is truncated or damaged \(its end is missing\)/],
      [whole.subarray(0, whole.length / 2), /is truncated or damaged \(its end is missing\)/],
      [whole.subarray(0, 10), /is truncated or damaged/],
      [Buffer.concat([whole, Buffer.from('more')]), /is truncated or damaged/],
      [altered(whole.length >> 1), /is truncated or damaged/],
      [altered(whole.length - 1), /is truncated or damaged/],
      [Buffer.from('create table …'), /is not a backup made by/],
      [Buffer.alloc(0), /is not a backup made by/],
    ] as const) {
      fs.writeFileSync(harmed, bytes)
      await expectRefused(restore(harmed, copy), reason)
    }
    await expectRefused(restore(`${file}.none`, copy), /can’t be read: ENOENT/)
    await withPool(copy, async (pool) => {
      expect(
        (await pool.query(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).rows,
      ).toEqual([])
    })
  })

  it('of an earlier backup stays when a later one fails or can’t be read back', async () => {
    const file = temporaryFile('kept')
    fs.writeFileSync(file, 'an earlier one')
    await expectRefused(backup(file, await createEmptyDatabase(serverUrl)), 'the database is not migrated')
    const preload = temporaryFile('cut.mjs')
    fs.writeFileSync(
      preload,
      `import fs from 'node:fs'
       const { createWriteStream } = fs
       fs.createWriteStream = (file, options) =>
         createWriteStream(file, options).once('close', () => fs.truncateSync(file, fs.statSync(file).size - 1))`,
    )
    const cut = begin('backup', [file], { DATABASE_URL: await createMigrated() }, ['--import', preload])
    await expectRefused(cut.ended, 'is truncated or damaged (its end is missing)')
    expect(fs.readFileSync(file, 'utf8')).toBe('an earlier one')
    expect(fs.existsSync(`${file}.part`)).toBe(false)
  })
})

describe('a database', () => {
  it('that is not empty is refused, unless --replace says to delete what it holds', async () => {
    const [url, other] = [await createFilled(), await createFilled()]
    await withPool(other, (pool) => addPerson(pool))
    const [file, before, after] = [temporaryFile('file'), temporaryFile('before'), temporaryFile('after')]
    await expectDone(backup(file, url))
    await expectDone(backup(before, other))
    await expectRefused(restore(file, other), /is not empty \(.*npm run restore -- FILE --replace/)
    await expectDone(backup(after, other))
    expect(await contentOf(after)).toEqual(await contentOf(before))
    await expectDone(restore(file, other, '--replace'))
    await expectDone(backup(after, other))
    expect(await contentOf(after)).toEqual(await contentOf(file))
  })

  it('of a new directory whose processes have run for a minute counts as empty', async () => {
    const [url, other] = [await createMigrated(), await createMigrated()]
    const file = temporaryFile('file')
    await expectDone(backup(file, url))
    await withPool(other, async (pool) => {
      await recordSweep(pool)
      await pool.query(
        `insert into push_keys (id, public_key, private_key) values (gen_random_uuid(), 'public', 'private')`,
      )
      await pool.query(`insert into discovery_sources (source, next_run_at) values ('steam', now())`)
    })
    await expectDone(restore(file, other))
  })

  it('that can’t hold the locks of a restore stays as it is, and the message says what to raise', async () => {
    const folder = temporaryFile('cluster')
    fs.chmodSync(path.dirname(folder), 0o755) // the server may run as another user
    const settings = { fsync: 'off', max_connections: '15', max_locks_per_transaction: '10' }
    const server = await startPostgres({ folder, database: 'directory', settings })
    try {
      await prepareDatabase({ DATABASE_URL: server.url() }, testLog)
      const file = temporaryFile('file')
      await expectDone(backup(file, server.url()))
      await expectRefused(restore(file, server.url(), '--replace'), 'raise max_locks_per_transaction of PostgreSQL')
      await withPool(server.url(), async (pool) => expect(await pendingMigrations(pool)).toEqual([]))
    } finally {
      await server.stop()
    }
  })

  it('of another program is refused', async () => {
    const file = temporaryFile('file')
    await expectDone(backup(file, await createFilled()))
    const other = await createEmptyDatabase(serverUrl)
    await withPool(other, (pool) => pool.query('create table invoices (id int)'))
    await expectRefused(restore(file, other, '--replace'), 'contains tables of another program (invoices)')
  })

  it('that a program uses is refused, with the program’s name', async () => {
    const file = temporaryFile('file')
    await expectDone(backup(file, await createFilled()))
    const copy = await createEmptyDatabase(serverUrl)
    const user = new pg.Client({ connectionString: copy, application_name: 'worker' })
    await user.connect()
    onTestFinished(() => user.end())
    await expectRefused(restore(file, copy), /programs are connected to the database \(worker\): stop them/)
  })

  it('is as it was when a restore is killed at any moment, and can be restored into again', async () => {
    const url = await createFilled()
    await withPool(url, (pool) =>
      pool.query(`insert into contact_messages (id, name, email, message, visitor)
        select gen_random_uuid(), 'x', 'x@example.com', repeat(md5(n::text), 30), 'x' from generate_series(1, 20000) n`),
    )
    const [file, before, after] = [temporaryFile('file'), temporaryFile('before'), temporaryFile('after')]
    await expectDone(backup(file, url))
    const other = await createFilled()
    await expectDone(backup(before, other))
    for (const moment of ['restoring', 'contact_messages:', 'comparing']) {
      const restoring = begin('restore', [file, '--replace'], { DATABASE_URL: other })
      await vi.waitFor(() => expect(restoring.output()).toContain(moment), { timeout: 30_000, interval: 5 })
      restoring.child.kill('SIGKILL')
      await once(restoring.child, 'close')
      await expectDone(backup(after, other))
      expect(await contentOf(after), `killed at ${moment}`).toEqual(await contentOf(before))
    }
    await expectDone(restore(file, other, '--replace'))
    await expectDone(backup(after, other))
    expect(await contentOf(after)).toEqual(await contentOf(file))
  })
})

it('the checksum of rows does not depend on their order or on where they are cut, but on each of them', () => {
  const rows = ['one\n', 'two\n', 'two\n', '\n', 'a longer row\n']
  const sumOf = (pieces: (string | Buffer)[]) => {
    const checksum = createRowChecksum()
    for (const piece of pieces) checksum.add(Buffer.from(piece))
    return checksum.sum()
  }
  const sum = sumOf(rows)
  expect(sum.rows).toBe(5)
  expect(sumOf(rows.toReversed())).toEqual(sum)
  expect(sumOf([...Buffer.from(rows.join(''))].map((byte) => Buffer.from([byte])))).toEqual(sum)
  for (const other of [
    rows.slice(1),
    [...rows, '\n'],
    ['one\n', 'one\n', 'two\n', '\n', 'a longer row\n'],
    ['onetwo\n', '\n', ...rows.slice(2)],
  ])
    expect(sumOf(other).checksum).not.toBe(sum.checksum)
})
