// Views, copied addresses and joins of a server by day, and what its owner reads of them.
import { expect, it } from 'vitest'
import { addActivity } from '../../../src/features/activity/activity.sql.ts'
import { createActivityCounter } from '../../../src/features/activity/activity-counter.ts'
import { runActivityRetention } from '../../../src/features/activity/index.ts'
import { serverPath } from '../../../src/features/site/components/server-parts.ts'
import { startTestApi } from '../../support/api.ts'
import { testLog } from '../../support/database.ts'
import { callerOf } from '../servers/support.ts'
import { createWebhookWorld } from '../webhooks/support.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const DAY_MS = 86_400_000

const api = await startTestApi({ settings: { TRUST_PROXY: '1' } })
const { pool } = api.database
const world = createWebhookWorld(api)

/** A visitor of another network each time. */
let visitors = 0
const newVisitor = () => `203.0.${++visitors >> 8}.${visitors & 255}`

const visit = (path: string, headers: Record<string, string> = {}, method = 'GET', from = api) =>
  fetch(from.url + path, {
    method,
    headers: { accept: 'text/html', 'user-agent': BROWSER, 'x-forwarded-for': newVisitor(), ...headers },
  })

const report = (id: string, body: object, headers: Record<string, string> = {}) =>
  api.request(`/api/servers/${id}/activity`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': BROWSER,
      'x-forwarded-for': newVisitor(),
      ...headers,
    },
    body: JSON.stringify(body),
  })

type Day = Record<'views' | 'crawlerViews' | 'copies' | 'joins' | 'votes' | 'favorites', number> & { day: string }

async function activityOf(id: string, query = '') {
  const { rows } = await pool.query(
    `select coalesce(sum(views), 0)::integer as views, coalesce(sum(crawler_views), 0)::integer as "crawlerViews",
       coalesce(sum(copies), 0)::integer as copies, coalesce(sum(joins), 0)::integer as joins
     from server_activity where server_id = $1 ${query}`,
    [id],
  )
  return rows[0]
}

it('counts views of a page from memory and of one that the browser has, once for a client, and crawlers apart', async () => {
  // A second process on the same database, which writes when it is stopped.
  const other = await startTestApi({ database: api.database, settings: { TRUST_PROXY: '1' } })
  const { id } = await world.addServer({ name: 'Viewed' })
  await other.directory.refresh()
  const path = serverPath({ id, name: 'Viewed' })
  const etag = (await visit(path, {}, 'GET', other)).headers.get('etag') ?? ''
  const again = await visit(path, { 'if-none-match': etag, 'x-forwarded-for': '198.51.100.1' }, 'GET', other)
  expect(again.status).toBe(304)
  await visit(path, { 'x-forwarded-for': '198.51.100.1' }, 'GET', other)
  await visit(path, { 'user-agent': CRAWLER }, 'GET', other)
  await visit(path, { 'user-agent': '' }, 'GET', other)
  await visit(path, {}, 'HEAD', other)
  await visit(path, { 'sec-purpose': 'prefetch' }, 'GET', other)
  await visit(`/servers/${id.slice(0, -4)}0000`, {}, 'GET', other)
  expect(await activityOf(id)).toMatchObject({ views: 0 })
  await other.stop()
  expect(await activityOf(id)).toEqual({ views: 2, crawlerViews: 2, copies: 0, joins: 0 })
})

