// Recording attempts and the health of endpoints. SQL: hot path, one statement for many attempts, the database's clock.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { Answer } from './kinds/kind.ts'
import type { DeliveryStatus } from './webhooks.schema.ts'

export interface Attempt extends Answer {
  deliveryId: string
  /** 1 for the first. */
  number: number
  attemptedAt: Date
}

/** What becomes of a delivery. */
export interface AttemptResult {
  outcome: DeliveryStatus
  /** Seconds to the next attempt; null if there is none. */
  wait: number | null
  isRetriedAlone: boolean
}

export interface RecordedAttempt {
  deliveryId: string
  endpointId: string
  status: DeliveryStatus
  wait: number | null
}

/**
 * Records attempts and updates their deliveries. An attempt that was recorded before, by this or by another worker,
 * changes nothing. An attempt of a delivery that was canceled during it is recorded, but the delivery stays canceled.
 * @returns the attempts that changed their delivery
 */
export async function recordAttempts(db: Db, attempts: (Attempt & AttemptResult)[]): Promise<RecordedAttempt[]> {
  const { rows } = await db.query<RecordedAttempt>(
    namedParameters({
      name: 'webhooks-record',
      text: `
      with attempt as (
        select * from unnest($deliveryIds::uuid[], $numbers::integer[], $attemptedAt::timestamptz[], $statuses::integer[],
          $latenciesMs::integer[], $errors::text[], $responses::text[], $outcomes::text[], $waits::float8[],
          $areRetriedAlone::boolean[])
          as attempt (delivery_id, number, attempted_at, status, latency_ms, error, response, outcome, wait, is_retried_alone)
      ),
      counted as (
        update endpoint_deliveries as delivery
        set attempts = attempt.number,
          status = case delivery.status when 'pending' then attempt.outcome else delivery.status end,
          due_at = case when delivery.status = 'pending' then now() + make_interval(secs => attempt.wait) end,
          is_retried_alone = attempt.is_retried_alone,
          settled_at = case when delivery.status = 'pending' and attempt.outcome = 'pending' then null
            else coalesce(settled_at, now()) end
        from attempt
        where delivery.id = attempt.delivery_id and delivery.attempts < attempt.number
        returning delivery.id, endpoint_id, delivery.status, attempt.number, attempt.attempted_at, attempt.status as answer,
          attempt.latency_ms, attempt.error, attempt.response, attempt.wait
      ),
      recorded as (
        insert into endpoint_attempts (delivery_id, number, attempted_at, status, latency_ms, error, response)
        select id, number, attempted_at, answer, latency_ms, error, response from counted
        on conflict do nothing
      )
      select id as "deliveryId", endpoint_id as "endpointId", status, wait from counted`,
      values: {
        deliveryIds: attempts.map(({ deliveryId }) => deliveryId),
        numbers: attempts.map(({ number }) => number),
        attemptedAt: attempts.map(({ attemptedAt }) => attemptedAt),
        statuses: attempts.map(({ status }) => status),
        latenciesMs: attempts.map(({ latencyMs }) => latencyMs),
        errors: attempts.map(({ error }) => error),
        responses: attempts.map(({ response }) => response),
        outcomes: attempts.map(({ outcome }) => outcome),
        waits: attempts.map(({ wait }) => wait),
        areRetriedAlone: attempts.map(({ isRetriedAlone }) => isRetriedAlone),
      },
    }),
  )
  return rows
}

export interface EndpointHealth {
  endpointId: string
  /** Whether the last attempt failed or was slow. */
  isSlow: boolean
  /** Whether the last attempt failed. */
  isFailing: boolean
  /** Whether any attempt succeeded. */
  hasSucceeded: boolean
}

/**
 * Writes only rows that change.
 * @returns ids of enabled endpoints that have been failing for more than `failingForDays`
 */
