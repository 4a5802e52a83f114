// Leases on endpoints, and their due deliveries. SQL: hot path, row locks, the database's clock.
// Statements that lock several endpoints lock them in id order to avoid deadlocks.
import type { Clock } from '../../deps.ts'
import type { Db, Optional } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'
import type { ServerEvent } from './event-types.ts'
import { KIND_NAMES, type KindName } from './kinds/index.ts'

/** Longer than a worker sends to one endpoint. The endpoints of a dead worker wait this long. */
export const LEASE_SECONDS = 20

/**
 * due_at is rounded to milliseconds, so that of a committed delivery may be up to 1 ms in the future. The statement's
 * time, which an index can be searched for: clock_timestamp() would be compared with each pending delivery.
 */
const SOON = `statement_timestamp() + interval '1 millisecond'`
const IS_DUE = `status = 'pending' and due_at <= ${SOON}`

/**
 * Condition on rows of endpoints: paused, by itself or with all of Discord. What waits then is found by the sweep after
 * the pause, like everything that is overdue.
 */
export const IS_PAUSED = `(coalesce(paused_until > ${SOON}, false)
  or kind = 'discord' and exists (select from discord_pauses where scope = 'global' and until > ${SOON}))`

export interface LeasedEndpoint {
  id: string
  kind: KindName
  /** Encrypted. */
  url: string
  /** Encrypted; null if the kind has none. */
  secret: string | null
  /** Encrypted; null once it no longer signs. */
  previousSecret: string | null
  isSlow: boolean
}

type LeaseRow = Optional<Omit<LeasedEndpoint, 'id'>> & { id: string; isLeased: boolean }

/**
 * Leases those of the endpoints that may be sent to: enabled, of a known kind, without a lease, not paused (by itself
 * or with all of Discord), and with an owner who is not banned. Also locks endpoints that have a lease: a worker that
 * is releasing one may have looked for due deliveries before ours was committed, so this waits for its transaction.
 * @param slowToo whether to lease slow endpoints too; otherwise they are returned in `slow`
 */
export async function leaseEndpoints(
  db: Db,
  { endpointIds, leaseId, slowToo }: { endpointIds: string[]; leaseId: string; slowToo: boolean },
): Promise<{ leased: LeasedEndpoint[]; slow: string[] }> {
  const { rows } = await db.query<LeaseRow>({
    name: 'webhooks-lease',
    text: `
      with wanted as (
        -- no condition on the lease here: it would test the row as it was before the lock
        select id, kind, is_slow, disabled_at, leased_until, paused_until, ${IS_OWNER_BANNED} as is_owner_banned from endpoints
        where id = any($1::uuid[])
        order by id
        for no key update of endpoints
      ),
      free as (
        select id, is_slow and not $3 as is_left from wanted
        where disabled_at is null and not is_owner_banned and (leased_until is null or leased_until < clock_timestamp())
          and kind = any($5) -- a later release may have others
          and not ${IS_PAUSED}
      ),
      leased as (
        update endpoints as endpoint
        set lease_id = $2, leased_until = clock_timestamp() + make_interval(secs => $4)
        from free
        where endpoint.id = free.id and not is_left
        returning endpoint.id, kind, url, secret, is_slow,
          case when previous_secret_until > now() then previous_secret end as previous_secret
      )
      select free.id, not is_left as "isLeased", kind, url, secret, previous_secret as "previousSecret", is_slow as "isSlow"
      from free left join leased using (id)`,
    values: [endpointIds, leaseId, slowToo, LEASE_SECONDS, KIND_NAMES],
  })
  return {
    leased: rows.filter((row): row is LeaseRow & LeasedEndpoint => row.isLeased),
    slow: rows.filter(({ isLeased }) => !isLeased).map(({ id }) => id),
  }
}

export interface DueDelivery {
  id: string
  endpointId: string
  type: ServerEvent['type']
  body: string
  /** Attempts so far. */
  attempts: number
  /** By this process' clock, which attempts are timed by: it may differ from the database's. */
  createdAt: Date
  /** Trace context of the span that caused it; null if it was not traced. */
  traceparent: string | null
}

/**
 * The first due deliveries of each endpoint, in order. Run it after the lease, to see what the previous worker wrote.
 * Once a delivery to an ordered endpoint is due, so are all of its pending ones: the later ones must not arrive before
 * those that wait for a retry. Those that are retried alone wait for their own time.
 */
