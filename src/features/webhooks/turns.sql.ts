// Statements of turns: leases on endpoints, and what is due to them. All time is the database's.
// Whoever touches several endpoints locks them in the order of their ids, so that nobody waits in a circle.
import type { Db } from '../../platform/db/pool.ts'
import { IS_OWNER_BANNED } from './endpoints.sql.ts'

/** How long an endpoint is one worker's: longer than any turn, and all that a dead worker keeps others waiting. */
export const LEASE_SECONDS = 20

/** due_at is kept in milliseconds, rounded: what was just committed may lie that little in the future. */
const IS_DUE = `status = 'pending' and due_at <= clock_timestamp() + interval '1 millisecond'`

export interface LeasedEndpoint {
  serverId: string
  /** Sealed, or in clear from a version before 0.2. */
  url: string
  /** Sealed; the one before it while it still signs. */
  secret: string
  previousSecret: string | null
  isSlow: boolean
}

/**
 * Takes the endpoints that are enabled, whose owner is not banned, and that no worker holds. Held ones are locked for a moment too: a holder that is letting go
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

/** Whether a delivery of a turn that lasts may still be sent: it was not canceled meanwhile (by a ban, for one). */
export async function isPending(db: Db, deliveryId: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'webhooks-is-pending',
    text: `select from webhook_deliveries where id = $1 and status = 'pending'`,
    values: [deliveryId],
  })
  return rowCount === 1
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
