// A database that release 0.1.0 made and filled: refused until its history is converted as release 0.2 does, then taken
// over by this release. `test/fixtures/release-0.1.0.sql.gz` is its dump: two servers of one owner with votes, an endpoint
// that works, one that fails, an API key, an auction with a bid.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { expect, inject, it } from 'vitest'
import { diffToSchema } from '../../dev/migrations/engine.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { appliedMigrations, MIGRATIONS, migrate } from '../../src/platform/db/migrate.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { testLog } from '../support/database.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { type Client, createClient } from '../support/product-client.ts'
import { PASSWORD, type Product, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'
import { startLauncher } from './support/start-launcher.ts'

const DUMP = path.resolve(import.meta.dirname, '../fixtures/release-0.1.0.sql.gz')
/** The last migration of release 0.2.0. */
const LAST_OF_02 = '0026_history_months'
const REFUSAL = 'its player history is in the format of release 0.1: run release 0.2 on it first'
const DUMPED_ON = '2026-11-22'
const APP_SECRET = 'an old secret of 32 characters and more'
const ISLAND = '01a202dd-ea43-719a-8e68-06ee13d58b83'
const SECOND = '01a202dd-ea9b-7161-a8c7-eb9dd1ab8a44'
const AUCTION = '01a202de-6df2-75e5-8080-27a2e2203896'
const API_KEY = 'sd_k4uFcO4VWIjoHrmGm2gi9PTf.hv44hl6krrOFz-V-C1xMxuvadCLyIhzlNwNsufGS4i0'
const SECRET_OF_SECOND = 'whsec_sJz6jJ2BJOyvMFTlnoOk62tf3L4tkAQ/QMvodQPnCv8='

const { url, pool } = await restore()
/** Read from the old schema, before anything of this release has touched it. */
const old = {
  votes: await ids('select id from votes order by id'),
  deliveries: await ids('select id from webhook_deliveries order by id'),
  pending: await ids(`select id from webhook_deliveries where server_id = '${SECOND}' order by id`),
}
let product: Product
let owner: Client

const received: { id: string; isSigned: boolean }[] = []
const receiver = await startLoopbackServer(({ headers, body }, res) => {
  // The servers do not answer polls, so they may be announced as offline, too.
  if (JSON.parse(String(body)).type === 'vote.created')
    received.push({ id: String(headers['webhook-id']), isSigned: isSigned(body, headers as Record<string, string>) })
  res.end()
})
await pool.query('update webhook_endpoints set url = $1 where server_id = $2', [`${receiver.origin}/up`, SECOND])

function isSigned(body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(SECRET_OF_SECOND).verify(body, headers)
    return true
  } catch {
    return false
  }
}

async function restore() {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  await server.query(`create database ${name} template template0`)
  const restored = serverUrl.replace(/\/postgres$/, `/${name}`)
  const client = new pg.Client({ connectionString: restored })
  await client.connect()
  await client.query(asOfYesterday(gunzipSync(fs.readFileSync(DUMP)).toString()))
  await client.end()
  const opened = createPool({ url: restored, max: 3, applicationName: 'test', log: testLog })
  await adoptInstallation(opened) // or the copy would send nothing
  atFileEnd(async () => {
    await opened.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  return { url: restored, pool: opened }
}

/** Moves all dates so that the dump is of yesterday: jobs remove what is old. */
function asOfYesterday(dump: string): string {
  const DAY_MS = 86_400_000
  const days = Math.floor(Date.now() / DAY_MS) - 1 - Date.parse(DUMPED_ON) / DAY_MS
  const moved = (date: string) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)
  const month = `${DUMPED_ON.slice(0, 7)}-01`
  return dump
    .replace(/\b20\d\d-\d\d-\d\d\b/g, (date) => (date === month ? `${moved(DUMPED_ON).slice(0, 7)}-01` : moved(date)))
    .replace(/(?<=\bd|_)(20\d\d)([01]\d)([0-3]\d)\b/g, (_, y, m, d) => moved(`${y}-${m}-${d}`).replaceAll('-', ''))
}

async function ids(select: string): Promise<string[]> {
  return (await pool.query<{ id: string }>(select)).rows.map(({ id }) => id)
}

/** Leaves the database as release 0.2 does: with its schema, and the polls in open days and hours. */
async function convertAs02(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-of-0.2-'))
  for (const name of fs.readdirSync(MIGRATIONS))
    if (name <= LAST_OF_02) fs.cpSync(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true })
  await migrate({ url, log: testLog, folder })
  fs.rmSync(folder, { recursive: true })
  await pool.query(`
    insert into player_history_open (server_id, day, samples)
    select server_id, (polled_at at time zone 'utc')::date,
      string_agg(player_history_sample(polled_at, players, max_players), '')
    from player_history
    group by 1, 2`)
  await pool.query(`
    insert into player_history_hours (server_id, hour, polls, answered, players_sum, players_max, max_players)
    select server_id, date_trunc('hour', polled_at), count(*), count(players), coalesce(sum(players), 0),
      coalesce(max(players), 0), max(max_players)
    from player_history
    group by 1, 2
    on conflict do nothing`)
  await pool.query(
    'update player_history_progress set rolled_to = (select max(hour) + interval $$1 hour$$ from player_history_hours)',
  )
  await pool.query('truncate player_history')
}

