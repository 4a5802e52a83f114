// API processes and workers restart one by one, twice, under load behind haproxy and nginx with the samples of ops/.
import http from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { createTestDatabase } from '../support/database.ts'
import { isMissing } from '../support/installed.ts'
import { startHaproxy, startNginx } from './support/balancers.ts'
import { createMembers } from './support/members.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'

const { pool, url } = await createTestDatabase()

/** Rounds repeat until each balancer has had this many requests. */
const REQUESTS = Number(process.env.ROLLING_REQUESTS) || 2_000
const CONNECTIONS = 8
/** One request of this many is a vote, which a balancer must not send twice. */
const VOTES_ONE_IN = 8

/** Visitors without a pause; each request has its own `visitorId`, so that each vote counts once. */
function createLoad(name: string, base: string, serverId: string) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const failures: string[] = []
  let sent = 0
  let votes = 0
  let isStopping = false

  const visit = (n: number) =>
    new Promise<void>((resolve) => {
      const isVote = n % VOTES_ONE_IN === 0
      const path = isVote ? `/api/servers/${serverId}/vote` : `/api/servers/${serverId}`
      const lost = (reason: string) => {
        failures.push(`${isVote ? 'POST' : 'GET'} ${reason}`)
        resolve()
      }
      const request = http.request(base + path, {
        agent,
        method: isVote ? 'POST' : 'GET',
        headers: isVote ? { 'content-type': 'application/json' } : {},
      })
      request.once('error', ({ message }) => lost(message))
      request.once('response', (reply) => {
        reply.resume().once('error', ({ message }) => lost(message))
        reply.once('end', () => {
          if (reply.statusCode !== 200) return lost(`status ${reply.statusCode}`)
          if (isVote) votes++
          resolve()
        })
      })
      request.end(isVote ? JSON.stringify({ visitorId: `${name} visitor ${n}` }) : undefined)
    })
  const visitors = Array.from({ length: CONNECTIONS }, async () => {
    while (!isStopping) await visit(sent++)
  })
  return {
    failures,
    sent: () => sent,
    votes: () => votes,
    async stop() {
      isStopping = true
      await Promise.all(visitors)
      agent.destroy()
    },
  }
}

it.skipIf(isMissing('haproxy', 'nginx'))(
  'rolling restart: no request is lost behind haproxy, at most one POST behind nginx, and every vote counts once',
  async ({ task }) => {
    const run = beginFaultRun({ task })
    const [server] = await createServers({ pool }).addMany([
      { name: 'An island', ipAddress: '192.0.2.1', gamePort: 7777, queryPort: 27015, game: 'protocol-valve' },
    ])
    if (!server || !('id' in server)) throw new Error('the server was not added')
    const members = createMembers(url, { DRAIN_SECONDS: '5', TRUST_PROXY: '1', LOG_LEVEL: 'warn' })
    const apis = ['api 0', 'api 1']
    const workers = ['worker 0', 'worker 1']
    await members.start(...apis, ...workers)
    const urls = apis.map(members.url)
    const loads = {
      haproxy: createLoad('haproxy', await startHaproxy(urls), server.id),
      nginx: createLoad('nginx', await startNginx(urls), server.id),
    }
    onTestFinished(async () => {
      await Promise.all(Object.values(loads).map((load) => load.stop()))
    })

    const isEnough = () => Object.values(loads).every((load) => load.sent() >= REQUESTS)
    for (let round = 0; round < 2 || !isEnough(); round++)
      for (const name of [...apis, ...workers]) {
        await members.restart(name)
        run.tried(`${name.split(' ')[0]} restarted`)
      }
    await Promise.all(Object.values(loads).map((load) => load.stop()))

    for (const [name, load] of Object.entries(loads)) run.worked(`requests answered behind ${name}`, load.sent())
    const counted = loads.haproxy.votes() + loads.nginx.votes()
    const { rows } = await pool.query<{ votes: number }>('select count(*) as votes from votes')
    expect(rows).toEqual([{ votes: counted }])
    // nginx checks no /readyz: a POST can reach a listener at the moment it closes, and nginx does not send it again.
    const { failures } = loads.nginx
    const behindNginx = failures.length === 1 && failures[0] === 'POST status 502' ? [] : failures
    run.expectNothingLost({
      'requests behind haproxy': loads.haproxy.failures,
      'requests behind nginx': behindNginx,
    })
  },
  FAULT_RUN_TIMEOUT_MS + 15 * REQUESTS,
)
