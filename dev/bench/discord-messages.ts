// Status messages on Discord by one worker, against a stand-in: creating and editing 200, and looking for what is due
// among them and 10,000.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'
import { findDueMessages } from '../../src/features/webhooks/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { type Bench, startProduct } from './processes.ts'
import { atMost, type Finding, figure, median } from './report.ts'

const MESSAGES = 200
const MANY = 10_000
const LOOKS = 21
const IDLE_MS = 10_000

export async function benchDiscordMessages(bench: Bench): Promise<Finding[]> {
  const { pool } = bench
  let requests = 0
  const discord = createServer((req, res) => {
    req.resume().on('end', () => res.end(JSON.stringify({ id: String(++requests) })))
  })
  await new Promise<void>((resolve) => discord.listen(0, '127.0.0.1', resolve))
  const { port: discordPort } = discord.address() as AddressInfo
  await addMessages(bench, MESSAGES, `http://127.0.0.1:${discordPort}/api/webhooks/1/token`)
  const port = await freePort()
  const env = { DATABASE_URL: bench.url, WORKER_PORT: String(port), LOG_LEVEL: 'warn' }
  const worker = await startProduct('worker', env, port)

  /** Until Discord has got as many requests, and they are recorded. */
  async function until(count: number): Promise<{ seconds: number; workerMs: number; databaseMs: number }> {
    const [startedAt, workerFrom, databaseFrom] = [performance.now(), worker.cpuMicros(), bench.databaseCpuMicros()]
    while (requests < count || (await pool.query('select from discord_messages where lease_id is not null')).rowCount)
      await sleep(50)
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      workerMs: (worker.cpuMicros() - workerFrom) / 1_000 / MESSAGES,
      databaseMs: (bench.databaseCpuMicros() - databaseFrom) / 1_000 / MESSAGES,
    }
  }

  const created = await until(MESSAGES)
  await pool.query('update server_status set current_players = current_players + 1')
  await pool.query('update discord_messages set due_at = now()')
  const edited = await until(2 * MESSAGES)
  const [workerFrom, databaseFrom] = [worker.cpuMicros(), bench.databaseCpuMicros()]
  await sleep(IDLE_MS)
  const idle = [worker.cpuMicros() - workerFrom, bench.databaseCpuMicros() - databaseFrom].map((micros) =>
    (micros / IDLE_MS).toFixed(1),
  )
  await worker.stop()
  discord.close()

  const few = await lookMs(bench)
  await addMessages(bench, MANY - MESSAGES, 'http://127.0.0.1:1/api/webhooks/1/token')
  // All are due and show what their servers do: the most that a look reads.
  const many = await lookMs(bench)
  return [
    figure('messages, each by a webhook of its own', MESSAGES),
    figure('created', created.seconds.toFixed(1), 's, 40 a second at most'),
    figure('edited', edited.seconds.toFixed(1), 's, 40 a second at most'),
    figure('an edit: CPU of the worker', edited.workerMs.toFixed(2), 'ms'),
    figure('an edit: CPU of PostgreSQL', edited.databaseMs.toFixed(2), 'ms'),
    figure('nothing due: CPU of the whole worker and of PostgreSQL', idle.join(' and '), 'ms/s'),
    figure('a look for due messages', few.toFixed(1), 'ms'),
    atMost(`a look among ${MANY}`, Number(many.toFixed(1)), 100, 'ms'),
  ]
}

async function lookMs({ pool }: Bench): Promise<number> {
  await pool.query('update discord_messages set due_at = now(), shown = null')
  await pool.query('vacuum analyze')
  const times: number[] = []
  for (let look = 0; look < LOOKS; look++) {
    const from = performance.now()
    await findDueMessages(pool)
    times.push(performance.now() - from)
  }
  return median(times)
}

async function addMessages({ pool }: Bench, count: number, webhook: string): Promise<void> {
  const secretCipher = createSecretCipher({
    APP_SECRET: 'a secret of the benchmark, 32 characters and more',
    APP_SECRET_PREVIOUS: undefined,
  })
  await pool.query(
    `with listing as (
       insert into servers (id, game, name, ip_address, game_port, query_port)
       select gen_random_uuid(), 'protocol-valve', 'Server ' || n, '10.0.' || $1 % 250 || '.1', n, n from generate_series(1, $1::integer) as n returning id),
     status as (
       insert into server_status (server_id, is_online, current_players, max_players, map) select id, true, 3, 10, 'plains' from listing),
     endpoint as (
       insert into endpoints (id, server_id, kind, url, events) select id, id, 'discord-status', $2, '{}' from listing)
     insert into discord_messages (endpoint_id, webhook_id) select id, id from listing`,
    [count, secretCipher.encrypt('webhook-url', webhook)],
  )
}
