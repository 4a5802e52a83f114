// SQL, because these are pg-boss's tables, which have no models, and each statement aggregates or
// combines several queues.
import type * as z from 'zod'
import type { Sql } from '../../platform/db/pool.ts'
import type { FailedJob, JobState, QueueJob, QueueState } from './queues.schema.ts'

export type QueueRow = Omit<z.output<typeof QueueState>, 'verdict' | 'advice'> & { isDeadLetter: boolean }

/**
 * Condition on `pgboss.job`: a job that waits in a dead letter queue, or failed there because a redrive
 * found its key taken.
 */
const IS_DEAD_LETTER = `(state < 'active' or state = 'failed') and name in (select dead_letter from pgboss.queue)`

/** The error message of an attempt; pg-boss writes its own, as of a job that timed out, under `value`. */
const reasonOf = (output: string) =>
  `coalesce(${output}->>'message', ${output} #>> '{value,message}', ${output}->>'value', ${output}::text)`

/**
 * All queues in one statement. Rates are those that pg-boss's monitor writes to `queue`; the rest is counted now. A
 * failed job does not count once a later run has completed its work: the next run of a scheduled queue, or a job with
 * the same singleton key in a `stately` one. Other completed jobs, which are many, are not read. A failed job that was
 * copied to a dead letter queue is counted only there. A job is lost if it is active for longer than allowed, or
 * without a recent heartbeat.
 */
export async function readQueues(db: Sql): Promise<QueueRow[]> {
  const { rows } = await db.query<QueueRow>(`
    with open as (
      select name,
        count(*) filter (where state < 'active' and start_after <= now()) as ready,
        count(*) filter (where state < 'active' and start_after > now()) as deferred,
        count(*) filter (where state = 'active') as active,
        extract(epoch from now() - min(start_after) filter (where state < 'active' and start_after <= now())) as oldest,
        count(*) filter (where state = 'active' and (
          now() > started_on + make_interval(secs => expire_seconds)
          or (heartbeat_seconds is not null and now() > coalesce(heartbeat_on, started_on) + make_interval(secs => 2 * heartbeat_seconds)))) as lost
      from pgboss.job where state <= 'active' group by name),
    runs as (
      select name, (select max(completed_on) from pgboss.job where job.name = schedule.name and state = 'completed') as last_run
      from pgboss.schedule where key = ''),
    failed as (
      select name, count(*) as failed, (array_agg(${reasonOf('output')} order by completed_on desc))[1] as reason
      from pgboss.job left join runs using (name)
      where state = 'failed' and dead_letter is null and (last_run is null or completed_on > last_run)
        and not exists (
          select from pgboss.job as later where later.policy = 'stately' and later.name = job.name
            and later.singleton_key = job.singleton_key and later.state = 'completed' and later.completed_on > job.completed_on)
      group by name),
    dead as (
      select source_name as name, count(*) as dead, (array_agg(${reasonOf('source_output')} order by created_on desc))[1] as reason
      from pgboss.job where ${IS_DEAD_LETTER} group by source_name)
    select queue.name, coalesce(ready, 0) as ready, coalesce(active, 0) as active, coalesce(deferred, 0) as deferred,
      coalesce(failed, 0) as failed, coalesce(dead, 0) as dead, left(coalesce(dead.reason, failed.reason), 200) as "lastReason", round(oldest, 3)::float8 as "oldestAgeSeconds",
      coalesce(lost, 0) as "lostJobs",
      case when delta_seconds > 0 then round(completed_delta * 60.0 / delta_seconds, 1)::float8 end as "completedPerMinute",
      case when delta_seconds > 0 then round(failed_delta * 60.0 / delta_seconds, 1)::float8 end as "failedPerMinute",
      queue.dead_letter as "deadLetter",
      queue.name in (select dead_letter from pgboss.queue where dead_letter is not null) as "isDeadLetter",
      schedule.cron as schedule,
      last_run as "lastRunAt"
    from pgboss.queue
    left join runs on runs.name = queue.name
    left join open on open.name = queue.name
    left join failed on failed.name = queue.name
    left join dead on dead.name = queue.name
    left join pgboss.schedule on schedule.name = queue.name and schedule.key = ''
    where queue.name not like '\\_\\_pgboss\\_\\_%'
    order by queue.name`)
  return rows
}

/**
 * How long ago a worker last supervised the queues, or a migration created them; null: there are none. Each pass
 * of a worker writes `monitor_claim_on`; `monitor_on` only those that also count, which pg-boss defers for
 * minutes after a slow count.
 */
export async function readSupervisionAge(db: Sql): Promise<number | null> {
  const { rows } = await db.query<{ seconds: number | null }>(
    `select extract(epoch from now() - coalesce(greatest(max(monitor_claim_on), max(monitor_on)), min(created_on)))::float8 as seconds
     from pgboss.queue`,
  )
  return rows[0]?.seconds ?? null
}

