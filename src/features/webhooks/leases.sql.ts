// Leases on endpoints, and their due deliveries. SQL: hot path, row locks, the database's clock.
// Statements that lock several endpoints lock them in id order to avoid deadlocks.
import type { Db, Optional } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.store.ts'

/** Longer than a worker sends to one endpoint. The endpoints of a dead worker wait this long. */
export const LEASE_SECONDS = 20

/** due_at is rounded to milliseconds, so that of a committed delivery may be up to 1 ms in the future. */
const IS_DUE = `status = 'pending' and due_at <= clock_timestamp() + interval '1 millisecond'`

export interface LeasedEndpoint {
  serverId: string
  /** Encrypted, or in clear from a version before 0.2. */
  url: string
  /** Encrypted. */
  secret: string
  /** Encrypted; null once it no longer signs. */
  previousSecret: string | null
  isSlow: boolean
}

type LeaseRow = Optional<Omit<LeasedEndpoint, 'serverId'>> & { serverId: string; isLeased: boolean }

/**
 * Leases the endpoints that are enabled, have no lease, and whose owner is not banned. Leased endpoints are locked too: a worker that
 * is releasing one may have looked for due deliveries before ours was committed, so this waits for its transaction.
 * @param slowToo whether to lease slow endpoints too; otherwise they are returned in `slow`
 */
export async function leaseEndpoints(
  db: Db,
  { serverIds, leaseId, slowToo }: { serverIds: string[]; leaseId: string; slowToo: boolean },
): Promise<{ leased: LeasedEndpoint[]; slow: string[] }> {
  const { rows } = await db.query<LeaseRow>({
    name: 'webhooks-lease',
    text: `
      with wanted as (
        -- no condition on the lease here: it would test the row as it was before the lock
        select server_id, is_slow, disabled_at, leased_until, ${IS_OWNER_BANNED} as is_owner_banned from webhook_endpoints
        where server_id = any($1::uuid[])
        order by server_id
        for no key update of webhook_endpoints
      ),
      free as (
        select server_id, is_slow and not $3 as is_left from wanted
        where disabled_at is null and not is_owner_banned and (leased_until is null or leased_until < clock_timestamp())
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
    leased: rows.filter((row): row is LeaseRow & LeasedEndpoint => row.isLeased),
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

/** The first due deliveries of each server, in order. Run it after the lease, to see what the previous worker wrote. */
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

/**
 * Whether a leased delivery may still be sent to this URL: it was not canceled meanwhile, for example by a ban, and the owner has set no other.
 * @param storedUrl as the lease had it
 */
export async function isPending(db: Db, deliveryId: string, storedUrl: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhooks-is-pending',
    text: `select from webhook_deliveries join webhook_endpoints using (server_id)
      where id = $1 and status = 'pending' and url = $2`,
    values: [deliveryId, storedUrl],
  })
  return rowCount === 1
}

/** @returns those of these servers whose endpoint was deleted or has another URL than the lease */
export async function findChangedEndpoints(
  db: Db,
  leases: { serverId: string; storedUrl: string }[],
): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>(
    `select lease.server_id as "serverId" from unnest($1::uuid[], $2::text[]) as lease (server_id, url)
     where not exists (
       select from webhook_endpoints where webhook_endpoints.server_id = lease.server_id and webhook_endpoints.url = lease.url)`,
    [leases.map(({ serverId }) => serverId), leases.map(({ storedUrl }) => storedUrl)],
  )
  return rows.map(({ serverId }) => serverId)
}

/** Servers of enabled endpoints whose lease has expired, those that expired first first. */
export async function findExpiredLeases(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>(
    `select server_id as "serverId" from webhook_endpoints where leased_until < clock_timestamp() and disabled_at is null
     order by leased_until limit $1`,
    [limit],
  )
  return rows.map(({ serverId }) => serverId)
}

/** Makes a dead delivery due again, as when its dead letter is redriven. Does nothing to other deliveries. */
export async function reviveDelivery(db: Db, serverId: string, deliveryId: string): Promise<void> {
  await db.query(
    `update webhook_deliveries set status = 'pending', due_at = now(), settled_at = null
     where id = $2 and server_id = $1 and status = 'dead'`,
    [serverId, deliveryId],
  )
}

export interface ReleasedEndpoint {
  serverId: string
  isSlow: boolean
  /** Whether a delivery is due. */
  hasMore: boolean
}

/** Call it after `lockEndpoints`, so that it sees every delivery whose wake job found the endpoint leased. */
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
