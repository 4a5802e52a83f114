// Player history: bytes of a poll, the cost of appending and rolling up, and reads, at a poll a minute.
// BENCH_SERVERS=100000 needs about 12 GB of disk and ten minutes.
import {
  addPending,
  encodeSamples,
  movePendingSamples,
  packDays,
  readPlayerHistory,
  refreshUptime,
  rollUpHours,
} from '../../src/features/history/index.ts'
import type { Pool } from '../../src/platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/durations.ts'
import { seededRandom } from '../simulator/fleet.ts'
import { type Bench, cpuMicrosOf } from './processes.ts'
import { atMost, type Finding, figure, median } from './report.ts'
import { seedDirectory } from './seed.ts'

const SERVERS = Number(process.env.BENCH_SERVERS ?? 5_000)
/** Every fifth server has 90 days of daily rows, the others the 30 that uptimes read. */
const LONG_HISTORY = 5
const BATCH = 200
const STATEMENT_TIMEOUT = { query_timeout: 600_000 }
const RANGES = ['24h', '7d', '30d', '90d'] as const
type Sample = Parameters<typeof encodeSamples>[0][number]
const READS = 500

const KINDS = ['quiet', 'busy', 'flapping'] as const
/** Of ten servers, six are quiet, three busy and one flaps. */
const kindOf = (n: number) => KINDS[n % 10 < 6 ? 0 : n % 10 < 9 ? 1 : 2] ?? 'quiet'

/** Polls of one server, an interval of a minute with the poller's jitter; one that flaps is polled again after 5 s. */
function createCurve(kind: (typeof KINDS)[number], from: number, count: number, seed: number): Sample[] {
  const random = seededRandom(seed)
  const maxPlayers = [16, 32, 70, 100][Math.floor(random() * 4)] ?? 70
  let at = from + random() * 60
  let players = kind === 'quiet' ? 0 : Math.floor(random() * maxPlayers)
  let failing = 0
  return Array.from({ length: count }, () => {
    const step = kind === 'quiet' ? Number(random() < 0.01) : kind === 'busy' ? Math.round((random() * 3 - 1.5) * 2) : 0
    players = kind === 'quiet' ? (players + step) % 3 : Math.min(maxPlayers, Math.max(0, players + step))
    if (kind === 'flapping' && !failing && random() < 0.1) failing = 1 + Math.floor(random() * 5)
    const sample = { at: Math.floor(at), players: failing ? null : players, maxPlayers }
    at += failing > 1 ? 5 * (0.8 + 0.4 * random()) : 60 * (0.9 + 0.2 * random())
    failing = Math.max(0, failing - 1)
    return sample
  })
}

export async function benchHistory({ pool }: Bench): Promise<Finding[]> {
  await seedDirectory(pool, SERVERS)
  const { rows } = await pool.query<{ id: string }>('select id from servers order by id')
  const ids = rows.map(({ id }) => id)
  const thisHour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS
  const today = Math.floor(thisHour / DAY_MS) * DAY_MS

  const chunks = await fillYesterday(pool, ids, today - DAY_MS)
  const months = await fillRollUps(pool, ids, today, thisHour)
  const appended = await appendHour(pool, ids, thisHour)
  const before = await readCpu(pool)
  const started = performance.now()
  await rollUpHours(pool, new Date(thisHour + 5 * 60_000))
  const foldSeconds = (performance.now() - started) / 1000
  const folding = (await readCpu(pool)) - before
  await pool.query({ text: 'vacuum analyze', ...STATEMENT_TIMEOUT })
  const millions = (SERVERS * 60) / 1e6
  return [
    figure('servers', SERVERS),
    ...chunks,
    ...months,
    ...appended,
    figure(
      'recent polls of an hour, table and index',
      (await sizeOf(pool, 'player_history_recent')) / SERVERS / 60,
      'B a poll',
    ),
    atMost('rolling a million polls up, CPU of worker and PostgreSQL', folding / 1e6 / millions, 60, 's'),
    figure('rolling an hour up', foldSeconds, 's'),
    ...(await readCharts(pool, ids, thisHour)),
    ...(await timeUptimes(pool, thisHour)),
  ]
}