/** Runs `npm run migrate` on the database. */
function runMigrate(): Promise<{ code: number; err: string }> {
  const env = { ...process.env, DATABASE_URL: url, APP_SECRET }
  return new Promise((resolve) =>
    execFile(process.execPath, ['src/migrate.ts'], { env }, (error, _out, err) =>
      resolve({ code: Number(error?.code ?? 0), err }),
    ),
  )
}

it('is refused by migrations and by the start, in one line, and stays as it is', async () => {
  const before = await appliedMigrations(pool)
  expect(await runMigrate()).toEqual({ code: 1, err: expect.stringMatching(`^migrate: ${REFUSAL}[^\n]+\n$`) })
  const launcher = await startLauncher({ DATABASE_URL: url, APP_SECRET }, { atEnd: atFileEnd })
  expect(await launcher.ended).toBe(1)
  expect(launcher.output()).toContain(REFUSAL)
  expect(await appliedMigrations(pool)).toEqual(before)
  expect(await ids('select id from votes order by id')).toEqual(old.votes)
}, 60_000)

it('is migrated and started once release 0.2 has converted its history', async () => {
  await convertAs02()
  product = await startProduct({ DATABASE_URL: url, APP_SECRET })
  owner = createClient(product)
  const { status } = await owner.post('/api/auth/login', { email: 'owner@example.com', password: PASSWORD })
  expect(status).toBe(200)
}, 120_000)

it('the schema is that of a new database', async () => {
  expect(await diffToSchema({ url })).toBe('')
}, 60_000)

it('servers keep their owner and their votes', async () => {
  const { body } = await owner.get<{ servers: { id: string; totalVotes: number }[] }>('/api/user/servers')
  const votes = Object.fromEntries(body.servers.map(({ id, totalVotes }) => [id, totalVotes]))
  expect(votes).toEqual({ [ISLAND]: 7, [SECOND]: 2 })
  const feeds = await Promise.all(
    [ISLAND, SECOND].map((id) => owner.get<{ votes: { id: string }[] }>(`/api/servers/${id}/votes`)),
  )
  expect(feeds.flatMap(({ body }) => body.votes.map(({ id }) => id)).sort()).toEqual(old.votes)
})

it('a key works with its old secret', async () => {
  const withKey = createClient(product, { authorization: `Bearer ${API_KEY}` })
  expect((await withKey.get('/api/servers')).status).toBe(200)
  const { body } = await owner.get<{ apiKeys: { name: string }[] }>('/api/user/api-keys')
  expect(body.apiKeys.map(({ name }) => name)).toEqual(['bot'])
})

it('the wipe, the favorite, the report and the message are there', async () => {
  const wipes = await owner.get<{ wipes: { note: string }[] }>(`/api/servers/${ISLAND}/wipe-history`)
  expect(wipes.body.wipes.map(({ note }) => note)).toEqual(['Season 2'])
  expect(await ids('select server_id as id from favorites')).toEqual([ISLAND])
  expect(await ids('select server_id as id from reports')).toEqual([SECOND])
  expect(await ids('select distinct subject as id from contact_messages')).toEqual(['Hello'])
})

it('player history has the old polls', async () => {
  const { body } = await owner.get<{ points: { players: number | null }[]; peak: number }>(
    `/api/servers/${ISLAND}/player-history?range=7d`,
  )
  expect([body.peak, ...body.points.flatMap((point) => point.players ?? [])]).toEqual([3, 3])
})

it('the auction has its bid', async () => {
  const { body } = await owner.get<{ bids: { amount: number }[]; bidCount: number }>(`/api/auctions/${AUCTION}`)
  expect(body).toMatchObject({ bidCount: 1, currentBid: 1200 })
})

it('votes that waited for an endpoint arrive once, under their ids, signed with its old secret', async () => {
  const states = () => ids(`select status as id from webhook_deliveries where server_id = '${SECOND}'`)
  await expect.poll(states, WAIT_OPTIONS).toEqual(['delivered', 'delivered'])
  expect(received.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(old.pending.map((id) => ({ id, isSigned: true })))
  expect(await ids(`select id from endpoint_deliveries where type = 'vote.created' order by id`)).toEqual(
    old.deliveries,
  )
}, 60_000)
