// Cold queries: random searches and filter combinations, without repetition, from the API against the best indexed SQL.
import { once } from 'node:events'
import http from 'node:http'
import { text } from 'node:stream/consumers'
import autocannon from 'autocannon'
import { freePort } from '../../commands/start/ports.ts'
import { seededRandom } from '../simulator/fleet.ts'
import { type Bench, type Started, startProduct } from './processes.ts'
import { atLeast, atMost, type Finding, figure, median } from './report.ts'
import { COUNTRIES, GAMES, MAPS, MODES, REGIONS, SYLLABLES, TAGS } from './seed.ts'
import { worstQueries, writeLongDescriptions } from './worst-words.ts'

const CONNECTIONS = 16
const ROUNDS = 3
const SQL_SECONDS = 6

interface ColdQuery {
  path: string
  /** The same page and total, as two statements on the indexed table. */
  where: string
  values: unknown[]
  orderBy: string
  limit: number
  offset: number
}

export async function benchColdQueries(bench: Bench): Promise<Finding[]> {
  await indexForSql(bench)
  const names = await sampleNames(bench)
  // PostgreSQL uses all cores, so the API gets one process per core.
  const ports = [await freePort(), await freePort()]
  const apis: Started[] = []
  for (const port of ports) apis.push(await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port))
  const bases = ports.map((port) => `http://127.0.0.1:${port}`)
  await compareAnswers(bench, bases[0] as string, coldQueries(names, 60, 99))
  // Both sides run for weeks in production, so the warm-up is not timed.
  await sqlPerSecond(bench, coldQueries(names, 4_000, 500))
  await apiPerSecond(bases, coldQueries(names, 48_000, 501))
  const [one, cpu, ours, sql]: [number[], number[], number[], number[]] = [[], [], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    sql.push(await sqlPerSecond(bench, coldQueries(names, 4_000, 1_000 + round)))
    const before = apis[0]?.cpuMicros() ?? Number.NaN
    one.push(await apiPerSecond(bases.slice(0, 1), coldQueries(names, 24_000, 2_000 + round)))
    cpu.push(((apis[0]?.cpuMicros() ?? Number.NaN) - before) / 24_000)
    ours.push(await apiPerSecond(bases, coldQueries(names, 48_000, 3_000 + round)))
  }
  const searches = await timeEach(bases[0] as string, wordQueries(names, 1_000))
  const walk = await timeEach(bases[0] as string, ['/api/servers?limit=100&cursor='], nextByCursor)
  const facets = await timeEach(bases[0] as string, facetQueries(200))
  await Promise.all(apis.map((api) => api.stop()))
  const worst = await timeWorstSearches(bench)
  return [
    figure('best indexed SQL, on all cores', median(sql), 'queries/s'),
    figure('API over HTTP, one process', median(one), 'requests/s'),
    figure('CPU time per request', median(cpu), 'µs'),
    figure('ratio of requests/s, one process', median(one) / median(sql)),
    atMost('facets of a query that no cache has, over HTTP, median', median(facets), 5, 'ms'),
    figure('API over HTTP, one process per core', median(ours), 'requests/s'),
    atLeast('ratio of requests/s, one process per core', median(ours) / median(sql), 20),
    figure('q= over HTTP, one after the other, median', median(searches), 'ms'),
    atMost('q= over HTTP, one after the other, p99', p99(searches), 10, 'ms'),
    figure('most expensive q=, descriptions of 2,000 characters, median', median(worst.flat()), 'ms'),
    atMost('most expensive q=, p99', median(worst.map(p99)), 10, 'ms'),
    figure(`walk by cursor, ${walk.length} pages of 100, one after the other, median`, median(walk), 'ms'),
    atMost('walk by cursor, p99', p99(walk), 10, 'ms'),
  ]
}

const facetQueries = (count: number) =>
  Array.from({ length: count }, (_, n) => `/api/servers/facets?minPlayers=${n % 10}&maxPlayers=${20 + n}`)

export const p99 = (times: number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN

/** Searches for two words of a name: one of them misspelled, the other only its beginning. */
function wordQueries(names: string[], count: number): string[] {
  const random = seededRandom(4_000)
  return Array.from({ length: count }, () => {
    const [first = '', second = ''] = names[Math.floor(random() * names.length)]?.split(' ') ?? []
    const cut = 1 + Math.floor(random() * (first.length - 1))
    const q = `${first.slice(0, cut)}${first.slice(cut + 1)} ${second.slice(0, 4)}`
    return `/api/servers?${new URLSearchParams({ q, limit: '20' })}`
  })
}

/** @returns milliseconds of each query, by round: one round has too few for a p99 */
async function timeWorstSearches(bench: Bench): Promise<number[][]> {
  const queries = worstQueries(await writeLongDescriptions(bench, SYLLABLES))
  const pathsOf = (limit: number) =>
    queries.map((q) => `/api/servers?${new URLSearchParams({ q, limit: String(limit) })}`)
  const port = await freePort()
  const api = await startProduct('api', { DATABASE_URL: bench.url, PORT: String(port) }, port)
  const base = `http://127.0.0.1:${port}`
  // V8 still compiles during the second round.
  for (let round = 0; round < 2; round++) await timeEach(base, pathsOf(19 + round))
  const rounds: number[][] = []
  // Other pages in each round, since a page that was asked for twice is cached for the rest of the second.
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeEach(base, pathsOf(21 + round)))
  await api.stop()
  return rounds
}

