// Statements that write what was sent: what attempts make of their deliveries, and of their endpoints. All time is the database's.
import type { Db } from '../../platform/db/pool.ts'

/** Columns of equal length: what each attempt came to. */
export interface AttemptColumns {
  deliveryIds: string[]
  numbers: number[]
  attemptedAt: Date[]
  statuses: (number | null)[]
  latenciesMs: number[]
  errors: (string | null)[]
  responses: string[]
  /** The delivery's status from now on. */
  outcomes: ('delivered' | 'pending' | 'dead' | 'canceled')[]
  /** Seconds to the next attempt; null for what is settled. */
  waits: (number | null)[]
}

export interface RecordedAttempt {
  deliveryId: string
  serverId: string
  status: 'pending' | 'delivered' | 'dead' | 'canceled'
  wait: number | null
}

/**
 * Writes attempts and what they make of their deliveries. An attempt that was written before, by us or by a holder that took
 * over, changes nothing; one of a delivery that was canceled meanwhile is noted, and it stays canceled.
 * @returns those that changed their delivery
 */
export async function recordAttempts(db: Db, columns: AttemptColumns): Promise<RecordedAttempt[]> {
  const { rows } = await db.query<RecordedAttempt>({
    name: 'webhooks-record',
    text: `
      with attempt as (
        select * from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::integer[], $5::integer[], $6::text[], $7::text[],
          $8::text[], $9::float8[]) as attempt (delivery_id, number, attempted_at, status, latency_ms, error, response, outcome, wait)
      ),
      counted as (
        update webhook_deliveries as delivery
        set attempts = attempt.number,
          status = case delivery.status when 'pending' then attempt.outcome else delivery.status end,
          due_at = case when delivery.status = 'pending' then now() + make_interval(secs => attempt.wait) end,
          settled_at = case when delivery.status = 'pending' and attempt.outcome = 'pending' then null
            else coalesce(settled_at, now()) end
        from attempt
        where delivery.id = attempt.delivery_id and delivery.attempts < attempt.number
        returning delivery.id, server_id, delivery.status, attempt.number, attempt.attempted_at, attempt.status as answer,
          attempt.latency_ms, attempt.error, attempt.response, attempt.wait
      ),
      noted as (
        insert into webhook_attempts (delivery_id, number, attempted_at, status, latency_ms, error, response)
        select id, number, attempted_at, answer, latency_ms, error, response from counted
        on conflict do nothing
      )
      select id as "deliveryId", server_id as "serverId", status, wait from counted`,
    values: [
      columns.deliveryIds,
      columns.numbers,
      columns.attemptedAt,
      columns.statuses,
      columns.latenciesMs,
      columns.errors,
      columns.responses,
      columns.outcomes,
      columns.waits,
    ],
  })
  return rows
}

/** Columns of equal length: how each endpoint did. */
export interface HealthColumns {
  serverIds: string[]
  /** Whether its last attempt failed, or took long. */
  isSlow: boolean[]
  /** Whether its last attempt failed. */
  isFailing: boolean[]
  /** Whether one before the last succeeded. */
  hasSucceeded: boolean[]
}

/** Writes only where something changed: a healthy endpoint's row is left alone. @returns those that only failed for so long */
export async function noteHealth(db: Db, health: HealthColumns, failingForDays: number): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string; isHopeless: boolean }>({
    name: 'webhooks-health',
    text: `
      update webhook_endpoints as endpoint
      set is_slow = noted.is_slow,
        failing_since = case
          when not is_failing then null
          when has_succeeded then now()
          else coalesce(failing_since, now()) end
      from unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::boolean[])
        as noted (server_id, is_slow, is_failing, has_succeeded)
      where endpoint.server_id = noted.server_id
        and (is_failing or endpoint.is_slow <> noted.is_slow or failing_since is not null)
      returning endpoint.server_id as "serverId", disabled_at is null
        and coalesce(failing_since < now() - make_interval(days => $5), false) as "isHopeless"`,
    values: [health.serverIds, health.isSlow, health.isFailing, health.hasSucceeded, failingForDays],
  })
  return rows.filter(({ isHopeless }) => isHopeless).map(({ serverId }) => serverId)
}

/** Before anything is written of them: who wants to hold or change one of these endpoints waits for our transaction. */
export async function lockEndpoints(db: Db, serverIds: string[]): Promise<void> {
  await db.query({
    name: 'webhooks-lock',
    text: 'select from webhook_endpoints where server_id = any($1::uuid[]) order by server_id for no key update',
    values: [serverIds],
  })
}
