// A database that release 0.1.0 made and filled, taken over by this release. `test/fixtures/release-0.1.0.sql.gz` is its
// dump: two servers of one owner with votes, an endpoint that works, one that fails, an API key, an auction with a bid.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { beforeAll, expect, inject, it } from 'vitest'
import { differenceToSchema } from '../../dev/migrations/engine.ts'
import { convertRows } from '../../src/features/history/conversion.service.ts'
import { rollUpHours } from '../../src/features/history/roll-up.service.ts'
import { adoptInstallation } from '../../src/platform/db/installation.ts'
import { createPool } from '../../src/platform/db/pool.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { testLog } from '../support/database.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { type Client, createClient } from '../support/product-client.ts'
import { PASSWORD, PATIENCE, type Product, startProduct } from '../support/started-product.ts'

const DUMP = path.resolve(import.meta.dirname, '../fixtures/release-0.1.0.sql.gz')
const HOUR_MS = 3_600_000
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

beforeAll(async () => {
  product = await startProduct({ DATABASE_URL: url, APP_SECRET })
  owner = createClient(product)
  const { status } = await owner.post('/api/auth/login', { email: 'owner@example.com', password: PASSWORD })
  expect(status).toBe(200)
}, 120_000)

it('the schema is that of a new database', async () => {
  expect(await differenceToSchema({ url })).toBe('')
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

it('player history has the old polls, before and after they are moved to chunks', async () => {
  const players = async () => {
    const { body } = await owner.get<{ points: { players: number | null }[]; peak: number }>(
      `/api/servers/${ISLAND}/player-history?range=7d`,
    )
    return [body.peak, ...body.points.flatMap((point) => point.players ?? [])]
  }
  expect(await players()).toEqual([3, 3])
  // Rows are converted an hour after their own, and yesterday's table is dropped with its last one.
  const later = new Date(Date.now() + 2 * HOUR_MS)
  const rowsOf = async () => {
    // The worker does the same, up to the present; of two at once, one stops.
    await rollUpHours(pool, later)
    await convertRows(pool, { now: later, until: performance.now() + 60_000 })
    return ids('select distinct server_id as id from player_history')
  }
  await expect.poll(rowsOf, PATIENCE).toEqual([])
  expect(await players()).toEqual([3, 3])
}, 60_000)

it('the auction has its bid', async () => {
  const { body } = await owner.get<{ bids: { amount: number }[]; bidCount: number }>(`/api/auctions/${AUCTION}`)
  expect(body).toMatchObject({ bidCount: 1, currentBid: 1200 })
})

it('votes that waited for an endpoint arrive once, under their ids, signed with its old secret', async () => {
  const states = () => ids(`select status as id from webhook_deliveries where server_id = '${SECOND}'`)
  await expect.poll(states, PATIENCE).toEqual(['delivered', 'delivered'])
  expect(received.sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(old.pending.map((id) => ({ id, isSigned: true })))
  expect(await ids(`select id from endpoint_deliveries where type = 'vote.created' order by id`)).toEqual(
    old.deliveries,
  )
}, 60_000)