/** Writes a day of polls as chunks, as the roll-up would have left it. */
async function fillYesterday(pool: Pool, ids: string[], start: number): Promise<Finding[]> {
  const day = new Date(start).toISOString().slice(0, 10)
  const partition = `player_history_days.c${day.replaceAll('-', '')}`
  await pool.query(
    `create table ${partition} partition of player_history_chunks for values from ('${day}') to (date '${day}' + 1)`,
  )
  let polls = 0
  let encoding = 0
  const bytes = { quiet: [] as number[], busy: [] as number[], flapping: [] as number[] }
  for (let first = 0; first < ids.length; first += 1_000) {
    const curves = ids
      .slice(first, first + 1_000)
      .map((_, n) => createCurve(kindOf(first + n), start / 1000, 1_440, first + n + 1))
    const from = process.cpuUsage()
    const encoded = curves.map((curve) => encodeSamples(curve.filter(({ at }) => at < (start + DAY_MS) / 1000)))
    const { user, system } = process.cpuUsage(from)
    encoding += user + system
    for (const [n, chunk] of encoded.entries()) bytes[kindOf(first + n)].push(chunk.length / 1_440)
    polls += encoded.length * 1_440
    await pool.query(
      'insert into player_history_chunks select server_id, $2::date, samples from unnest($1::uuid[], $3::bytea[]) as chunk (server_id, samples)',
      [ids.slice(first, first + 1_000), day, encoded],
    )
  }
  await pool.query({ text: 'vacuum analyze player_history_chunks', ...STATEMENT_TIMEOUT })
  const perPoll = (await sizeOf(pool, partition)) / polls
  return [
    figure('polls of a day', polls),
    figure(
      'compressed, quiet, busy and flapping',
      KINDS.map((kind) => median(bytes[kind]).toFixed(2)).join(', '),
      'B a poll',
    ),
    figure('compressing a million polls', encoding / polls, 's of CPU'),
    atMost('all in: table and index', perPoll, 4, 'B a poll'),
    atMost('14 days of 100,000 servers, from that', (perPoll * 14 * 144e6) / 1e9, 12, 'GB'),
    figure('90 days of 100,000 servers, from that', (perPoll * 90 * 144e6) / 1e9, 'GB'),
  ]
}

/** How many different days of hours are generated: every server and day has one of them. */
const DIFFERENT_DAYS = 500

/** Players of a generated day by hour, as columns of player_history_daily. */
function createHours(n: number) {
  const curve = createCurve(kindOf(n), 0, 1_440, n + 1)
  const byHour = Array.from({ length: 24 }, (_, hour) => curve.filter(({ at }) => Math.floor(at / 3_600) === hour))
  const answers = byHour.map((samples) => samples.flatMap(({ players }) => players ?? []))
  return {
    polls: byHour.map(({ length }) => length),
    answered: answers.map(({ length }) => length),
    sums: answers.map((players) => players.reduce((sum, count) => sum + count, 0)),
    peaks: answers.map((players) => Math.max(0, ...players)),
    slots: byHour.map(([first]) => first?.maxPlayers ?? 0),
  }
}

/** Daily, monthly and hourly rows, so that the reads of long ranges and of uptimes have their real size. */
async function fillRollUps(pool: Pool, ids: string[], today: number, thisHour: number): Promise<Finding[]> {
  const days = JSON.stringify(Array.from({ length: DIFFERENT_DAYS }, (_, n) => createHours(n)))
  for (let ago = 90; ago >= 1; ago--) {
    const day = new Date(today - ago * DAY_MS)
    await pool.query({
      // A server keeps its kind of ten.
      text: `insert into player_history_daily
       select server_id, $2::date, 1440, 1430, 40000, 70, 70, polls, answered, sums, peaks, slots
       from unnest($1::uuid[]) with ordinality as server (server_id, place)
       join rows from (jsonb_to_recordset($3) as (polls smallint[], answered smallint[], sums integer[], peaks integer[], slots integer[]))
         with ordinality as day (polls, answered, sums, peaks, slots, n)
         on n = (place + $4 * 10) % ${DIFFERENT_DAYS} + 1`,
      values: [ago > 30 ? ids.filter((_, n) => n % LONG_HISTORY === 0) : ids, day, days, ago],
      ...STATEMENT_TIMEOUT,
    })
    await pool.query('insert into player_history_rolled_days (day, servers) values ($1, $2)', [day, ids.length])
  }
  for (let hour = today - 3 * DAY_MS; hour < thisHour - HOUR_MS; hour += HOUR_MS)
    await pool.query({
      text: 'insert into player_history_hours select server_id, $2, 60, 59, 1800, 40, 70 from unnest($1::uuid[]) as server_id',
      values: [ids, new Date(hour)],
      ...STATEMENT_TIMEOUT,
    })
  await pool.query('update player_history_progress set rolled_to = $1', [new Date(thisHour)])
  const before = await readCpu(pool)
  await packDays(pool, { until: Number.POSITIVE_INFINITY })
  const packing = (await readCpu(pool)) - before
  await pool.query({ text: 'vacuum analyze', ...STATEMENT_TIMEOUT })
  const packed = ids.length * 30 + (ids.length / LONG_HISTORY) * 60
  return [
    figure(
      'a server’s day in its month, table and indexes',
      (await sizeOf(pool, 'player_history_months')) / packed,
      'B',
    ),
    figure(
      'packing 100,000 servers’ days, CPU of this process and PostgreSQL',
      (packing / packed / 1e6) * 100_000,
      's',
    ),
  ]
}

