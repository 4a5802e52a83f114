// An operator starts with an empty directory: fills it from a source, names it, voids bought votes, and
// moves history to Citus.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { findDatabaseUrl } from '../../../commands/database.ts'
import { startFleet } from '../../../dev/simulator/fleet.ts'
import { startSteam, steamRow } from '../../../dev/simulator/steam.ts'
import { contracts } from '../../../src/contracts.ts'
import { HISTORY_TABLES, readCitus } from '../../../src/features/history/index.ts'
import { createPool } from '../../../src/platform/db/pool.ts'
import { openJobs } from '../../../src/platform/queue/jobs.ts'
import { formsOf } from '../../features/site/forms.ts'
import { atFileEnd } from '../../support/at-file-end.ts'
import { findCitus, startCitus } from '../../support/citus.ts'
import { testLog } from '../../support/database.ts'
import { NODE_ARGS } from '../../support/node.ts'
import { createClient } from '../../support/product-client.ts'
import { registerAt, startProduct, WAIT_OPTIONS } from '../../support/started-product.ts'

const SERVERS = 12
const KEY = 'A0B1C2D3E4F5A0B1C2D3E4F5A0B1C2D3'

const steam = await startSteam(KEY)
atFileEnd(steam.close)
const fleet = await startFleet({
  count: SERVERS,
  first: 747_000,
  each: (n) => ({ info: { name: `Isle ${n}`, players: n + 1 } }),
})
atFileEnd(fleet.close)

const programs = findCitus()
const cluster = programs === undefined ? undefined : await startCitus(programs, 2)
atFileEnd(async () => cluster?.remove())
const product = await startProduct({
  ADMIN_EMAILS: 'operator@example.com',
  DISCOVER: 'steam:rust',
  STEAM_WEB_API_KEY: KEY,
  STEAM_API_BASE_URL: steam.origin,
  POLL_INTERVAL_SECONDS: '2',
  RATE_LIMIT_IP_PER_MINUTE: '0',
  RATE_LIMIT_IP_PER_HOUR: '0',
  ...(cluster && { DATABASE_URL: cluster.coordinator.url }),
})
const { DATA_DIR = '' } = product.launcher.env
const url =
  cluster?.coordinator.url ?? findDatabaseUrl({ DATABASE_URL: undefined, DATABASE_DIRECT_URL: undefined, DATA_DIR })
const database = createPool({ url, max: 2, applicationName: 'test', log: testLog })
atFileEnd(() => database.end())

