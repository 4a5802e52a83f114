// SQL, because the database's clock decides when a source is due.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'

/**
 * Begins a source's next interval. One statement decides between workers.
 * @returns whether the source was due
 */
export async function beginDueRun(db: Db, source: string, intervalSeconds: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into discovery_sources as known (source, next_run_at) values ($1, now() + make_interval(secs => $2::float8))
     on conflict (source) do update set next_run_at = excluded.next_run_at where known.next_run_at <= now()`,
    [source, intervalSeconds],
  )
  return rowCount === 1
}

export const recordRunStart = (db: Db, source: string) =>
  db.query(
    `insert into discovery_sources (source, next_run_at, started_at) values ($1, now(), now())
     on conflict (source) do update set started_at = now(), finished_at = null`,
    [source],
  )

export interface RunResult {
  found: number
  added: number
  returned: number
  missing: number
  refused: Record<string, number>
}

export const recordRunResult = (db: Db, source: string, { refused, ...result }: RunResult) =>
  db.query(
    namedParameters({
      text: `
        update discovery_sources
        set finished_at = now(), found = $found, added = $added, returned = $returned, missing = $missing, refused = $refused,
          failures = 0, error = null
        where source = $source`,
      values: { ...result, source, refused: JSON.stringify(refused) },
    }),
  )

/** The next run waits twice as long after each failure, up to six hours. */
export const recordRunFailure = (db: Db, source: string, error: string, intervalSeconds: number) =>
  db.query(
    `update discovery_sources
     set finished_at = now(), failures = failures + 1, error = $2,
       next_run_at = now() + make_interval(secs => least($3::float8 * 2 ^ least(failures + 1, 20), greatest(21600, $3::float8)))
     where source = $1`,
    [source, error, intervalSeconds],
  )

/** The source is due at once: its run was interrupted. */
export const recordRunInterrupted = (db: Db, source: string) =>
  db.query('update discovery_sources set next_run_at = now() where source = $1', [source])

/** Listings of a source that are not among these. */
export async function countListingsNotFound(db: Db, source: string, found: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::integer from servers
     where source = $1 and owner_id is null and deleted_at is null and not id = any($2::uuid[])`,
    [source, found],
  )
  return rows[0]?.count ?? 0
}

export interface SourceState extends RunResult {
  source: string
  nextRunAt: Date
  startedAt: Date | null
  finishedAt: Date | null
  failures: number
  error: string | null
}

export async function findSourceStates(db: Db): Promise<SourceState[]> {
  const { rows } = await db.query<SourceState>(
    `select source, next_run_at as "nextRunAt", started_at as "startedAt", finished_at as "finishedAt", found, added, returned,
       missing, refused, failures, error
     from discovery_sources order by source`,
  )
  return rows
}
