// A database that release 0.2.0 made and filled through its API, taken over by this release, and a backup of it,
// restored; a database of release 0.1 is refused. In `test/fixtures`, `release-0.2.0.sql.gz` is the dump of a month
// with two owners' servers, votes and endpoints, three auctions and a subscription; `release-0.2.0.backup` is what
// 0.2.0's `npm run backup` wrote of it.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { describe, expect, inject, it } from 'vitest'
import { diffToSchema } from '../../dev/migrations/engine.ts'
import { decodeHours, encodeHours } from '../../src/features/history/hour-bytes.ts'
import { decodeSamples, encodeSamples } from '../../src/features/history/sample-bytes.ts'
import { createSecretCipher } from '../../src/platform/config/secret-cipher.ts'
import { adoptInstallation, isUnadoptedCopy } from '../../src/platform/db/installation.ts'
import { appliedMigrations, MIGRATIONS, migrate, pendingMigrations } from '../../src/platform/db/migrate.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'
import { openJobs } from '../../src/platform/queue/jobs.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { createEmptyDatabase, restore, withPool } from '../support/backups.ts'
import { testLog } from '../support/database.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'
import { type Client, createClient } from '../support/product-client.ts'
import { PASSWORD, type Product, startProduct, WAIT_OPTIONS } from '../support/started-product.ts'
import { startLauncher } from './support/start-launcher.ts'

const FIXTURES = path.resolve(import.meta.dirname, '../fixtures')
const DUMPED_ON = '2026-11-26'
const DAY_MS = 86_400_000
/** The dump is moved to yesterday: jobs delete what is old. */
const MOVED_DAYS = Math.floor(Date.now() / DAY_MS) - 1 - Date.parse(DUMPED_ON) / DAY_MS
const YESTERDAY = new Date(Date.parse(DUMPED_ON) + MOVED_DAYS * DAY_MS)

const APP_SECRET = 'an old secret of 32 characters and more'
const secretCipher = createSecretCipher({ APP_SECRET, APP_SECRET_PREVIOUS: undefined })
const ISLAND = '01a21855-ddae-762a-b579-f509dd7211cb'
const ROCKS = '01a21855-ddc6-761f-aee2-ade251263a95'
const BASE = '01a21855-ddd1-7336-a1a3-8a06c4ea4749'
const SILENT = '01a21855-ddde-77a7-8b24-caea0f7b91a9'
const REMOVED = '01a21855-ddf0-7292-a8e7-6fd04e076fb9'
const RUNNING_AUCTION = '01a21856-01a6-76e2-a3c7-be291df95206'
const UNPAID_AUCTION = '01a21856-0261-71a6-a5aa-2f2540cdb5a9'
const ISLAND_SECRET = 'whsec_ML1+sMyOA76ZddmV+H8bZlioKRudMt9WG5v3NoC2Kp4='
const ROCKS_SECRET = 'whsec_fn/H/89lNR2j8KfntqoYjHKkp3htWUsR5iNaoLZu0Q8='
const API_KEY = 'sd_ld1abHRbgskFPKPOQPxTyMLi.e92CE16LV0h9apU41UlTNbkx1jdUGARL_Nwx94S7Bbs'
const VOTE_KEY = 'vk_63a0f3526b175ff1ff42dc16c81cc9ec31e89e71'
/** The owner's cookies. */
const SESSION = {
  session: 'zPSnppahw-K6sHJQoMcMMvS5in0pd7MAxM9Az8TxT8E',
  device: 'IXFVt9VUi1n44Uhyk9pQqg.JwRodaHWMkNJkMZaaH5XH5PayrHNTVX4BSqg2qBDP1o',
}

/** `2026-10` of the month that is `before` months before yesterday's. */
function monthOf(before: number): string {
  return new Date(Date.UTC(YESTERDAY.getUTCFullYear(), YESTERDAY.getUTCMonth() - before, 1)).toISOString().slice(0, 7)
}

