// Webhook deliveries of a whole worker, from pending to completed rows, against bare undici and the same receiver.
import { generateKeyPairSync } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../commands/start/ports.ts'
import { webhookWake } from '../../src/features/webhooks/index.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { inTransaction } from '../../src/platform/db/pool.ts'
import { createLog } from '../../src/platform/observability/log.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { type Bench, startHelper, startProduct } from './processes.ts'
import { atLeast, atMost, compareRounds, type Finding, figure, type Rate } from './report.ts'

const SERVERS = 500
/** To endpoints of each other kind, one connection for each by Votifier. */
const OF_EACH_KIND = 5_000
const DELIVERIES = 20_000
/** Rounds alternate, so that both sides run under the same load of the machine. */
const ROUNDS = 3
/** As large as that of a real vote. */
const BODY = JSON.stringify({
  type: 'vote.created',
  timestamp: '2026-11-20T12:00:00.000Z',
  data: {
    voteId: '0193f3a0-0000-7000-8000-000000000000',
    serverId: '0193f3a0-0000-7000-8000-000000000000',
    serverName: 'A server with an ordinary name',
    username: 'A voter',
    gamePlatformId: '76561198000000000',
    votedAt: '2026-11-20T12:00:00.000Z',
    totalVotes: 12_345,
    monthlyVotes: 678,
  },
})

export async function benchWebhooks(bench: Bench): Promise<Finding[]> {
  const receiver = await startHelper<number>('dev/bench/webhooks-receiver.ts')
  const url = `http://127.0.0.1:${receiver.first}/`
  const endpointIds = await addEndpoints(bench, url)
  const port = await freePort()
  const worker = await startProduct(
    'worker',
    { DATABASE_URL: bench.url, WORKER_PORT: String(port), LOG_LEVEL: 'warn' },
    port,
  )
  const jobs = await openJobs({ url: bench.url, log: createLog('bench', 'error'), applicationName: 'bench' })

  /** From their commit until the last is completed. */
  async function deliver(count: number): Promise<Rate> {
    await inTransaction(bench.pool, async (tx) => {
      const payloads = Array.from({ length: count }, (_, n) => ({ endpointId: endpointIds[n % SERVERS] ?? '' }))
      await tx.query(
        `insert into endpoint_deliveries (id, endpoint_id, type, body)
         select gen_random_uuid(), endpoint_id, 'vote.created', $2 from unnest($1::uuid[]) as vote (endpoint_id)`,
        [payloads.map(({ endpointId }) => endpointId), BODY],
      )
      await jobs.enqueue(tx, webhookWake, payloads)
    })
    const startedAt = performance.now()
    const cpu = worker.cpuMicros()
    while (
      (await bench.pool.query(`select from endpoint_deliveries where status = 'pending' limit 1`)).rowCount ||
      (await bench.pool.query('select from endpoints where lease_id is not null limit 1')).rowCount
    )
      await sleep(20)
    return {
      perSecond: count / ((performance.now() - startedAt) / 1_000),
      microsEach: (worker.cpuMicros() - cpu) / count,
    }
  }

  await deliver(DELIVERIES / 5)
  const ours: Rate[] = []
  const bare: Rate[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const task = { url, requests: DELIVERIES, atOnce: SERVERS, body: BODY }
    const helper = await startHelper<Rate>('dev/bench/webhooks-bare.ts', [], task)
    bare.push(helper.first)
    await helper.stop()
    ours.push(await deliver(DELIVERIES))
  }
  const { rows } = await bench.pool.query<{ delivered: number; attempts: number }>(
    `select count(*) as delivered, sum(attempts)::float8 as attempts from endpoint_deliveries where status = 'delivered'`,
  )
  const ofKinds: Finding[] = []
  const games = await startHelper<number>('dev/bench/webhooks-votifier.ts')
  for (const kind of otherKinds(url, `votifier://127.0.0.1:${games.first}`)) {
    await bench.pool.query('update endpoints set kind = $1, url = $2, secret = $3', [kind.name, kind.url, kind.secret])
    const { perSecond, microsEach } = await deliver(OF_EACH_KIND)
    ofKinds.push(figure(`worker, kind ${kind.name}`, perSecond, `deliveries/s, ${microsEach.toFixed(1)} µs CPU each`))
  }
  const { rowCount: undelivered } = await bench.pool.query(
    `select from endpoint_deliveries where status <> 'delivered'`,
  )
  await games.stop()
  await worker.stop()
  await jobs.stop()
  await receiver.stop()
  const delivered = rows[0]?.delivered ?? 0
  return [
    figure('endpoints', SERVERS),
    ...compareRounds(
      ['bare undici, 500 at once', bare],
      ['worker: jobs, leases, signatures, attempts and outcomes written', ours],
      'deliveries',
      0.3,
    ),
    atLeast('delivered', delivered, ROUNDS * DELIVERIES + DELIVERIES / 5),
    figure('attempts per delivery', (rows[0]?.attempts ?? Number.NaN) / delivered),
    ...ofKinds,
    atMost('of other kinds, not delivered', undelivered ?? Number.NaN, 0),
  ]
}

const secretCipher = createSecretCipher({
  APP_SECRET: 'a secret of the benchmark, 32 characters and more',
  APP_SECRET_PREVIOUS: undefined,
})

/** @param discordUrl takes everything that is posted */
function otherKinds(discordUrl: string, votifierUrl: string) {
  const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
  const publicKeyText = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  return [
    { name: 'votifier2', url: votifierUrl, secret: 'the token of a plugin' },
    { name: 'votifier1', url: votifierUrl, secret: publicKeyText },
    { name: 'discord', url: discordUrl, secret: null },
  ].map(({ name, url, secret }) => ({
    name,
    url: secretCipher.encrypt('webhook-url', url),
    secret: secret === null ? null : secretCipher.encrypt('webhook', secret),
  }))
}

async function addEndpoints({ pool }: Bench, url: string): Promise<string[]> {
  const secret = secretCipher.encrypt('webhook', `whsec_${Buffer.alloc(24, 7).toString('base64')}`)
  const { rows } = await pool.query<{ id: string }>(
    `insert into servers (id, game, name, ip_address, game_port, query_port)
     select gen_random_uuid(), 'protocol-valve', 'Server ' || n, '10.0.0.1', n, n from generate_series(1, $1) as n returning id`,
    [SERVERS],
  )
  const endpointIds = rows.map(({ id }) => id)
  await pool.query(
    `insert into endpoints (id, server_id, url, events, secret) select id, id, $2, '{vote.created}', $3 from unnest($1::uuid[]) as server (id)`,
    [endpointIds, secretCipher.encrypt('webhook-url', url), secret],
  )
  return endpointIds
}