type FailedRow = z.output<typeof FailedJob>

/** Jobs of a queue that failed permanently: those kept in it, and those in its dead letter queue. */
const FAILED_OF = `from pgboss.job
  where (name = $1 and state = 'failed' and dead_letter is null)
    or (${IS_DEAD_LETTER} and (name = $1 or source_name = $1 and name = (select dead_letter from pgboss.queue where queue.name = $1)))`

/** Newest first. */
export async function findFailed(
  db: Sql,
  queue: string,
  page: { limit: number; offset: number },
): Promise<FailedRow[]> {
  const { rows } = await db.query<FailedRow>(
    `select id, name as queue, coalesce(source_created_on, created_on) as "createdAt",
       case when source_name is null then completed_on else created_on end as "failedAt",
       coalesce(source_retry_count, retry_count) + 1 as attempts,
       coalesce(${reasonOf('source_output')}, ${reasonOf('output')}, '') as reason, data as payload
     ${FAILED_OF} order by coalesce(completed_on, created_on) desc, id limit $2 offset $3`,
    [queue, page.limit, page.offset],
  )
  return rows
}

export async function countFailed(db: Sql, queue: string): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) ${FAILED_OF}`, [queue])
  return rows[0]?.count ?? 0
}

type JobRow = z.output<typeof QueueJob>

/** A state as conditions on pg-boss' own, and the order in which jobs of that state interest an operator. */
const JOBS_OF: Record<z.output<typeof JobState>, { where: string; order: string }> = {
  ready: { where: `state < 'active' and start_after <= now()`, order: 'start_after' },
  deferred: { where: `state < 'active' and start_after > now()`, order: 'start_after' },
  active: { where: `state = 'active'`, order: 'started_on' },
  completed: { where: `state = 'completed'`, order: 'completed_on desc' },
}

/** Those that wait or run: oldest first; completed ones: newest first. */
export async function findJobs(
  db: Sql,
  queue: string,
  state: z.output<typeof JobState>,
  page: { limit: number; offset: number },
): Promise<JobRow[]> {
  const { where, order } = JOBS_OF[state]
  const { rows } = await db.query<JobRow>(
    `select id, created_on as "createdAt", start_after as "dueAt", started_on as "startedAt", completed_on as "completedAt",
       case when state = 'created' then 0 else retry_count + 1 end as attempts,
       case when state = 'completed' then null else ${reasonOf('output')} end as reason, data as payload
     from pgboss.job where name = $1 and ${where} order by ${order}, id limit $2 offset $3`,
    [queue, page.limit, page.offset],
  )
  return rows
}

export async function countJobs(db: Sql, queue: string, state: z.output<typeof JobState>): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*) from pgboss.job where name = $1 and ${JOBS_OF[state].where}`,
    [queue],
  )
  return rows[0]?.count ?? 0
}

/**
 * Ids of failed jobs in the queue itself that can be retried. A `stately` queue has at most one job in each state with
 * the same singleton key: there the newest of a key, unless one already waits for its retry. The same holds for a
 * scheduled queue (`singleton`), where one run does the work of all. Elsewhere, waiting jobs are not looked at: each
 * failed one would read all that were retried before it.
 * @param ids only these; all if undefined
 */
export async function findRetryable(
  db: Sql,
  queue: string,
  ids: string[] | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `with failed as (
       select id, completed_on, case when policy in ('stately', 'singleton') then coalesce(singleton_key, '') end as key
       from pgboss.job where name = $1 and state = 'failed' and dead_letter is null and ($2::uuid[] is null or id = any($2)))
     select distinct on (coalesce(key, id::text)) id from failed
     where key is null or not exists (select from pgboss.job where name = $1 and state = 'retry' and coalesce(singleton_key, '') = key)
     order by coalesce(key, id::text), completed_on desc limit $3`,
    [queue, ids ?? null, limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * @returns the queue's dead letter queue, itself if it is one, null if it has none; undefined if there is no such queue
 */
export async function findDeadLetter(db: Sql, queue: string): Promise<string | null | undefined> {
  const { rows } = await db.query<{ deadLetter: string | null }>(
    `select case when exists (select from pgboss.queue as source where source.dead_letter = queue.name) then name
       else dead_letter end as "deadLetter"
     from pgboss.queue where name = $1`,
    [queue],
  )
  return rows[0]?.deadLetter
}

/**
 * Until the transaction ends: a redrive joins the jobs by their id alone, which no index begins with. With old
 * statistics PostgreSQL would read all jobs once for each job that is moved.
 */
export async function avoidNestedLoops(tx: Sql): Promise<void> {
  await tx.query('set local enable_nestloop = off')
}
