// Receivers on real sockets, endpoints and deliveries in a real database, and workers that send.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, onTestFinished } from 'vitest'
import { openDeps } from '../../../src/deps.ts'
import { webhookWake } from '../../../src/features/webhooks/index.ts'
import { webhookIdOf } from '../../../src/features/webhooks/status-messages/requests.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { type ProcessSettings, readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import { inTransaction, type Pool } from '../../../src/platform/db/pool.ts'
import { type Jobs, openJobs, openWorkerJobs } from '../../../src/platform/queue/jobs.ts'
import { createDispatcher, type DispatcherOptions } from '../../../workers/webhooks/dispatcher.ts'
import { startWorker } from '../../../workers/worker.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'

/** The secret of the processes that test/support/processes.ts starts. */
const APP_SECRET = 'a secret of the tests, 32 characters and more'

export interface Received {
  id: string
  path: string
  headers: IncomingHttpHeaders
  body: string
  at: number
}

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** Ids in the order received, of one path or of all. */
  ids(path?: string): string[]
  /** Most simultaneous requests, by path. */
  mostAtOnce(path: string): number
}

/** @param answer 204 at once unless given */
export async function startReceiver(
  answer: (received: Received, res: ServerResponse) => void = (_, res) => res.writeHead(204).end(),
): Promise<Receiver> {
  const received: Received[] = []
  const open = new Map<string, number>()
  const most = new Map<string, number>()
  const sockets = new Set<Socket>()
  const server = createServer(async (req, res) => {
    const path = req.url ?? ''
    const now = (open.get(path) ?? 0) + 1
    open.set(path, now)
    most.set(path, Math.max(now, most.get(path) ?? 0))
    res.once('close', () => open.set(path, (open.get(path) ?? 1) - 1))
    req.on('error', () => undefined)
    let body = ''
    for await (const chunk of req) body += String(chunk)
    const one = { id: String(req.headers['webhook-id']), path, headers: req.headers, body, at: Date.now() }
    received.push(one)
    answer(one, res)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    ids: (path) => received.filter((one) => path === undefined || one.path === path).map(({ id }) => id),
    mostAtOnce: (path) => most.get(path) ?? 0,
  }
}

export interface DeliveryRow {
  status: string
  attempts: number
  /** Seconds until the next attempt is due; null when there is none. */
  dueIn: number | null
}

export interface AttemptRow {
  number: number
  status: number | null
  error: string | null
  latencyMs: number
  response: string
}

export interface EndpointRow {
  isSlow: boolean
  isFailing: boolean
  isLeased: boolean
  disabledReason: string | null
}

export interface World {
  url: string
  pool: Pool
  jobs: Jobs
  settings: ProcessSettings
  /** Adds a server with an endpoint of the same id. @returns the endpoint's secret, too, to verify signatures */
  addEndpoint(url: string, previousSecret?: string): Promise<{ serverId: string; secret: string }>
  setUrl(serverIds: string[], url: string): Promise<void>
  /** Adds a server with an endpoint of another kind at a port of this machine. @returns the id of both */
  addVotifier(kind: 'votifier1' | 'votifier2', port: number, secret: string): Promise<string>
  /** The same with a webhook of Discord's. */
  addDiscord(url: string): Promise<string>
  /** The same with a message that shows the status of the server, which is online with 3 of 10 players. */
  addStatusMessage(url: string): Promise<string>
  /** Adds a delivery and its wake job in one transaction, as an event does. @returns the delivery's id */
  queue(serverId: string, data?: object): Promise<string>
  delivery(id: string): Promise<DeliveryRow>
  attempts(id: string): Promise<AttemptRow[]>
  endpoint(serverId: string): Promise<EndpointRow>
  /** Unfinished jobs about the server, including deferred ones. */
  openJobs(serverId: string): Promise<number>
  /** Number of deliveries with this status. */
  count(status: string): Promise<number>
  /** A whole worker in the test's process; stopped with the test, if not before. */
  startWorker(env?: Record<string, string>, options?: Partial<DispatcherOptions>): Promise<{ stop(): Promise<void> }>
}

export const newSecret = () => `whsec_${randomBytes(24).toString('base64')}`

export async function createWorld(): Promise<World> {
  const { url, pool } = await createTestDatabase()
  const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
  afterAll(() => jobs.boss.stop({ graceful: false }))
  const settings = requireProcessSettings(readSettings({ NODE_ENV: 'test', DATABASE_URL: url, APP_SECRET }))
  const secretCipher = createSecretCipher(settings)
  const encryptedUrl = (target: string) => secretCipher.encrypt('webhook-url', target)
  let servers = 0

  async function one<Row extends object>(text: string, id: string): Promise<Row> {
    const { rows } = await pool.query<Row>(text, [id])
    if (!rows[0]) throw new Error(`no row for ${id}`)
    return rows[0]
  }

  async function addEndpoint(endpointUrl: string, previousSecret?: string) {
    const port = 10_000 + ++servers
    const { rows } = await pool.query<{ id: string }>(
      `insert into servers (id, game, name, ip_address, game_port, query_port)
       values (gen_random_uuid(), 'protocol-valve', 'Server', '10.0.0.1', $1, $1) returning id`,
      [port],
    )
    const serverId = rows[0]?.id ?? ''
    const secret = newSecret()
    await pool.query(
      `insert into endpoints (id, server_id, url, events, secret, previous_secret, previous_secret_until)
       values ($1, $1, $2, '{vote.created}', $3, $4, now() + interval '24 hours')`,
      [
        serverId,
        encryptedUrl(endpointUrl),
        secretCipher.encrypt('webhook', secret),
        previousSecret ? secretCipher.encrypt('webhook', previousSecret) : null,
      ],
    )
    return { serverId, secret }
  }

  async function addOfKind(kind: string, target: string, secret: string | null): Promise<string> {
    const { serverId } = await addEndpoint('')
    await pool.query('update endpoints set kind = $2, url = $3, secret = $4 where id = $1', [
      serverId,
      kind,
      encryptedUrl(target),
      secret,
    ])
    return serverId
  }

  return {
    url,
    pool,
    jobs,
    settings,
    addEndpoint,
    async setUrl(serverIds, newUrl) {
      await pool.query('update endpoints set url = $2 where server_id = any($1)', [serverIds, encryptedUrl(newUrl)])
    },
    addVotifier: (kind, port, secret) =>
      addOfKind(kind, `votifier://127.0.0.1:${port}`, secretCipher.encrypt('webhook', secret)),
    addDiscord: (discordUrl) => addOfKind('discord', discordUrl, null),
    async addStatusMessage(discordUrl) {
      const id = await addOfKind('discord-status', discordUrl, null)
      await pool.query(
        `insert into server_status (server_id, is_online, current_players, max_players, map) values ($1, true, 3, 10, 'plains')`,
        [id],
      )
      await pool.query('insert into discord_messages (endpoint_id, webhook_id) values ($1, $2)', [
        id,
        webhookIdOf(discordUrl),
      ])
      return id
    },
    queue: (serverId, data = {}) =>
      inTransaction(pool, async (tx) => {
        const body = JSON.stringify({ type: 'vote.created', timestamp: new Date().toISOString(), data })
        const { rows } = await tx.query<{ id: string }>(
          `insert into endpoint_deliveries (id, endpoint_id, type, body) values (gen_random_uuid(), $1, 'vote.created', $2) returning id`,
          [serverId, body],
        )
        await jobs.enqueue(tx, webhookWake, [{ endpointId: serverId }])
        return rows[0]?.id ?? ''
      }),
    delivery: (id) =>
      one(
        `select status, attempts, extract(epoch from due_at - now())::float8 as "dueIn" from endpoint_deliveries where id = $1`,
        id,
      ),
    async attempts(id) {
      const { rows } = await pool.query<AttemptRow>(
        `select number, status, error, latency_ms as "latencyMs", response from endpoint_attempts where delivery_id = $1 order by number`,
        [id],
      )
      return rows
    },
    endpoint: (serverId) =>
      one(
        `select is_slow as "isSlow", failing_since is not null as "isFailing", lease_id is not null as "isLeased",
           disabled_reason as "disabledReason" from endpoints where server_id = $1`,
        serverId,
      ),
    async openJobs(serverId) {
      const { rows } = await pool.query<{ count: number }>(
        `select count(*) from pgboss.job where name like 'webhook%' and state < 'completed' and data->>'endpointId' = $1`,
        [serverId],
      )
      return rows[0]?.count ?? 0
    },
    async count(status) {
      const { rows } = await pool.query<{ count: number }>(
        'select count(*) from endpoint_deliveries where status = $1',
        [status],
      )
      return rows[0]?.count ?? 0
    },
    async startWorker(env = {}, options = {}) {
      const settings = requireProcessSettings(
        readSettings({ NODE_ENV: 'test', ALLOW_HTTP: 'true', DATABASE_URL: url, APP_SECRET, ...env }),
      )
      const deps = await openDeps('worker', settings, testLog, openWorkerJobs)
      const stopWorker = await startWorker(deps, { webhooks: createDispatcher(deps, options) })
      let stopped: Promise<void> | undefined
      const stop = () => {
        stopped ??= stopWorker().then(() => deps.pool.end())
        return stopped
      }
      onTestFinished(stop)
      return { stop }
    },
  }
}