function nextByCursor(reply: string): string | undefined {
  const { nextCursor } = JSON.parse(reply) as { nextCursor: string | null }
  return nextCursor === null ? undefined : `/api/servers?limit=100&cursor=${nextCursor}`
}

/**
 * By `http`, since `fetch` leaves so much garbage that each of its collections in this process would count as 10
 * to 20 ms of a reply.
 * @param next leads from a reply to another request. @returns milliseconds of each request
 */
async function timeEach(
  base: string,
  paths: string[],
  next?: (reply: string) => string | undefined,
): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (const start of paths)
    for (let path: string | undefined = start; path !== undefined; ) {
      const from = performance.now()
      const reply: string = await get(base + path, agent)
      times.push(performance.now() - from)
      path = next?.(reply)
    }
  agent.destroy()
  return times
}

async function get(url: string, agent: http.Agent): Promise<string> {
  const [response] = (await once(http.get(url, { agent }), 'response')) as [http.IncomingMessage]
  const reply = await text(response)
  if (response.statusCode !== 200) throw new Error(`${url}: ${response.statusCode} ${reply}`)
  return reply
}

/** Cold queries/s of a running API, for the comparison of directory sizes. */
export async function coldPerSecond(bench: Bench, port: number, seed: number): Promise<number> {
  return apiPerSecond([`http://127.0.0.1:${port}`], coldQueries(await sampleNames(bench), 12_000, seed))
}

/** @returns milliseconds of each cold query, one after the other */
export async function coldTimes(bench: Bench, port: number, seed: number): Promise<number[]> {
  const paths = coldQueries(await sampleNames(bench), 1_000, seed).map(({ path }) => path)
  return timeEach(`http://127.0.0.1:${port}`, paths)
}

/** One table with all that the reply needs and an index for each filter and order. */
async function indexForSql({ pool }: Bench): Promise<void> {
  await pool.query(
    `
    create extension if not exists pg_trgm;
    drop table if exists bench_listing;
    create table bench_listing as
      select s.id, s.game, st.country, s.name, lower(s.name) as folded, s.ip_address, s.game_port, s.description, s.created_at, s.game_mode, s.region, s.tags,
             s.rates, substring(s.rates from 'xp:([0-9.]+)')::float8 as xp, substring(s.rates from 'harvest:([0-9.]+)')::float8 as harvest,
             substring(s.rates from 'taming:([0-9.]+)')::float8 as taming, st.is_online, st.current_players, st.max_players, st.map, c.total_votes, c.monthly_votes
      from servers s join server_status st on st.server_id = s.id join server_counters c on c.server_id = s.id
      where s.deleted_at is null;
    create index on bench_listing using gin (folded gin_trgm_ops);
    create index on bench_listing using gin (tags);
    create index on bench_listing (total_votes desc, created_at, id);
    create index on bench_listing (monthly_votes desc, created_at, id);
    create index on bench_listing (current_players desc, created_at, id);
    create index on bench_listing (created_at desc, id);
    create index on bench_listing (map, game_mode, region);
    create index on bench_listing (region, game_mode);
    create index on bench_listing (game_mode);
    create index on bench_listing (game, country);
    create index on bench_listing (country);
    create index on bench_listing (total_votes desc, created_at, id) where is_online`,
  )
  await pool.query('vacuum analyze bench_listing') // separate, because several statements in one query are a transaction
}

async function sampleNames({ pool }: Bench): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from servers order by id limit 20000')
  return rows.map((row) => row.name)
}

