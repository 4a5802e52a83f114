// The doctor's checks, one finding each, in the order in which things must work.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from '../../src/platform/db/pool.ts'
import { MAX_POSTGRES, MIN_POSTGRES } from '../../src/platform/db/supported-database.ts'

export interface Finding {
  what: string
  status: 'ok' | 'warning' | 'failure'
  /** What the check found. */
  seen: string
  /** What to do about it; empty if the status is ok. */
  advice: string
}

export const ok = (what: string, seen: string): Finding => ({ what, status: 'ok', seen, advice: '' })
export const warning = (what: string, seen: string, advice: string): Finding => ({
  what,
  status: 'warning',
  seen,
  advice,
})
export const failure = (what: string, seen: string, advice: string): Finding => ({
  what,
  status: 'failure',
  seen,
  advice,
})

/** Cooldowns and sessions use the database's clock, signatures this machine's. Receivers tolerate five minutes. */
const SKEW_WARNING_SECONDS = 2
const SKEW_FAILURE_SECONDS = 60

export function checkVersion(version: number): Finding {
  const what = 'PostgreSQL'
  const major = Math.floor(version / 10_000)
  const seen = `${major}.${version % 10_000}`
  if (major < MIN_POSTGRES)
    return failure(what, seen, `Move to PostgreSQL ${MIN_POSTGRES} to ${MAX_POSTGRES}: this one is too old.`)
  if (major > MAX_POSTGRES) return warning(what, seen, `Newer than the tested versions, which end at ${MAX_POSTGRES}.`)
  return ok(what, seen)
}

/** @param skewSeconds this machine's clock minus the database's */
export function checkSkew(skewSeconds: number): Finding {
  const what = 'clocks'
  const seen = `${Math.abs(skewSeconds).toFixed(1)} s apart`
  const advice = 'Let this machine and the database’s keep their clocks by NTP.'
  if (Math.abs(skewSeconds) > SKEW_FAILURE_SECONDS) return failure(what, seen, advice)
  return Math.abs(skewSeconds) > SKEW_WARNING_SECONDS ? warning(what, seen, advice) : ok(what, seen)
}

export async function readServer(pool: Pool): Promise<{ version: number; skewSeconds: number }> {
  const sentAt = Date.now()
  const { rows } = await pool.query<{ version: number; now: number }>(
    `select current_setting('server_version_num')::integer as version, extract(epoch from clock_timestamp())::float8 as now`,
  )
  const [row] = rows
  if (!row) throw new Error('the database returned no version')
  const midwayMs = (sentAt + Date.now()) / 2
  return { version: row.version, skewSeconds: midwayMs / 1000 - row.now }
}

/** @param max that clients without special rights may open */
export function checkConnections({ used, max }: { used: number; max: number }): Finding {
  const what = 'connections'
  const seen = `${used} of ${max} in use`
  if (used <= max * 0.8) return ok(what, seen)
  return warning(
    what,
    seen,
    'Raise max_connections of PostgreSQL, lower DATABASE_POOL_MAX, or put a pooler in front of it.',
  )
}

export async function readConnections(pool: Pool): Promise<{ used: number; max: number }> {
  const { rows } = await pool.query<{ used: number; max: number }>(`
    select
      (select count(*) from pg_stat_activity where backend_type = 'client backend') as used,
      sum(setting::integer * case name when 'max_connections' then 1 else -1 end) as max
    from pg_settings
    where name in ('max_connections', 'superuser_reserved_connections', 'reserved_connections')`)
  const [connections] = rows
  if (!connections) throw new Error('the database returned no connections')
  return connections
}

/** @param bytesBehind of the primary's log, one second later; null: the server is no standby */
export function checkStandby(bytesBehind: number | null): Finding {
  const what = 'standby'
  if (bytesBehind === null)
    return failure(what, 'the server at DATABASE_READ_URL is no standby', 'API processes read the primary instead.')
  if (bytesBehind === 0) return ok(what, 'at most a second behind')
  const seen = `more than a second behind: ${bytesBehind} bytes of the log are not replayed`
  return warning(what, seen, 'Past DIRECTORY_MAX_STALENESS_SECONDS the directory answers 503: see its log.')
}

export async function readStandbyLag(primary: Pool, standby: Pool): Promise<number | null> {
  const { rows } = await primary.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn')
  await sleep(1_000)
  const { rows: replayed } = await standby.query<{ behind: number | null }>(
    `select case when pg_is_in_recovery() then greatest(0, ($1::pg_lsn - pg_last_wal_replay_lsn())::float8) end as behind`,
    [rows[0]?.lsn],
  )
  return replayed[0]?.behind ?? null
}