export async function updateHealth(db: Db, health: EndpointHealth[], failingForDays: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string; isBeyondLimit: boolean }>({
    name: 'webhooks-health',
    text: `
      update endpoints as endpoint
      set is_slow = health.is_slow,
        failing_since = case
          when not is_failing then null
          when has_succeeded then now()
          else coalesce(failing_since, now()) end
      from unnest($1::uuid[], $2::boolean[], $3::boolean[], $4::boolean[])
        as health (id, is_slow, is_failing, has_succeeded)
      where endpoint.id = health.id
        and (is_failing or endpoint.is_slow <> health.is_slow or failing_since is not null)
      returning endpoint.id, disabled_at is null
        and coalesce(failing_since < now() - make_interval(days => $5), false) as "isBeyondLimit"`,
    values: [
      health.map(({ endpointId }) => endpointId),
      health.map(({ isSlow }) => isSlow),
      health.map(({ isFailing }) => isFailing),
      health.map(({ hasSucceeded }) => hasSucceeded),
      failingForDays,
    ],
  })
  return rows.filter(({ isBeyondLimit }) => isBeyondLimit).map(({ id }) => id)
}

/**
 * Locks endpoints, in id order to avoid deadlocks. Transactions that lease or change these endpoints wait for this one.
 * @returns the URL of each, as stored
 */
export async function lockEndpoints(db: Db, endpointIds: string[]): Promise<Map<string, string>> {
  const { rows } = await db.query<{ id: string; url: string }>({
    name: 'webhooks-lock',
    text: 'select id, url from endpoints where id = any($1::uuid[]) order by id for no key update',
    values: [endpointIds],
  })
  return new Map(rows.map(({ id, url }) => [id, url]))
}

/**
 * Postpones due deliveries to the next of these ages, or by an hour if they are older, up to that of the last.
 * @param ages in seconds, ascending
 */
export async function postponeDue(db: Db, endpointIds: string[], ages: number[]): Promise<void> {
  await db.query({
    name: 'webhooks-postpone',
    text: `
      update endpoint_deliveries
      set due_at = coalesce(
        (select created_at + make_interval(secs => min(age)) from unnest($2::float8[]) as schedule (age)
         where created_at + make_interval(secs => age) > clock_timestamp()),
        clock_timestamp() + interval '1 hour')
      where endpoint_id = any($1::uuid[]) and status = 'pending' and due_at <= statement_timestamp()`,
    values: [endpointIds, ages],
  })
}

/**
 * When something is due to each of these endpoints, in seconds from the transaction's time, which jobs count from too.
 */
export async function findNextDue(db: Db, endpointIds: string[]): Promise<{ endpointId: string; wait: number }[]> {
  const { rows } = await db.query<{ endpointId: string; wait: number }>({
    name: 'webhooks-next-due',
    text: `
      select endpoint_id as "endpointId", greatest(extract(epoch from due_at - now()), 0)::float8 as wait
      from unnest($1::uuid[]) as wanted (endpoint_id)
      cross join lateral (
        select due_at from endpoint_deliveries
        where endpoint_id = wanted.endpoint_id and status = 'pending'
        order by due_at
        limit 1
      ) as next`,
    values: [endpointIds],
  })
  return rows
}

/**
 * Makes the next pending delivery of each of these ordered endpoints due, unless one is: once one is due, so are all
 * (`findDue`). One row for each, because an endpoint that was down for days has a hundred thousand. Those that are
 * retried alone keep their time.
 */
export async function makeNextDue(db: Db, endpointIds: string[]): Promise<void> {
  await db.query({
    name: 'webhooks-make-next-due',
    text: `
      update endpoint_deliveries set due_at = clock_timestamp()
      where due_at > clock_timestamp() and id in (
        select next.id from unnest($1::uuid[]) as wanted (endpoint_id)
        cross join lateral (
          select id from endpoint_deliveries
          where endpoint_id = wanted.endpoint_id and status = 'pending' and not is_retried_alone
          order by due_at
          limit 1
        ) as next
      )`,
    values: [endpointIds],
  })
}

/** No attempt at the endpoint starts within this time. */
export async function pauseEndpoint(db: Db, endpointId: string, seconds: number): Promise<void> {
  await db.query('update endpoints set paused_until = now() + make_interval(secs => $2) where id = $1', [
    endpointId,
    seconds,
  ])
}