const admin = (await registerAt(product, 'operator@example.com')).client
const visitor = createClient(product)
const pages = formsOf(product.url)
const session = { cookie: [...admin.cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
const openAsAdmin = (path: string) => pages.get(path, session).then(({ html }) => html)
const openAsVisitor = (path: string) => pages.get(path).then(({ html }) => html)
/** Sends a form of an administrator's page from the site's own origin. @returns where it leads */
const send = async (path: string, form: Record<string, string>) =>
  (await pages.post(path, form, session, { origin: product.url.replace('127.0.0.1', 'localhost') })).location

interface Server {
  id: string
  name: string
  isOnline: boolean
  totalVotes: number
}

async function list(): Promise<Server[]> {
  const { status, body } = await visitor.get<{ servers: Server[] }>('/api/servers?sortBy=totalVotes&limit=50')
  expect(status).toBe(200)
  return body.servers
}

const firstSteps = async () => {
  const { body } = await admin.get<{ isNew: boolean; steps: { name: string; isDone: boolean }[] }>(
    '/api/admin/first-steps',
  )
  return { isNew: body.isNew, done: body.steps.filter(({ isDone }) => isDone).map(({ name }) => name) }
}

test('an operator is led from an empty directory to a filled one with a name of its own', async () => {
  expect(await openAsVisitor('/')).toContain('<b>This directory is new')
  expect(await openAsVisitor('/')).not.toContain('First steps')
  const empty = await openAsAdmin('/')
  expect(empty).toContain('First steps')
  expect(empty).toContain('2 of 6 done')
  expect(empty).toContain('href="/admin/appearance"')
  expect(await firstSteps()).toEqual({ isNew: true, done: ['administrator', 'sources'] })

  steam.state.rows = fleet.servers.map(({ address, port }, n) => steamRow(n, `${address}:${port}`))
  expect(await openAsAdmin('/admin/sources')).toMatch(/<h2>steam:rust<\/h2>[\s\S]*Run now/)
  expect(await send('/admin/sources', { action: 'run', source: 'steam:rust' })).toBe('/admin/sources?done=sourceRuns')
  const online = async () => (await list()).filter(({ isOnline }) => isOnline).map(({ name }) => name)
  const names = fleet.servers.map(({ info }) => info.name)
  await expect.poll(async () => (await online()).sort(), WAIT_OPTIONS).toEqual(names.sort())
  for (const open of [openAsVisitor, openAsAdmin]) {
    const filled = await open('/')
    expect(filled).not.toMatch(/<b>This directory is new|<h2>First steps/)
    expect(filled).toContain('Isle 3')
  }
  expect(await openAsAdmin('/admin/sources')).toMatch(/Unclaimed servers listed[\s\S]{0,80}12/)

  const look = { name: 'The northern isles', introduction: 'All *isles* of the north.', imprintUrl: '', privacyUrl: '' }
  expect(await send('/admin/appearance', look)).toBe('/admin/appearance?done=saved')
  const named = await openAsVisitor('/')
  expect(named).toMatch(/<title>[^<]*The northern isles<\/title>/)
  expect(named).toContain('All <em>isles</em> of the north.')
  expect(await firstSteps()).toEqual({ isNew: false, done: ['administrator', 'sources', 'appearance'] })
})

test('an operator finds bought votes in a report, voids them, and places and counters follow', async () => {
  const [bought, honest] = await list()
  if (!bought || !honest) throw new Error('the list is empty')
  let visitors = 0
  const vote = async (serverId: string, address: string) => {
    const { status } = await visitor.send('POST', `/api/servers/${serverId}/vote`, {
      body: { visitorId: `visitor number ${++visitors}` },
      headers: { 'x-forwarded-for': address },
    })
    expect(status).toBe(200)
  }
  const votesOf = async () => (await list()).slice(0, 3).map(({ id, totalVotes }) => [id, totalVotes])
  // Sixty visitors at three addresses of one network, and others at home.
  for (let n = 0; n < 60; n++) await vote(bought.id, `203.0.113.${n % 3}`)
  for (let n = 0; n < 20; n++) await vote(bought.id, `198.19.${n}.7`)
  for (let n = 20; n < 50; n++) await vote(honest.id, `198.19.${n}.7`)
  await expect.poll(votesOf, WAIT_OPTIONS).toMatchObject([
    [bought.id, 80],
    [honest.id, 30],
    [expect.any(String), 0],
  ])

  const rankOf = async ({ id }: Server) => (await visitor.get(`/api/servers/${id}/rank`)).body
  expect(await rankOf(bought)).toMatchObject({ place: 1, totalVotes: 80, countedVotes: expect.closeTo(80, 1) })

  const jobs = await openJobs({ url, log: testLog, applicationName: 'test' })
  atFileEnd(() => jobs.stop())
  const completed = async () =>
    (await admin.get<{ jobs: object[] }>('/api/admin/queues/vote-signals/jobs?state=completed')).body.jobs.length
  /** Runs the job, which is due once a day. */
  const search = async () => {
    const before = await completed()
    await jobs.enqueue(database, contracts.voteSignals, [{}])
    await expect.poll(completed, WAIT_OPTIONS).toBeGreaterThan(before)
  }
  await search()
  const report = await openAsAdmin('/admin/reports')
  expect(report).toContain('One network sent 60 of 80 votes in seven days.')
  const [, id = ''] = /name="id" value="([\w-]+)"/.exec(report) ?? []
  const preview = /href="(\/admin\/votes\/void\?[^"]*)"[^>]*>Look at the votes/.exec(report)?.[1] ?? ''
  expect(await openAsAdmin(preview.replaceAll('&amp;', '&'))).toMatch(/60 votes, for 1 servers?, from 60 visitors/)

  expect(await send('/admin/reports', { action: 'void', id, reason: 'Bought votes' })).toBe(
    '/admin/reports?done=voiding',
  )
  await expect.poll(votesOf, WAIT_OPTIONS).toMatchObject([
    [honest.id, 30],
    [bought.id, 20],
    [expect.any(String), 0],
  ])
  expect(await rankOf(honest)).toMatchObject({ place: 1, totalVotes: 30 })
  expect(await rankOf(bought)).toMatchObject({ place: 2, totalVotes: 20, countedVotes: expect.closeTo(20, 1) })
  const stats = async () => (await visitor.get('/api/public/stats')).body
  await expect.poll(stats, WAIT_OPTIONS).toMatchObject({ totalServers: SERVERS, totalVotes: 50 })
  const { rows } = await database.query(
    `select total_votes - voided_votes as counted,
       (select count(*) from votes where votes.server_id = counters.server_id and voiding_id is null) as votes
     from server_counters as counters where total_votes > 0 order by counted`,
  )
  expect(rows).toEqual([
    { counted: 20, votes: 20 },
    { counted: 30, votes: 30 },
  ])

  await search()
  expect((await admin.get('/api/admin/reports?status=open')).body).toMatchObject({ reports: [] })
  expect(await openAsAdmin('/admin/votes/void')).toContain('Bought votes')
})

test.skipIf(!cluster)('an operator moves history to the nodes of a Citus cluster, and charts continue', async () => {
  const [server] = await list()
  const chart = async () => {
    const { status, body } = await visitor.get<{ peak: number }>(`/api/servers/${server?.id}/player-history`)
    return status === 200 ? body.peak : status
  }
  const peak = fleet.servers.find(({ info }) => info.name === server?.name)?.info.players ?? 0
  await expect.poll(chart, WAIT_OPTIONS).toBe(peak)
  const bytes = async () => {
    const { rows } = await database.query<{ bytes: number }>(
      'select sum(length(samples))::integer as bytes from player_history_recent where server_id = $1',
      [server?.id],
    )
    return rows[0]?.bytes ?? 0
  }

  const before = await bytes()
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_ARGS, 'commands/distribute/main.ts'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  })
  for (const table of HISTORY_TABLES) expect(stdout).toContain(`${table}: `)
  expect((await readCitus(database))?.distributed).toEqual([...HISTORY_TABLES].sort())

  expect(await chart()).toBe(peak)
  await expect.poll(bytes, WAIT_OPTIONS).toBeGreaterThan(before)
  expect(await openAsVisitor(`/servers/${server?.id}`)).not.toContain('out of reach')
  expect((await list()).every(({ isOnline }) => isOnline)).toBe(true)
})