function coldQueries(names: string[], count: number, seed: number): ColdQuery[] {
  const random = seededRandom(seed)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  return Array.from({ length: count }, (_, index) => {
    const params = new URLSearchParams()
    const where: string[] = ['true']
    const values: unknown[] = []
    const filter = (name: string, value: string, sql: (n: number) => string, sqlValue: unknown = value) => {
      params.set(name, value)
      values.push(sqlValue)
      where.push(sql(values.length))
    }
    const oneOrTwo = (from: readonly string[], column: string) => {
      const values = [...new Set([pick(from), pick(from)])]
      return [values.join(','), (n: number) => `${column} = any($${n}::text[])`, values] as const
    }
    const page = 1 + Math.floor(random() * 5)
    // Lengths vary, so that queries hardly repeat and caches don't help.
    const limit = 10 + Math.floor(random() * 20)
    params.set('page', String(page))
    params.set('limit', String(limit))
    const offset = (page - 1) * limit
    if (index % 2) {
      const name = pick(names).toLowerCase()
      const length = 3 + Math.floor(random() * 6)
      const from = Math.floor(random() * Math.max(1, name.length - length))
      const term = name.slice(from, from + length).trim()
      filter('search', term, (n) => `folded like $${n}`, `%${term.replace(/[\\%_]/g, '\\$&')}%`)
      const path = `/api/public/servers?${params}`
      return {
        path,
        where: where.join(' and '),
        values,
        orderBy: 'total_votes desc, created_at, id',
        limit,
        offset,
      }
    }
    if (random() < 0.3) filter('game', ...oneOrTwo(GAMES, 'game'))
    if (random() < 0.3) filter('country', ...oneOrTwo(COUNTRIES.filter(Boolean), 'country'))
    if (random() < 0.5) filter('gameMode', pick(MODES), (n) => `game_mode = $${n}`)
    if (random() < 0.4) filter('map', pick(MAPS), (n) => `map = $${n}`)
    if (random() < 0.4) filter('region', pick(REGIONS), (n) => `region = $${n}`)
    if (random() < 0.4) {
      const tags = [...new Set([pick(TAGS), pick(TAGS)])]
      filter('tags', tags.join(','), (n) => `tags @> $${n}::text[]`, tags)
    }
    if (random() < 0.3) {
      params.set('onlineOnly', 'true')
      where.push('is_online')
    }
    if (random() < 0.2) filter('minPlayers', String(1 + Math.floor(random() * 60)), (n) => `current_players >= $${n}`)
    if (random() < 0.2) {
      params.set('hasFreeSlots', 'true')
      where.push('is_online and current_players < max_players')
    }
    const [sortBy, column] = pick([
      ['totalVotes', 'total_votes'],
      ['monthlyVotes', 'monthly_votes'],
      ['currentPlayers', 'current_players'],
      ['createdAt', 'created_at'],
    ] as const)
    params.set('sortBy', sortBy)
    params.set('page', String(page))
    if (random() < 0.2) {
      const min = 1 + Math.floor(random() * 20) / 2
      params.set('minMultiplier', String(min))
      params.set('maxMultiplier', String(min + 1))
      values.push(min, min + 1)
      const within = `between $${values.length - 1} and $${values.length}`
      where.push(`(xp ${within} or harvest ${within} or taming ${within})`)
    }
    const orderBy = column === 'created_at' ? 'created_at desc, id' : `${column} desc, created_at, id`
    return { path: `/api/servers?${params}`, where: where.join(' and '), values, orderBy, limit, offset }
  })
}

async function runSql({ pool }: Bench, query: ColdQuery): Promise<{ ids: string[]; total: number }> {
  const [page, total] = await Promise.all([
    pool.query<{ id: string }>(
      `select * from bench_listing where ${query.where} order by ${query.orderBy} limit ${query.limit} offset ${query.offset}`,
      query.values,
    ),
    pool.query<{ total: number }>(`select count(*) as total from bench_listing where ${query.where}`, query.values),
  ])
  return { ids: page.rows.map((row) => row.id), total: total.rows[0]?.total ?? 0 }
}

/** Checks that both sides return the same before either is timed. */
async function compareAnswers(bench: Bench, base: string, queries: ColdQuery[]): Promise<void> {
  for (const query of queries) {
    const response = await fetch(base + query.path)
    const ours = (await response.json()) as { servers: { id: string }[]; pagination: { total: number } }
    const sql = await runSql(bench, query)
    const same = ours.pagination.total === sql.total && ours.servers.every((server, i) => server.id === sql.ids[i])
    if (!same) throw new Error(`${query.path}: ${ours.pagination.total} from the API, ${sql.total} from SQL`)
  }
}

async function sqlPerSecond(bench: Bench, queries: ColdQuery[]): Promise<number> {
  const from = performance.now()
  const until = from + SQL_SECONDS * 1000
  let next = 0
  const lane = async () => {
    for (let query = queries[next++]; query && performance.now() < until; query = queries[next++])
      await runSql(bench, query)
  }
  await Promise.all(Array.from({ length: 4 }, lane))
  return Math.min(next, queries.length) / ((performance.now() - from) / 1000)
}

/** Gives each process an equal share of the queries, concurrently. */
async function apiPerSecond(bases: string[], queries: ColdQuery[]): Promise<number> {
  const share = Math.floor(queries.length / bases.length)
  const from = performance.now()
  const counts = await Promise.all(bases.map((base, i) => ask(base, queries.slice(i * share, (i + 1) * share))))
  return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - from) / 1000)
}

/** @returns the number of replies: one per query */
async function ask(base: string, queries: ColdQuery[]): Promise<number> {
  let lane = 0
  const share = Math.floor(queries.length / CONNECTIONS)
  const result = await autocannon({
    url: base,
    connections: CONNECTIONS,
    amount: share * CONNECTIONS,
    setupClient: (client) => {
      const mine = queries.slice(lane * share, ++lane * share)
      client.setRequests(mine.map((query) => ({ path: query.path, method: 'GET' })))
    },
  })
  if (result.non2xx || result.errors) throw new Error(`${result.non2xx} refused, ${result.errors} errors`)
  return result.requests.total
}
