// DATABASE_URL through a real PgBouncer: refused at the start without DATABASE_DIRECT_URL; with it, everything works.
import { spawnSync } from 'node:child_process'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startFleet } from '../../dev/simulator/fleet.ts'
import { createServers } from '../../src/features/servers/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { TEST_SECRET } from '../support/api.ts'
import { createTestDatabase } from '../support/database.ts'
import { isMissing } from '../support/installed.ts'
import { NODE_ARGS } from '../support/node.ts'
import { startPgBouncer } from '../support/pgbouncer.ts'
import { startProcess } from '../support/processes.ts'
import { storedSamples } from '../support/stored-samples.ts'
import { newSecret, startReceiver } from '../workers/webhooks/support.ts'

const { pool, url } = await createTestDatabase()
const WAIT_OPTIONS = { timeout: 40_000, interval: 100 }

/** Starts a program that has to refuse. */
function start(program: string, env: Record<string, string>) {
  const { status, stderr } = spawnSync(process.execPath, [...NODE_ARGS, program], {
    env: { PATH: process.env.PATH, APP_SECRET: TEST_SECRET, PORT: '0', WORKER_PORT: '0', LOG_LEVEL: 'silent', ...env },
    encoding: 'utf8',
    timeout: 50_000,
  })
  return { status, stderr }
}

describe.skipIf(isMissing('pgbouncer'))('behind PgBouncer', () => {
  it.each([
    ['src/main.ts', 'api', {}],
    ['src/main.ts', 'api', { ignore_startup_parameters: 'options' }], // as versions from 1.20 on, which take them
    ['src/main.ts', 'api', { pool_mode: 'session' }],
    ['workers/main.ts', 'worker', {}],
    ['src/migrate.ts', 'migrate', {}],
  ])('%s refuses it in one line that names the setting to add (%s, %j)', async (program, name, settings) => {
    expect(start(program, { DATABASE_URL: await startPgBouncer(url, settings) })).toEqual({
      status: 1,
      stderr: `${name}: bad setting: DATABASE_URL leads to a connection pooler: set DATABASE_DIRECT_URL to the PostgreSQL server itself as well\n`,
    })
  })

  it('refuses a DATABASE_DIRECT_URL that leads to a pooler or to another database', async () => {
    const pooled = await startPgBouncer(url)
    expect(start('src/main.ts', { DATABASE_URL: pooled, DATABASE_DIRECT_URL: pooled }).stderr).toBe(
      'api: bad setting: DATABASE_DIRECT_URL leads to a connection pooler: set it to the PostgreSQL server itself\n',
    )
    const other = new URL(url)
    other.pathname = '/postgres'
    expect(start('src/main.ts', { DATABASE_URL: pooled, DATABASE_DIRECT_URL: other.href }).stderr).toBe(
      'api: bad setting: DATABASE_URL and DATABASE_DIRECT_URL lead to different databases\n',
    )
  })

  it('polls, votes, webhooks, limits and the feed work in transaction mode', async () => {
    const fleet = await startFleet({ count: 40, first: 910_000, each: () => ({ info: { players: 3 } }) })
    onTestFinished(fleet.close)
    const results = await createServers({ pool }).addMany(
      fleet.servers.map(({ address, port }, n) => ({
        name: `Server ${n}`,
        ipAddress: address,
        gamePort: port,
        queryPort: port,
        game: 'protocol-valve',
      })),
    )
    const ids = results.flatMap((result) => ('id' in result ? [result.id] : []))
    const receiver = await startReceiver((_, res) => res.writeHead(204).end())
    const cipher = createSecretCipher({ APP_SECRET: TEST_SECRET, APP_SECRET_PREVIOUS: undefined })
    for (const serverId of ids.slice(0, 10))
      await pool.query(
        `insert into endpoints (id, server_id, url, events, secret) values ($1, $1, $2, '{vote.created}', $3)`,
        [
          serverId,
          cipher.encrypt('webhook-url', `${receiver.url}/${serverId}`),
          cipher.encrypt('webhook', newSecret()),
        ],
      )

    const pooled = await startPgBouncer(url)
    const env = {
      DATABASE_DIRECT_URL: url,
      RATE_LIMIT_STORE: 'postgres',
      RATE_LIMIT_IP_PER_MINUTE: '100000',
      POLL_INTERVAL_SECONDS: '1',
      DATABASE_POOL_MAX: '20',
    }
    const processes = await Promise.all([
      startProcess('src/main.ts', pooled, env),
      startProcess('workers/main.ts', pooled, env),
    ])
    const [api] = processes

    const vote = async (serverId: string, n: number) => {
      const reply = await fetch(`${api.url}/api/servers/${serverId}/vote`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ visitorId: `visitor ${n} of the pooler` }),
      })
      return [reply.status, ((await reply.json()) as { webhookSent?: boolean }).webhookSent]
    }
    for (let n = 0; n < 200; n += 10) {
      const voted = await Promise.all(Array.from({ length: 10 }, (_, i) => vote(ids[(n + i) % 40] ?? '', n + i)))
      expect(voted).toEqual(voted.map((_, i) => [200, (n + i) % 40 < 10]))
    }

    // Each server several times, so that statements meet connections on which others were prepared.
    const polledAgain = async () => {
      const samples = Map.groupBy(await storedSamples(pool, ids), ({ serverId }) => serverId)
      return Math.min(...ids.map((id) => samples.get(id)?.length ?? 0))
    }
    await expect.poll(polledAgain, WAIT_OPTIONS).toBeGreaterThan(4)
    await expect.poll(() => receiver.received.length, WAIT_OPTIONS).toBe(50)
    // What the worker wrote comes by the feed.
    const stats = async () => await (await fetch(`${api.url}/api/public/stats`)).json()
    await expect.poll(stats, WAIT_OPTIONS).toMatchObject({ onlineServers: 40, totalPlayers: 120, totalVotes: 200 })

    // Sessions behind the pooler are UTC, whatever the server's default: Prisma's dates depend on it.
    await pool.query(`alter database ${new URL(url).pathname.slice(1)} set timezone to 'Asia/Kolkata'`)
    const account = { email: 'owner@example.com', password: 'plough the 7 seas', username: 'Owner' }
    const registered = await fetch(`${api.url}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    })
    expect(registered.status).toBe(201)
    const { user } = (await registered.json()) as { user: { id: string; createdAt: string } }
    const { rows } = await pool.query<{ at: Date }>('select created_at as at from users where id = $1', [user.id])
    expect(user.createdAt).toBe(rows[0]?.at.toISOString())

    for (const { output, child } of processes) {
      const failures = output()
        .split('\n')
        .filter((line) => /"level":"(warn|error|fatal)"|prepared statement/.test(line))
      expect(failures).toEqual([])
      child.kill('SIGTERM')
    }
  })
})