it('takes copied addresses and joins from pages of its own origin, and a bounded number of a client', async () => {
  const { id } = await world.addServer()
  await api.directory.refresh()
  expect((await report(id, { action: 'copy' })).status).toBe(200)
  expect((await report(id, { action: 'view' })).status).toBe(400)
  expect((await report(id, { action: 'join' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await report(`${id.slice(0, -4)}0000`, { action: 'join' })).status).toBe(404)
  const statuses = new Set<number>()
  for (let n = 0; n < 31; n++)
    statuses.add((await report(id, { action: 'join' }, { 'x-forwarded-for': '198.51.100.9' })).status)
  expect([...statuses]).toEqual([200, 429])
})

it('shows the owner each day with votes, favorites and the effect of placements, also as a table', async () => {
  const { owner, id } = await world.addServer()
  const call = callerOf(api)
  const today = new Date()
  const daysAgo = (days: number) => new Date(today.getTime() - days * DAY_MS)
  const counts = { serverId: id, crawlerViews: 1, copies: 2, joins: 3 }
  for (const [days, views] of [
    [0, 5],
    [1, 7],
    [4, 1],
  ] as const)
    await addActivity(pool, daysAgo(days), [{ ...counts, views }])
  await addActivity(pool, today, [{ ...counts, views: 5 }])
  await pool.query(
    `insert into votes (id, server_id, number, visitor_id, voted_at) values (gen_random_uuid(), $1, 1, 'visitor', now())`,
    [id],
  )
  await pool.query('insert into favorites (id, user_id, server_id) values (gen_random_uuid(), $1, $2)', [owner.id, id])
  const { status, body } = await call(owner, 'GET', `/servers/${id}/activity?days=3`)
  expect(status).toBe(200)
  const days = body.days as Day[]
  expect(days.map(({ views }) => views)).toEqual([0, 7, 10])
  expect(days.at(-1)).toEqual({
    day: today.toISOString().slice(0, 10),
    ...{ views: 10, crawlerViews: 2, copies: 4, joins: 6, votes: 1, favorites: 1 },
  })
  expect(body.placements).toEqual([])

  const { rows } = await pool.query<{ id: string }>(
    `with slot as (insert into ad_slots (id, location, tier, name, width, height) values (gen_random_uuid(), 'home-top', 'standard', 'Top', 1, 1) returning id),
     auction as (insert into auctions (id, slot_id, tier, location, title, status, starts_at, ends_at, starting_bid, minimum_increment, placement_days)
       select gen_random_uuid(), id, 'standard', 'home-top', 'Top', 'completed', now() - interval '9 days', now() - interval '8 days', 100, 100, 2 from slot returning id, slot_id),
     bid as (insert into bids (id, auction_id, user_id, server_id, amount, placed_at) select gen_random_uuid(), id, $1, $2, 900, now() - interval '9 days' from auction returning id, auction_id),
     offer as (insert into auction_offers (id, auction_id, bid_id, user_id, server_id, amount, status, offered_at, expires_at)
       select gen_random_uuid(), auction_id, id, $1, $2, 900, 'paid', now(), now() from bid returning id)
     insert into placements (id, slot_id, offer_id, server_id, starts_at, ends_at)
     select gen_random_uuid(), slot_id, offer.id, $2, date_trunc('day', now() - interval '1 day'), now() + interval '1 day' from auction, offer returning id`,
    [owner.id, id],
  )
  const { body: withPlacement } = await call(owner, 'GET', `/servers/${id}/activity`)
  expect(withPlacement.placements).toEqual([
    expect.objectContaining({
      placementId: rows[0]?.id,
      priceCents: 900,
      currency: 'USD',
      days: 2,
      views: 17,
      viewsBefore: 0,
    }),
  ])

  const reach = await (await api.request('/api/placement-reach')).json()
  // Yesterday is its only full day; of the seven days before, one had a view.
  expect(reach).toEqual({ places: [{ location: 'home-top', servers: 1, viewsPerDay: 7, viewsPerDayBefore: 0 }] })
  await addActivity(pool, daysAgo(5), [{ ...counts, views: 14 }])
  const later = await (await api.request('/api/placement-reach')).json()
  expect(later).toMatchObject({ places: [{ viewsPerDay: 7, viewsPerDayBefore: 2 }] })

  // Ends at the midnight at which the day with seven views begins.
  await pool.query(
    `update placements set starts_at = midnight - interval '3 days', ends_at = midnight - interval '1 day'
     from (select date_trunc('day', now(), 'utc') as midnight) as clock where id = $1`,
    [rows[0]?.id],
  )
  const { body: ended } = await call(owner, 'GET', `/servers/${id}/activity`)
  expect(ended.placements).toMatchObject([{ days: 2, views: 0, viewsBefore: 15 }])
  const afterwards = await (await api.request('/api/placement-reach')).json()
  expect(afterwards).toMatchObject({ places: [{ viewsPerDay: 0, viewsPerDayBefore: 2 }] })

  const table = await api.request(`/api/servers/${id}/activity.csv?days=2`, { headers: { cookie: owner.cookie } })
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect((await table.text()).split('\r\n')).toEqual([
    'day,views,crawlerViews,copies,joins,votes,favorites',
    `${daysAgo(1).toISOString().slice(0, 10)},7,1,2,3,0,0`,
    `${today.toISOString().slice(0, 10)},10,2,4,6,1,1`,
    '',
  ])
  const page = await (
    await fetch(`${api.url}/my/servers/${id}`, { headers: { cookie: owner.cookie, accept: 'text/html' } })
  ).text()
  expect(page).toContain('0 views in 2 days, 15 in the same time before')
})

it('keeps counts for 400 days, and deletes them with the server', async () => {
  const { owner, id } = await world.addServer()
  const counts = [{ serverId: id, views: 1, crawlerViews: 0, copies: 0, joins: 0 }]
  for (const days of [0, 399, 402]) await addActivity(pool, new Date(Date.now() - days * DAY_MS), counts)
  await runActivityRetention({ pool, log: testLog })
  expect(await activityOf(id)).toMatchObject({ views: 2 })
  await callerOf(api)(owner, 'DELETE', `/servers/${id}`)
  expect(await activityOf(id)).toMatchObject({ views: 0 })
  await addActivity(pool, new Date(), counts) // of a process that counted before
  expect(await activityOf(id)).toMatchObject({ views: 0 })
})

it('adds what several processes write at once', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, async () => (await world.addServer()).id))
  const counts = ids.sort().map((serverId) => ({ serverId, views: 1, crawlerViews: 0, copies: 0, joins: 0 }))
  await Promise.all(Array.from({ length: 20 }, () => addActivity(pool, new Date(), counts)))
  for (const id of ids) expect(await activityOf(id)).toMatchObject({ views: 20 })
})

it('counts no more than 100,000 different actions between two writes, whatever a crowd sends, and puts days apart', async () => {
  const written: [string, number][] = []
  let now = Date.UTC(2026, 10, 23, 23, 59, 59)
  const counter = createActivityCounter({
    write: async (day, counts) => {
      written.push([day.toISOString(), counts.reduce((sum, { views }) => sum + views, 0)])
    },
    log: testLog,
    clock: () => now,
  })
  const view = (client: number) =>
    counter.count({ serverId: 'a', action: 'view', clientKey: `client ${client}`, userAgent: BROWSER })
  for (let client = 0; client < 100_010; client++) view(client)
  now += 2_000
  view(1)
  await counter.stop()
  expect(written).toEqual([
    ['2026-11-23T00:00:00.000Z', 100_000],
    ['2026-11-24T00:00:00.000Z', 1],
  ])
})