export function checkMigrations(pending: string[]): Finding {
  const what = 'migrations'
  if (!pending.length) return ok(what, 'all applied')
  return failure(what, `not applied: ${pending.join(', ')}`, 'Run `npm run migrate`.')
}

export function checkInstallation(isCopy: boolean): Finding {
  const what = 'installation'
  if (!isCopy) return ok(what, 'no copy')
  return failure(
    what,
    'this database is a restored copy: mails, webhooks and payments wait',
    'Run `npm run adopt` when it is to replace the original.',
  )
}

interface SeenQueues {
  hasWorker: boolean
  supervisedSecondsAgo: number | null
  queues: { name: string; verdict: string; advice: string }[]
}

export function checkWorkers({ hasWorker, supervisedSecondsAgo }: SeenQueues): Finding {
  const what = 'workers'
  if (hasWorker) return ok(what, `active ${Math.round(supervisedSecondsAgo ?? 0)} s ago`)
  return failure(
    what,
    'no worker is active',
    'Start one with `npm run start:worker`, or everything with `npm start`. If one is running, it hangs: restart it.',
  )
}

export function checkQueues({ queues }: SeenQueues): Finding[] {
  const bad = queues.filter(({ verdict }) => verdict !== 'ok')
  if (!bad.length) return [ok('queues', `${queues.length} queues, none late, failing or stuck`)]
  return bad.map(({ name, verdict, advice }) =>
    (verdict === 'failing' ? warning : failure)(`queue ${name}`, verdict, advice),
  )
}

export function checkSources(sources: readonly { source: string; verdict: string; advice: string }[]): Finding[] {
  return sources
    .filter(({ verdict }) => verdict !== 'ok')
    .map(({ source, verdict, advice }) => warning(`source ${source}`, verdict, advice))
}

/** @param lateSeconds how long the most overdue server has been due for its poll; null if no server is listed */
export function checkPolling(lateSeconds: number | null): Finding {
  const what = 'polling'
  if (lateSeconds === null) return ok(what, 'no server is listed')
  if (lateSeconds <= 30) return ok(what, 'no server is overdue')
  const seen = `a server’s poll is ${Math.round(lateSeconds)} s overdue`
  return warning(what, seen, 'The workers don’t keep up: start another, or raise POLL_CONCURRENCY.')
}

export async function readPollLag(pool: Pool): Promise<number | null> {
  const { rows } = await pool.query<{ late: number | null }>(
    'select extract(epoch from now() - min(next_poll_at))::float8 as late from server_polls',
  )
  return rows[0]?.late ?? null
}

/** @param citus of a database that has it */
export function checkNodes(citus: { nodes: { address: string; answers: boolean }[]; distributed: string[] }): Finding {
  const what = 'history nodes'
  const { nodes, distributed } = citus
  if (!distributed.length)
    return ok(what, `Citus with ${nodes.length} nodes; player history is on the coordinator (\`npm run distribute\`)`)
  const away = nodes.filter(({ answers }) => !answers).map(({ address }) => address)
  if (!away.length) return ok(what, `${nodes.length} answer`)
  return failure(
    what,
    `${away.join(', ')} of ${nodes.length} can’t be reached from the coordinator`,
    'Start it again, or its standby. Until then charts of its servers answer 503, and their polls wait in player_history_pending, for at most 24 hours.',
  )
}

/** @param seconds the oldest poll has waited in the outbox */
export function checkPendingHistory(seconds: number): Finding {
  const what = 'pending history'
  if (seconds < 60) return ok(what, 'polls are written to player history at once')
  return warning(
    what,
    `the oldest poll has waited for ${Math.round(seconds / 60)} min`,
    'See the worker’s log for the reason: player history is locked, read-only or on a node that is away, or no worker runs. After 24 hours polls are deleted.',
  )
}

/** @param unreadable what roll-ups have set aside */
export function checkHistory(unreadable: { chunks: number; servers: number; since: Date } | null): Finding {
  const what = 'player history'
  if (!unreadable) return ok(what, 'everything could be decoded')
  const { chunks, servers, since } = unreadable
  return warning(
    what,
    `${chunks} chunks of ${servers} servers could not be decoded, since ${since.toISOString()}`,
    'Their charts have gaps; the bytes are in the table player_history_unreadable. Check the disk of the database and look for lost rows in a backup. ' +
      'Delete the rows of that table when you have examined them.',
  )
}
