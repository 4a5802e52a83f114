// Statements of the dispatch: leases on endpoints, what is due, and what became of it. All time is the database's.
// Whoever touches several endpoints locks them in the order of their ids, so that nobody waits in a circle.
import type { Db } from '../../platform/db/pool.ts'

/** How long an endpoint is one worker's: longer than any turn, and all that a dead worker keeps others waiting. */
export const LEASE_SECONDS = 20

/** due_at is kept in milliseconds, rounded: what was just committed may lie that little in the future. */
const IS_DUE = `status = 'pending' and due_at <= clock_timestamp() + interval '1 millisecond'`

export interface LeasedEndpoint {
  serverId: string
  url: string
  /** Sealed; the one before it while it still signs. */
  secret: string
  previousSecret: string | null
  isSlow: boolean
}

/**
 * Takes the endpoints that are enabled and held by nobody. Held ones are locked for a moment too: a holder that is letting go
 * looked for due deliveries before we came, so its transaction is waited for, and then the endpoint is free.
 * @param slowToo whether slow ones are taken as well; else they are returned without being leased
 */
export async function leaseEndpoints(
  db: Db,
  { serverIds, leaseId, slowToo }: { serverIds: string[]; leaseId: string; slowToo: boolean },
): Promise<{ leased: LeasedEndpoint[]; slow: string[] }> {
  const { rows } = await db.query<LeasedEndpoint & { isLeased: boolean }>({
    name: 'webhooks-lease',
    text: `
      with wanted as (
        -- no condition on the lease here: the row as it was before the lock would be asked
        select server_id, is_slow, disabled_at, leased_until from webhook_endpoints
        where server_id = any($1::uuid[])
        order by server_id
        for no key update
      ),
      free as (
        select server_id, is_slow and not $3 as is_left from wanted
        where disabled_at is null and (leased_until is null or leased_until < clock_timestamp())
      ),
      leased as (
        update webhook_endpoints as endpoint
        set lease_id = $2, leased_until = clock_timestamp() + make_interval(secs => $4)
        from free
        where endpoint.server_id = free.server_id and not is_left
        returning endpoint.server_id, url, secret, is_slow,
          case when previous_secret_until > now() then previous_secret end as previous_secret
      )
      select free.server_id as "serverId", not is_left as "isLeased", url, secret, previous_secret as "previousSecret",
        is_slow as "isSlow"
      from free left join leased using (server_id)`,
    values: [serverIds, leaseId, slowToo, LEASE_SECONDS],
  })
  return {
    leased: rows.filter(({ isLeased }) => isLeased),
    slow: rows.filter(({ isLeased }) => !isLeased).map(({ serverId }) => serverId),
  }
}

export interface DueDelivery {
  id: string
  serverId: string
  body: string
  /** Attempts so far. */
  attempts: number
}

/** The first due deliveries of each server, in their order. A statement of its own after the lease: it must see what the last holder wrote. */
export async function findDue(db: Db, serverIds: string[], perServer: number): Promise<DueDelivery[]> {
  const { rows } = await db.query<DueDelivery>({
    name: 'webhooks-due',
    text: `
      select due.id, wanted.server_id as "serverId", body, attempts
      from unnest($1::uuid[]) as wanted (server_id)
      cross join lateral (
        select id, body, attempts, number from webhook_deliveries
        where server_id = wanted.server_id and ${IS_DUE}
        order by number
        limit $2
      ) as due
      order by due.number`,
    values: [serverIds, perServer],
  })
  return rows
}

/** Endpoints whose holder did not let go in time, those that waited longest first. */
export async function findAbandoned(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>(
    `select server_id as "serverId" from webhook_endpoints where leased_until < clock_timestamp() and disabled_at is null
     order by leased_until limit $1`,
    [limit],
  )
  return rows.map(({ serverId }) => serverId)
}

/** Has a dead delivery sent once more, as when its dead letter is redriven. One that is not dead stays as it is. */
export async function reviveDelivery(db: Db, serverId: string, deliveryId: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'pending', due_at = now(), settled_at = null
     where id = $2 and server_id = $1 and status = 'dead'`,
    [serverId, deliveryId],
  )
}

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

export interface ReleasedEndpoint {
  serverId: string
  isSlow: boolean
  /** Whether something is due, which may have come while we held it. */
  hasMore: boolean
}

/** After `lockEndpoints`, so that it sees every delivery whose wake job found the endpoint held and went away. */
export async function releaseLeases(db: Db, serverIds: string[], leaseId: string): Promise<ReleasedEndpoint[]> {
  const { rows } = await db.query<ReleasedEndpoint>({
    name: 'webhooks-release',
    text: `
      update webhook_endpoints as endpoint
      set lease_id = null, leased_until = null
      where server_id = any($1::uuid[]) and lease_id = $2
      returning server_id as "serverId", is_slow as "isSlow", exists (
        select from webhook_deliveries as delivery where delivery.server_id = endpoint.server_id and ${IS_DUE}
      ) as "hasMore"`,
    values: [serverIds, leaseId],
  })
  return rows
}