/** Moves the dates in the text of the dump, and in the names of partitions. Months stay months. */
function moveDates(dump: string): string {
  const moved = (date: string) => new Date(Date.parse(date) + MOVED_DAYS * DAY_MS).toISOString().slice(0, 10)
  return dump
    .replace(/\b20\d\d-\d\d-\d\d(?!\d)/g, (date) =>
      date === '2026-11-01' ? `${monthOf(0)}-01` : date === '2026-10-01' ? `${monthOf(1)}-01` : moved(date),
    )
    .replace(/(?<=\bc|_)(20\d\d)([01]\d)([0-3]\d)\b/g, (_, y, m, d) => moved(`${y}-${m}-${d}`).replaceAll('-', ''))
}

/** Moves the times inside the compressed values of player history. */
async function moveHistory(pool: Pool): Promise<void> {
  const stored = async (table: string) =>
    (await pool.query<{ id: string; bytes: Buffer }>(`select server_id as id, samples as bytes, ctid from ${table}`))
      .rows
  for (const { id, bytes } of await stored('player_history_recent'))
    await pool.query(
      `update player_history_recent set samples = (
         select string_agg(player_history_sample(to_timestamp(at), players, max_players), '' order by at)
         from unnest($2::float8[], $3::integer[], $4::integer[]) as sample (at, players, max_players))
       where server_id = $1`,
      [
        id,
        decodeSamples(bytes).map(({ at }) => at + MOVED_DAYS * 86_400),
        decodeSamples(bytes).map(({ players }) => players),
        decodeSamples(bytes).map(({ maxPlayers }) => maxPlayers),
      ],
    )
  for (const table of ['player_history_open', 'player_history_chunks'])
    for (const { id, bytes } of await stored(table))
      await pool.query(`update ${table} set samples = $3 where server_id = $1 and samples = $2`, [
        id,
        bytes,
        encodeSamples(decodeSamples(bytes).map((sample) => ({ ...sample, at: sample.at + MOVED_DAYS * 86_400 }))),
      ])
  const { rows: months } = await pool.query<{ id: string; hours: Buffer }>(
    'delete from player_history_months returning server_id as id, hours',
  )
  for (const { id, hours } of months) {
    const moved = decodeHours(hours).map((hour) => ({ ...hour, at: new Date(hour.at.getTime() + MOVED_DAYS * DAY_MS) }))
    for (const [month, ofMonth] of Map.groupBy(moved, ({ at }) => `${at.toISOString().slice(0, 7)}-01`))
      await pool.query('insert into player_history_months (server_id, month, hours) values ($1, $2, $3)', [
        id,
        month,
        encodeHours(ofMonth),
      ])
  }
}