/** Appends an hour of polls in batches, as the poller does, each server once a minute in another order. */
async function appendHour(pool: Pool, ids: string[], end: number): Promise<Finding[]> {
  const random = seededRandom(11)
  const before = await readCpu(pool, false)
  const wal = await readWal(pool)
  // Workers move what is pending every ten seconds.
  const batchesAMove = Math.ceil(ids.length / BATCH / 6)
  const from = performance.now()
  for (let minute = 0; minute < 60; minute++) {
    const order = ids.map((id) => ({ id, place: random() })).sort((a, b) => a.place - b.place)
    for (let first = 0; first < order.length; first += BATCH) {
      const serverIds = order.slice(first, first + BATCH).map(({ id }) => id)
      await addPending(pool, {
        serverIds,
        polledAt: new Date(end - HOUR_MS + minute * 60_000 + Math.floor((first / order.length) * 60_000)),
        players: serverIds.map(() => Math.floor(random() * 70)),
        maxPlayers: serverIds.map(() => 70),
      })
      if ((first / BATCH) % batchesAMove === batchesAMove - 1) await movePendingSamples(pool)
    }
  }
  await movePendingSamples(pool)
  const polls = ids.length * 60
  const { rows } = await pool.query<{ share: number }>(
    `select n_tup_hot_upd / greatest(n_tup_upd, 1)::float8 as share from pg_stat_user_tables where relname = 'player_history_recent'`,
  )
  return [
    figure(
      'appending a poll, in batches of 200: CPU of PostgreSQL',
      ((await readCpu(pool, false)) - before) / polls,
      'µs',
    ),
    figure('appending a poll: write-ahead log', ((await readWal(pool)) - wal) / polls, 'B'),
    figure('updates that needed no index entry', rows[0]?.share ?? Number.NaN),
    figure('polls appended', polls / ((performance.now() - from) / 1000), 'polls/s'),
  ]
}

async function readCharts(pool: Pool, ids: string[], now: number): Promise<Finding[]> {
  const directory = { lookup: { maxPlayersOf: () => 70 } }
  const random = seededRandom(3)
  const pick = () => ids[Math.floor((random() * ids.length) / LONG_HISTORY) * LONG_HISTORY] ?? ''
  const clock = () => new Date(now + 1_000)
  const findings: Finding[] = []
  for (const range of RANGES) {
    const times: number[] = []
    for (let n = 0; n < READS; n++) {
      const from = performance.now()
      await readPlayerHistory(
        { db: pool, directory, settings: { POLL_INTERVAL_SECONDS: 60 }, now: clock },
        pick(),
        range,
      )
      times.push(performance.now() - from)
    }
    const pages: number[] = []
    for (let n = 0; n < 20; n++) {
      const counted = countPages(pool)
      await readPlayerHistory(
        { db: counted.db, directory, settings: { POLL_INTERVAL_SECONDS: 60 }, now: clock },
        pick(),
        range,
      )
      pages.push(counted.pages())
    }
    times.sort((a, b) => a - b)
    findings.push(
      atMost(`chart of ${range}, pages, most of 20`, Math.max(...pages), 20),
      figure(`chart of ${range}, median`, median(times), 'ms'),
      atMost(`chart of ${range}, p99`, times[Math.floor(times.length * 0.99)] ?? Number.NaN, 20, 'ms'),
    )
  }
  return findings
}

/** Counts the pages of each statement about a server; the mark of what is rolled up is the same for all. */
function countPages(pool: Pool): { db: Pool; pages(): number } {
  let pages = 0
  const query = async (statement: { name: string; text: string; values: unknown[] }) => {
    if (statement.name !== 'history-rolled-up') {
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
        `explain (analyze, buffers, format json) ${statement.text}`,
        statement.values,
      )
      const plan = rows[0]?.['QUERY PLAN'][0].Plan ?? {}
      pages += (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
    }
    return pool.query(statement)
  }
  return { db: { query } as unknown as Pool, pages: () => pages }
}

async function timeUptimes(pool: Pool, thisHour: number): Promise<Finding[]> {
  const from = performance.now()
  const changed = await refreshUptime(pool, new Date(thisHour))
  return [
    figure('uptimes written', changed),
    atMost('uptimes of all servers: reading and writing all', (performance.now() - from) / 1000, 60, 's'),
  ]
}

const sizeOf = async (pool: Pool, table: string): Promise<number> =>
  (await pool.query<{ bytes: number }>('select pg_total_relation_size($1::regclass) as bytes', [table])).rows[0]
    ?.bytes ?? 0

const readWal = async (pool: Pool): Promise<number> =>
  (await pool.query<{ bytes: number }>(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`)).rows[0]
    ?.bytes ?? 0

/** CPU time of this process' connections and, unless left out, of this process, in microseconds. */
async function readCpu(pool: Pool, withThis = true): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'bench'`,
  )
  const { user, system } = process.cpuUsage()
  return rows.reduce((sum, { pid }) => sum + cpuMicrosOf(pid), withThis ? user + system : 0)
}