export async function findDue(
  db: Db,
  endpoints: { id: string; isOrdered: boolean }[],
  { perEndpoint, clock = Date.now }: { perEndpoint: number; clock?: Clock | undefined },
): Promise<DueDelivery[]> {
  const { rows } = await db.query<Omit<DueDelivery, 'createdAt'> & { ageMs: number }>({
    name: 'webhooks-due',
    text: `
      select due.id, wanted.endpoint_id as "endpointId", type, body, attempts, traceparent,
        extract(epoch from statement_timestamp() - created_at)::float8 * 1000 as "ageMs"
      from unnest($1::uuid[], $2::boolean[]) as wanted (endpoint_id, is_ordered)
      cross join lateral (
        select case when is_ordered and exists (
            select from endpoint_deliveries where endpoint_id = wanted.endpoint_id and ${IS_DUE})
          then 'infinity' else ${SOON} end as until
      ) as horizon
      cross join lateral (
        select id, type, body, attempts, number, created_at, traceparent from endpoint_deliveries
        where endpoint_id = wanted.endpoint_id and status = 'pending' and due_at <= horizon.until
          and (not is_retried_alone or due_at <= ${SOON})
        order by number + 0 -- the index by number has all deliveries of a month: those before the first pending one would be read
        limit $3
      ) as due
      order by due.number`,
    values: [endpoints.map(({ id }) => id), endpoints.map(({ isOrdered }) => isOrdered), perEndpoint],
  })
  const now = clock()
  return rows.map(({ ageMs, ...delivery }) => ({ ...delivery, createdAt: new Date(now - ageMs) }))
}

/**
 * Which leased deliveries may still be sent to these URLs: they were not canceled since, for example by a ban,
 * and the owner has set no other URL.
 * @param leased `storedUrl`: as the lease had it
 */
export async function findPending(db: Db, leased: { deliveryId: string; storedUrl: string }[]): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>({
    name: 'webhooks-find-pending',
    text: `select delivery.id from unnest($1::uuid[], $2::text[]) as leased (id, url)
      join endpoint_deliveries as delivery on delivery.id = leased.id
      join endpoints on endpoints.id = endpoint_id and endpoints.url = leased.url
      where status = 'pending'`,
    values: [leased.map(({ deliveryId }) => deliveryId), leased.map(({ storedUrl }) => storedUrl)],
  })
  return rows.map(({ id }) => id)
}

/**
 * A text that another APP_SECRET encrypts was encrypted again, not changed (`reencrypt`): a game server would get a
 * vote twice that it has not confirmed yet.
 * @returns those of these endpoints that were deleted or have another URL than the lease
 */
export async function findChangedEndpoints(
  db: Db,
  leases: { endpointId: string; storedUrl: string }[],
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select lease.id from unnest($1::uuid[], $2::text[]) as lease (id, url)
     where not exists (
       select from endpoints
       where endpoints.id = lease.id
         and (endpoints.url = lease.url or split_part(endpoints.url, '.', 2) <> split_part(lease.url, '.', 2)))`,
    [leases.map(({ endpointId }) => endpointId), leases.map(({ storedUrl }) => storedUrl)],
  )
  return rows.map(({ id }) => id)
}

/** Endpoints whose lease has expired and that `leaseEndpoints` would lease, in the order in which they expired. */
export async function findExpiredLeases(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from endpoints
     where leased_until < clock_timestamp() and disabled_at is null and kind = any($2)
       and not ${IS_OWNER_BANNED} and not ${IS_PAUSED}
     order by leased_until limit $1`,
    [limit, KIND_NAMES],
  )
  return rows.map(({ id }) => id)
}

/**
 * Makes a dead delivery due again, as when its dead letter is redriven. Does nothing to other deliveries, to those of a
 * disabled endpoint, and to those of a former owner's endpoint with the same id.
 */
export async function requeueDeadDelivery(db: Db, endpointId: string, deliveryId: string): Promise<void> {
  await db.query(
    `update endpoint_deliveries set status = 'pending', due_at = now(), settled_at = null
     where id = $2 and endpoint_id = $1 and status = 'dead'
       and exists (
         select from endpoints
         where endpoints.id = $1 and disabled_at is null and endpoints.created_at <= endpoint_deliveries.created_at)`,
    [endpointId, deliveryId],
  )
}

/**
 * Call it after `lockEndpoints`, so that it sees every delivery whose wake job found the endpoint leased. One without a
 * lease was deleted and added again meanwhile: this worker has dropped its wake jobs too.
 * @returns the released endpoints, with `hasMore` if a delivery is due
 */
export async function releaseLeases(db: Db, endpointIds: string[], leaseId: string) {
  const { rows } = await db.query<{ id: string; isSlow: boolean; hasMore: boolean }>({
    name: 'webhooks-release',
    text: `
      update endpoints as endpoint
      set lease_id = null, leased_until = null
      where id = any($1::uuid[]) and (lease_id = $2 or lease_id is null)
      returning id, is_slow as "isSlow", exists (
        select from endpoint_deliveries as delivery where delivery.endpoint_id = endpoint.id and ${IS_DUE}
      ) as "hasMore"`,
    values: [endpointIds, leaseId],
  })
  return rows
}
