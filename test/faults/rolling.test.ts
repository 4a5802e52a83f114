// API processes and workers restart one by one, twice, under load behind haproxy and nginx with the samples of ops/.
import { expect, it, onTestFinished } from 'vitest'
import { createServers } from '../../src/features/servers/index.ts'
import { createTestDatabase } from '../support/database.ts'
import { isMissing } from '../support/installed.ts'
import { startHaproxy, startNginx } from './support/balancers.ts'
import { createMembers } from './support/members.ts'
import { beginFaultRun, FAULT_RUN_TIMEOUT_MS } from './support/run.ts'
import { startVisitors } from './support/visitors.ts'

const { pool, url } = await createTestDatabase()

/** Rounds repeat until each balancer has had this many requests. */
const REQUESTS = Number(process.env.ROLLING_REQUESTS) || 2_000
/** One request of this many is a vote, which a balancer must not send twice. */
const VOTE_ONE_IN = 8

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
    const visit = (name: string, base: string) =>
      startVisitors(base, { serverId: server.id, name, voteOneIn: VOTE_ONE_IN })
    const loads = {
      haproxy: visit('haproxy', await startHaproxy(urls)),
      nginx: visit('nginx', await startNginx(urls)),
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
    const behindNginx = failures.length === 1 && failures[0]?.what === 'POST status 502' ? [] : failures
    run.expectNothingLost({
      'requests behind haproxy': loads.haproxy.failures,
      'requests behind nginx': behindNginx,
    })
  },
  FAULT_RUN_TIMEOUT_MS + 15 * REQUESTS,
)