/** @returns a database that is dropped after the file's tests */
async function createDatabase(dump = ''): Promise<{ url: string; pool: Pool }> {
  const serverUrl = inject('postgresUrl')
  const name = `test_${randomBytes(6).toString('hex')}`
  const server = new pg.Client({ connectionString: serverUrl })
  await server.connect()
  await server.query(`create database ${name} template template0`)
  const url = serverUrl.replace(/\/postgres$/, `/${name}`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(dump)
  await client.end()
  const pool = createPool({ url, max: 3, applicationName: 'test', log: testLog })
  atFileEnd(async () => {
    await pool.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })
  return { url, pool }
}

async function column(pool: Pool, select: string): Promise<string[]> {
  return (await pool.query<{ id: string }>(select)).rows.map(({ id }) => id)
}

/** Runs `npm run migrate` on the database. */
function runMigrate(url: string): Promise<{ code: number; err: string }> {
  const env = { ...process.env, DATABASE_URL: url, APP_SECRET }
  return new Promise((resolve) =>
    execFile(process.execPath, ['src/migrate.ts'], { env }, (error, _out, err) =>
      resolve({ code: Number(error?.code ?? 0), err }),
    ),
  )
}

const dumpOf020 = () => gunzipSync(fs.readFileSync(path.join(FIXTURES, 'release-0.2.0.sql.gz'))).toString()

describe('a database of release 0.1', () => {
  const LAST_OF_01 = '0009_installation'
  const REFUSAL = 'its player history is in the format of release 0.1: run release 0.2 on it first'

  it('is refused by migrations and by the start, in one line, and stays as it is', async () => {
    const { url, pool } = await createDatabase()
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-of-0.1-'))
    for (const name of fs.readdirSync(MIGRATIONS))
      if (name <= LAST_OF_01) fs.cpSync(path.join(MIGRATIONS, name), path.join(folder, name), { recursive: true })
    await migrate({ url, log: testLog, folder })
    fs.rmSync(folder, { recursive: true })
    await pool.query(`
      create table player_history_days.d20260301 partition of player_history
        for values from ('2026-03-01T00:00Z') to ('2026-03-02T00:00Z');
      insert into player_history values (gen_random_uuid(), '2026-03-01T12:00Z', 3, 70)`)
    const before = await appliedMigrations(pool)
    expect(before.at(-1)).toBe(LAST_OF_01)
    expect(await runMigrate(url)).toEqual({ code: 1, err: expect.stringMatching(`^migrate: ${REFUSAL}[^\n]+\n$`) })
    const launcher = await startLauncher({ DATABASE_URL: url, APP_SECRET })
    expect(await launcher.ended).toBe(1)
    expect(launcher.output()).toContain(REFUSAL)
    expect(await appliedMigrations(pool)).toEqual(before)
    expect((await pool.query('select players from player_history')).rows).toEqual([{ players: 3 }])
  })

  it('whose addresses of webhooks release 0.2 has not encrypted is refused, and stays as it is', async () => {
    const { url, pool } = await createDatabase(dumpOf020())
    await pool.query(
      `insert into webhook_endpoints (server_id, url, events, secret) values ($1, 'https://owner.example/', '{vote.created}', '')
       on conflict (server_id) do update set url = excluded.url`,
      [ISLAND],
    )
    const before = await appliedMigrations(pool)
    const refusal = 'its webhooks are in the format of release 0.1: run release 0.2 on it first'
    expect(await runMigrate(url)).toEqual({ code: 1, err: expect.stringMatching(`^migrate: ${refusal}[^\n]+\n$`) })
    expect(await column(pool, `select url as id from endpoints where url like 'https:%'`)).toEqual([
      'https://owner.example/',
    ])
    expect(await appliedMigrations(pool)).toEqual(before)
  })
})

describe('a database that returns to release 0.2.0', () => {
  it('keeps the queues and schedules that its workers handle, and no others', async () => {
    const { url, pool } = await createDatabase(dumpOf020())
    const known = () => column(pool, `select name as id from pgboss.queue where name not like '\\_\\_%' order by 1`)
    const handled = await known()
    expect(await runMigrate(url)).toEqual({ code: 0, err: '' })
    const { boss, stop } = await openJobs({ url, log: testLog, applicationName: 'test' })
    await boss.schedule('wipes-next', '* * * * *')
    await stop()
    const operations = fs.readFileSync(path.resolve(import.meta.dirname, '../../docs/OPERATIONS.md'), 'utf8')
    const [, statements = ''] = /^\*\*To return to 0\.2\.0\*\*.*?^```sql\n(.*?)^```/ms.exec(operations) ?? []
    await pool.query(statements)
    expect(await known()).toEqual(handled)
    expect(await column(pool, 'select name as id from pgboss.schedule')).not.toContain('wipes-next')
  })
})

describe('a backup that release 0.2.0 made', () => {
  it('is restored with all its rows, brought to this release and marked as a copy', async () => {
    const url = await createEmptyDatabase(inject('postgresUrl'))
    const { code, out } = await restore(path.join(FIXTURES, 'release-0.2.0.backup'), url)
    expect(code, out).toBe(0)
    expect(out).toContain('restored 68 tables with 828 rows')
    await withPool(url, async (pool) => {
      expect(await pendingMigrations(pool)).toEqual([])
      expect(await isUnadoptedCopy(pool)).toBe(true)
      const { rows } = await pool.query(`
        select (select count(*)::integer from votes) as votes, (select count(*)::integer from users) as users,
          (select count(*)::integer from servers) as servers, (select count(*)::integer from bids) as bids,
          (select count(*)::integer from endpoint_deliveries where status = 'pending') as pending,
          (select count(*)::integer from player_history_chunks) as days`)
      expect(rows).toEqual([{ votes: 19, users: 4, servers: 5, bids: 4, pending: 16, days: 12 }])
    })
    expect(await diffToSchema({ url })).toBe('')
  })
})

describe('a database of release 0.2.0', async () => {
  const { url, pool } = await createDatabase(moveDates(dumpOf020()))
  await moveHistory(pool)
  await adoptInstallation(pool) // or the copy would send nothing

  const received: { server: string; id: string; isSigned: boolean }[] = []
  const receiver = await startLoopbackServer(({ url: { pathname }, headers, body }, res) => {
    const secret = pathname === '/island' ? ISLAND_SECRET : ROCKS_SECRET
    // The servers do not answer polls, so they are announced as offline, too.
    if (JSON.parse(body).type === 'vote.created')
      received.push({
        server: pathname === '/island' ? ISLAND : ROCKS,
        id: String(headers['webhook-id']),
        isSigned: isSigned(secret, body, headers as Record<string, string>),
      })
    res.end()
  })
  for (const [id, name] of [
    [ISLAND, 'island'],
    [ROCKS, 'rocks'],
  ])
    await pool.query(`update endpoints set url = $2 where server_id = $1 and kind = 'standard'`, [
      id,
      secretCipher.encrypt('webhook-url', `${receiver.origin}/${name}`),
    ])

  /** Read before anything of this release has changed it. */
  const old = {
    votes: await column(pool, 'select id from votes order by id'),
    pending: await column(
      pool,
      `select delivery.id from endpoint_deliveries as delivery join endpoints on endpoints.id = endpoint_id
       where server_id = '${ROCKS}' and status = 'pending' order by 1`,
    ),
  }
  let product: Product
  let owner: Client
  let buyer: Client

  async function logIn(email: string): Promise<Client> {
    const client = createClient(product)
    expect((await client.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(200)
    return client
  }

  async function fieldsOf<Body>(client: Client, target: string): Promise<Body> {
    const { status, body } = await client.get<Body>(target)
    expect(status, target).toBe(200)
    return body
  }

  it('is migrated by `npm run migrate`, to the schema of a new database', async () => {
    expect(await runMigrate(url)).toEqual({ code: 0, err: '' })
    expect(await diffToSchema({ url })).toBe('')
  })

  it('starts, and its accounts log in with their passwords', async () => {
    product = await startProduct({ DATABASE_URL: url, APP_SECRET, ADMIN_EMAILS: 'operator@example.com' })
    for (const email of ['operator@example.com', 'player@example.com']) await logIn(email)
    buyer = await logIn('buyer@example.com')
  })

  it('a session that it opened stays valid', async () => {
    owner = createClient(product)
    for (const [name, value] of Object.entries(SESSION)) owner.cookies.set(name, value)
    const { user } = await fieldsOf<{ user: unknown }>(owner, '/api/auth/session')
    expect(user).toMatchObject({ email: 'owner@example.com', username: 'Olga' })
  })

  it('servers keep their owners, who are alone in their teams, their fields, votes and ranks', async () => {
    const { servers } = await fieldsOf<{ servers: { id: string; totalVotes: number }[] }>(owner, '/api/user/servers')
    expect(Object.fromEntries(servers.map(({ id, totalVotes }) => [id, totalVotes]))).toEqual({
      [ISLAND]: 11,
      [ROCKS]: 5,
    })
    const { members, invitations } = await fieldsOf<{ members: unknown[]; invitations: unknown[] }>(
      owner,
      `/api/servers/${ISLAND}/members`,
    )
    expect([members, invitations]).toEqual([[expect.objectContaining({ role: 'owner', username: 'Olga' })], []])
    const visitor = createClient(product)
    expect(await fieldsOf(visitor, `/api/servers/${ISLAND}`)).toMatchObject({
      name: 'The old island',
      game: 'ase',
      isVerified: true,
      tags: 'pve,cluster',
      rates: 'xp:2,harvest:3',
      description: 'An island since 0.1.',
    })
    const listed = await fieldsOf<{ servers: { id: string }[] }>(visitor, '/api/servers?sortBy=totalVotes')
    expect(listed.servers.map(({ id }) => id)).toEqual([ISLAND, ROCKS, BASE, SILENT])
    expect((await visitor.get(`/api/servers/${REMOVED}`)).status).toBe(404)
  })

  it('votes of before count for the score', async () => {
    const { rows } = await pool.query<{ id: string; isExact: boolean }>(
      `select server_id as id, vote_score = (select sum(vote_weight(voted_at)) from votes where votes.server_id = counters.server_id) as "isExact"
       from server_counters as counters where total_votes > 0`,
    )
    expect(rows).toHaveLength(3)
    for (const { isExact } of rows) expect(isExact).toBe(true)
    const rank = await fieldsOf<Record<string, unknown>>(createClient(product), `/api/servers/${ISLAND}/rank`)
    expect(rank).toMatchObject({ place: 1, servers: 4 })
  })

  it('the owner reads the old votes, with names and claims', async () => {
    type Votes = { votes: { id: string; username: string; claimedAt: string | null }[] }
    const pages = await Promise.all([
      fieldsOf<Votes>(owner, `/api/servers/${ISLAND}/votes`),
      fieldsOf<Votes>(owner, `/api/servers/${ROCKS}/votes`),
      fieldsOf<Votes>(buyer, `/api/servers/${BASE}/votes`),
    ])
    const votes = pages.flatMap((page) => page.votes)
    expect(votes.map(({ id }) => id).sort()).toEqual(old.votes)
    expect(votes.filter(({ claimedAt }) => claimedAt).map(({ username }) => username)).toEqual(['Grace'])
    expect(await fieldsOf(owner, `/api/servers/${ISLAND}/votes/check?username=bo%203`)).toMatchObject({ unclaimed: 2 })
  })

  it('visitors of last month vote again, once, and their vote is the next of the total', async () => {
    const vote = { visitorId: 'visitor-number-1', username: 'Ada' }
    expect((await createClient(product).post(`/api/servers/${BASE}/vote`, vote)).status).toBe(200)
    expect((await createClient(product).post(`/api/servers/${BASE}/vote`, vote)).status).toBe(429)
    expect(await column(pool, `select max(number) as id from votes where server_id = '${BASE}'`)).toEqual([4])
  })

  it('the month that it closed has standings', async () => {
    const standings = async () => {
      const { standings } = await fieldsOf<{ standings: { votes: number; place: number; server: { id: string } }[] }>(
        createClient(product),
        `/api/standings?month=${monthOf(1)}`,
      )
      return standings.map(({ place, votes, server }) => [place, votes, server.id])
    }
    await expect.poll(standings, WAIT_OPTIONS).toEqual([
      [1, 5, ISLAND],
      [2, 2, BASE],
    ])
    // By the game that the servers have.
    const { standings: ofGame } = await fieldsOf<{ standings: { server: { id: string } }[] }>(
      createClient(product),
      `/api/standings?month=${monthOf(1)}&game=valheim`,
    )
    expect(ofGame.map(({ server }) => server.id)).toEqual([BASE])
  })

  it('player history has the polls of a week', async () => {
    type History = { points: { players: number | null }[]; peak: number }
    const history = await fieldsOf<History>(createClient(product), `/api/servers/${ISLAND}/player-history?range=30d`)
    expect(history.peak).toBe(36)
    expect(history.points.filter(({ players }) => players !== null).length).toBeGreaterThan(20)
  })

  it('API keys keep their scopes, that is all, and vote keys work', async () => {
    const withKey = createClient(product, { authorization: `Bearer ${API_KEY}` })
    expect((await withKey.get(`/api/servers/${ISLAND}/votes`)).status).toBe(200)
    const { apiKeys } = await fieldsOf<{ apiKeys: { id: string }[] }>(owner, '/api/user/api-keys')
    expect(await fieldsOf(owner, `/api/user/api-keys/${apiKeys[0]?.id}`)).toMatchObject({
      name: 'bot',
      tier: 'premium',
      scopes: ['read', 'votes', 'servers:write', 'endpoints', 'rcon'],
    })
    const asked = `/api/plugins/votes?action=status&key=${VOTE_KEY}&steamid=76561198000000005`
    const { status, body } = await createClient(product).get(asked)
    expect([status, body]).toEqual([200, '0']) // none in the last 24 hours
  })

  it('secrets are readable: the endpoints, RCON and the chat webhook are those of before', async () => {
    const { endpoints } = await fieldsOf<{ endpoints: { kind: string }[] }>(owner, `/api/servers/${ISLAND}/endpoints`)
    expect(endpoints.map(({ kind }) => kind).sort()).toEqual(['standard', 'votifier2'])
    expect(await fieldsOf(owner, `/api/servers/${ISLAND}/rcon`)).toMatchObject({ isConfigured: true, port: 27020 })
    expect(await fieldsOf(owner, `/api/servers/${ISLAND}/vote-rewards`)).toMatchObject({
      when: 'claim',
      commands: ['give {username} 1'],
    })
    expect(await fieldsOf(owner, '/api/user/notification-preferences/chat-webhook')).toEqual({
      isSet: true,
      host: 'discord.com',
    })
  })

  it('there are no faces, and the banner’s address stays', async () => {
    const { logo } = await fieldsOf<{ logo: { state: string } }>(owner, `/api/servers/${ISLAND}/faces`)
    expect(logo.state).toBe('none')
    expect(await fieldsOf(createClient(product), `/api/servers/${ISLAND}`)).toMatchObject({
      bannerUrl: 'https://island.example/banner.png',
    })
  })

  it('the old address of a server’s page leads to the one with its name', async () => {
    const { status, headers } = await fetch(`${product.url}/servers/${ISLAND}`, { redirect: 'manual' })
    expect(status).toBe(301)
    expect(headers.get('location')).toMatch(/^\/servers\/the-old-island-f509dd7211cb$/)
  })

  it('auctions with bids go on, and what was won can be paid', async () => {
    const auction = await fieldsOf(createClient(product), `/api/auctions/${RUNNING_AUCTION}`)
    expect(auction).toMatchObject({ status: 'active', bidCount: 2, currentBid: 1200 })
    const raised = await owner.post<{ auction: object }>(`/api/auctions/${RUNNING_AUCTION}/bid`, { bidAmount: 1300 })
    expect([raised.status, raised.body.auction]).toEqual([
      201,
      expect.objectContaining({ bidCount: 3, currentBid: 1300 }),
    ])
    const checkout = await buyer.post<{ url: string }>(`/api/auctions/${UNPAID_AUCTION}/checkout`)
    expect(checkout.status).toBe(200)
    const { placements } = await fieldsOf<{ placements: { serverId: string }[] }>(owner, '/api/ad-placements/side')
    expect(placements.map(({ serverId }) => serverId)).toEqual([ROCKS])
  })

  it('the wipe, the favorites, the report and the message are there', async () => {
    const { wipes } = await fieldsOf<{ wipes: { note: string }[] }>(owner, `/api/servers/${ISLAND}/wipe-history`)
    expect(wipes.map(({ note }) => note)).toEqual(['Season 2'])
    const player = await logIn('player@example.com')
    const { favorites } = await fieldsOf<{ favorites: { id: string }[] }>(player, '/api/user/favorites')
    expect(favorites.map(({ id }) => id).sort()).toEqual([ISLAND, ROCKS])
    expect(await fieldsOf(player, `/api/servers/${ISLAND}/notifications`)).toEqual({
      events: ['serverOffline', 'serverWiped'],
    })
    expect(await fieldsOf(player, `/api/servers/${BASE}/claim`)).toMatchObject({ status: 'pending' })
    expect(await column(pool, 'select server_id as id from reports')).toEqual([BASE])
    expect(await column(pool, 'select subject as id from contact_messages')).toEqual(['Hello'])
  })

  it('votes that waited for an endpoint arrive once, under their ids, signed with its old secret', async () => {
    const ofRocks = () => received.filter(({ server, id }) => server === ROCKS && old.pending.includes(id))
    await expect.poll(() => ofRocks().length, WAIT_OPTIONS).toBeGreaterThanOrEqual(old.pending.length)
    const pending = () =>
      column(
        pool,
        `select id from endpoint_deliveries where status = 'pending' and id in ('${old.pending.join("','")}')`,
      )
    await expect.poll(pending, WAIT_OPTIONS).toEqual([])
    expect(ofRocks().sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual(
      old.pending.map((id) => ({ server: ROCKS, id, isSigned: true })),
    )
    // Those of the island had arrived before.
    expect(received.filter(({ server }) => server === ISLAND)).toEqual([])
  })
})

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
