// Voiding and restoring a million votes by a worker, and what votes for the same servers pay meanwhile.
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { freePort } from '../../commands/start/ports.ts'
import { p99 } from './cold-queries.ts'
import { type Bench, startProduct } from './processes.ts'
import { atMost, type Finding, figure, median } from './report.ts'
import { seedDirectory } from './seed.ts'

const SERVERS = 1_000
/** The votes to void are for these, the first of which has a tenth of them. */
const VOTED = 100
const VOTES = 1_000_000
const IDLE_SECONDS = 20
/** Votes as visitors send them: each on its time, whether or not others wait. */
const PAUSE_MS = 20
const NAME = 'Bought voter'

export async function benchVoiding(bench: Bench): Promise<Finding[]> {
  await seedDirectory(bench.pool, SERVERS)
  const { rows } = await bench.pool.query<{ id: string }>('select id from servers order by id limit $1', [VOTED])
  const serverIds = rows.map(({ id }) => id)
  await seedVotes(bench, serverIds)
  const cookie = await addAdministrator(bench)

  const [port, workerPort] = [await freePort(), await freePort()]
  const apiEnv = { DATABASE_URL: bench.url, PORT: String(port), TRUST_PROXY: '1', REQUIRE_SECOND_FACTOR: 'false' }
  const api = await startProduct('api', apiEnv, port)
  const workerEnv = { DATABASE_URL: bench.url, WORKER_PORT: String(workerPort), LOG_LEVEL: 'warn' }
  const worker = await startProduct('worker', workerEnv, workerPort)
  const send = async (path: string, body: object) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const reply = await fetch(`http://127.0.0.1:${port}/api/admin/votes/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (reply.status !== 202) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as { id: string }
  }
  const finish = async (id: string, status: string) => {
    const from = performance.now()
    const times: number[] = []
    const isDone = async () => {
      const { rows } = await bench.pool.query<{ status: string }>('select status from vote_voidings where id = $1', [
        id,
      ])
      return rows[0]?.status === status
    }
    while (!(await isDone())) times.push(...(await voteFor(port, serverIds, 1)))
    return { seconds: (performance.now() - from) / 1000, times }
  }

  await voteFor(port, serverIds, 2)
  const idle = await voteFor(port, serverIds, IDLE_SECONDS)
  const { id } = await send('void', { name: NAME, reason: 'A benchmark' })
  const voided = await finish(id, 'voided')
  await send(`voidings/${id}/restore`, {})
  const restored = await finish(id, 'restored')
  await Promise.all([api.stop(), worker.stop()])
  await expectCounted(bench, serverIds)
  return [
    figure('votes, and servers that they are for', `${VOTES.toLocaleString('en')}, ${VOTED}`),
    figure('until all are voided', voided.seconds, 's'),
    figure('until all are restored', restored.seconds, 's'),
    figure('a vote for one of the servers, before: median, p99', `${ms(median(idle))}, ${ms(p99(idle))}`),
    figure('the same while they are voided', `${ms(median(voided.times))}, ${ms(p99(voided.times))}`),
    figure('the same while they are restored', `${ms(median(restored.times))}, ${ms(p99(restored.times))}`),
    figure('the slowest vote meanwhile', ms(Math.max(...voided.times, ...restored.times))),
    atMost('ratio of the p99 while they are voided', p99(voided.times) / p99(idle), 3),
    atMost('ratio of the p99 while they are restored', p99(restored.times) / p99(idle), 3),
  ]
}

const ms = (value: number) => `${value.toFixed(1)} ms`

/** As votes of the last 30 days would have left them. */
async function seedVotes({ pool }: Bench, serverIds: string[]): Promise<void> {
  const rest = (VOTES * 0.9) / (VOTED - 1)
  for (const [n, serverId] of serverIds.entries()) {
    const count = Math.round(n === 0 ? VOTES / 10 : rest)
    await pool.query(
      `with vote as (
         insert into votes (id, server_id, number, visitor_id, username, voted_at, voter_key, streak, from_page)
         select gen_random_uuid(), $1::uuid, nth, 'voter ' || nth || $1::uuid::text, $3, now() - nth * interval '25 days' / $2::integer,
           substring(sha256(convert_to(nth || $1::uuid::text, 'UTF8')) for 16), 1, true
         from generate_series(1, $2::integer) as nth
         returning server_id, voter_key, voted_at),
       streak as (
         insert into vote_streaks (server_id, voter_key, days, started_at, counted_at, last_voted_at)
         select server_id, voter_key, 1, voted_at, voted_at, voted_at from vote),
       month as (
         select date_trunc('month', voted_at at time zone 'utc')::date as month, count(*) as votes, sum(vote_weight(voted_at)) as weight
         from vote group by 1),
       archived as (
         insert into server_vote_months (server_id, month, votes)
         select $1::uuid, month, votes from month where month < date_trunc('month', now() at time zone 'utc'))
       update server_counters set
         total_votes = $2::integer, votes_month = date_trunc('month', now() at time zone 'utc'),
         monthly_votes = coalesce((select votes from month where month = date_trunc('month', now() at time zone 'utc')), 0),
         vote_score = (select sum(weight) from month)
       where server_id = $1`,
      [serverId, count, NAME],
    )
  }
  await pool.query('analyze votes, vote_streaks')
}

async function addAdministrator({ pool }: Bench): Promise<string> {
  const [id, token] = [uuidv7(), randomBytes(32).toString('base64url')]
  await pool.query(
    `insert into users (id, email, email_verified_at, username, is_admin) values ($1, 'bench@example.com', now(), 'Bench', true)`,
    [id],
  )
  await pool.query(`insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')`, [
    createHash('sha256').update(token).digest(),
    id,
  ])
  return `session=${token}`
}

let voters = 0
/** @returns milliseconds of each vote */
async function voteFor(port: number, serverIds: string[], seconds: number): Promise<number[]> {
  const until = performance.now() + seconds * 1000
  const votes: Promise<number>[] = []
  while (performance.now() < until) {
    votes.push(voteOnce(port, serverIds[voters++ % serverIds.length] ?? ''))
    await sleep(PAUSE_MS)
  }
  return Promise.all(votes)
}

/** @throws Error if it was refused */
async function voteOnce(port: number, serverId: string): Promise<number> {
  const from = performance.now()
  const reply = await fetch(`http://127.0.0.1:${port}/api/servers/${serverId}/vote`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.9.${(voters >> 8) & 255}.${voters & 255}` },
    body: JSON.stringify({ visitorId: randomUUID(), username: 'A visitor' }),
  })
  if (reply.status !== 200) throw new Error(`a vote was answered by ${reply.status}: ${await reply.text()}`)
  await reply.arrayBuffer()
  return performance.now() - from
}

/** @throws Error if counters differ from the votes that count */
async function expectCounted({ pool }: Bench, serverIds: string[]): Promise<void> {
  const { rows } = await pool.query<{ server_id: string }>(
    `select server_id from server_counters
     where total_votes - voided_votes <> (select count(*) from votes where votes.server_id = server_counters.server_id and voiding_id is null)
       and server_id = any($1)`,
    [serverIds],
  )
  if (rows.length) throw new Error(`${rows.length} counters are wrong`)
}
