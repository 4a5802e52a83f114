// Votes over HTTP through one API process, against a bare pg loop with the same statement, durability and connections.
import { randomUUID } from 'node:crypto'
import autocannon from 'autocannon'
import { freePort } from '../../commands/start/ports.ts'
import { type Bench, type Started, startHelper, startProduct } from './processes.ts'
import { compareRounds, type Finding, figure, ofCase, type Rate } from './report.ts'
import { seedDirectory } from './seed.ts'
import type { BareOptions, BareRound } from './votes-bare.ts'

const SERVERS = 10_000
const ROUNDS = 5
const SECONDS = 5
const CONNECTIONS = 16

export async function benchVotes(bench: Bench): Promise<Finding[]> {
  await seedDirectory(bench.pool, SERVERS)
  const { rows } = await bench.pool.query<{ id: string }>('select id from servers')
  const serverIds = rows.map(({ id }) => id)
  const popular = serverIds.slice(0, 1)
  const port = await freePort()
  const env = {
    DATABASE_URL: bench.url,
    PORT: String(port),
    DATABASE_POOL_MAX: String(CONNECTIONS),
    TRUST_PROXY: '1', // each vote has another client address, so that none reaches the cap per address
  }
  const api = await startProduct('api', env, port)
  const order: BareOptions = { url: bench.url, connections: CONNECTIONS }
  const bare = await startHelper<true>('dev/bench/votes-bare.ts', [], order)

  const runBare = (round: BareRound) =>
    new Promise<Rate>((resolve, reject) => {
      const ended = (code: number | null) => reject(new Error(`the bare loop ended with ${code}`))
      bare.child.once('exit', ended)
      bare.child.once('message', (rate) => {
        bare.child.off('exit', ended)
        resolve(rate as Rate)
      })
      bare.child.send(round)
    })
  /** Rounds alternate, so that both sides run under the same load of the machine. */
  async function compare(ids: string[], what: string, target: number): Promise<Finding[]> {
    await runBare({ serverIds: ids, seconds: 2 })
    await vote(port, ids, 2, api)
    const [theirs, ours]: [Rate[], Rate[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await runBare({ serverIds: ids, seconds: SECONDS }))
      ours.push(await vote(port, ids, SECONDS, api))
    }
    return ofCase(what, compareRounds(['bare pg loop', theirs], ['API over HTTP, one process', ours], 'votes', target))
  }

  const findings = [
    ...(await compare(serverIds, `${SERVERS.toLocaleString('en')} servers`, 0.6)),
    ...(await compare(popular, 'one server', 0.5)),
  ]
  await Promise.all([api.stop(), bare.stop()])
  const { rows: wrong } = await bench.pool.query<{ servers: number }>(
    `select count(*) as servers from servers
     where (select count(*) from votes where server_id = servers.id) <> (select count(*) from vote_cooldowns where server_id = servers.id)`,
  )
  if (wrong[0]?.servers) throw new Error('votes and cooldowns are inconsistent')
  return [figure('connections of the clients, and of the database', CONNECTIONS), ...findings]
}

/** @throws Error if a vote was refused */
async function vote(port: number, serverIds: string[], seconds: number, api: Started): Promise<Rate> {
  let next = 0
  const before = api.cpuMicros()
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    connections: CONNECTIONS,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        setupRequest: (request) => ({
          ...request,
          path: `/api/servers/${serverIds[next++ % serverIds.length]}/vote`,
          headers: {
            ...request.headers,
            'x-forwarded-for': `10.${(next >> 16) & 255}.${(next >> 8) & 255}.${next & 255}`,
          },
          body: `{"visitorId":"${randomUUID()}","username":"A voter"}`,
        }),
      },
    ],
  })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} votes refused, ${result.errors} errors`)
  const { total } = result.requests
  return { perSecond: total / result.duration, microsEach: (api.cpuMicros() - before) / total }
}
