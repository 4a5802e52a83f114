// Statements over endpoints as their owners see and change them.
import type { Db } from '../../platform/db/pool.ts'
import type { EventType } from './event-types.ts'

export interface EndpointRow {
  /** Sealed; in clear where a version before 0.2 wrote it. */
  url: string
  events: EventType[]
  disabledAt: Date | null
  disabledReason: 'gone' | 'failing' | null
  failingSince: Date | null
  isOwnerBanned: boolean
  previousSecretUntil: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Of a row of webhook_endpoints: nothing is queued or sent then. */
export const IS_OWNER_BANNED = `exists (
  select from servers join users on users.id = owner_id
  where servers.id = webhook_endpoints.server_id and banned_at is not null)`

const ENDPOINT = `url, events, disabled_at as "disabledAt", disabled_reason as "disabledReason",
  failing_since as "failingSince", created_at as "createdAt", updated_at as "updatedAt",
  ${IS_OWNER_BANNED} as "isOwnerBanned",
  case when previous_secret_until > now() then previous_secret_until end as "previousSecretUntil"`

export async function findEndpoint(db: Db, serverId: string): Promise<EndpointRow | undefined> {
  const { rows } = await db.query<EndpointRow>(`select ${ENDPOINT} from webhook_endpoints where server_id = $1`, [
    serverId,
  ])
  return rows[0]
}

/** The same, and until the transaction ends it can't be disabled or deleted. */
export async function holdEndpoint(db: Db, serverId: string): Promise<EndpointRow | undefined> {
  const { rows } = await db.query<EndpointRow>(
    `select ${ENDPOINT} from webhook_endpoints where server_id = $1 for key share`,
    [serverId],
  )
  return rows[0]
}

/**
 * Makes the server's endpoint, or changes the one there is: that keeps its secret, is enabled and has no failures any more.
 * @param endpoint `url` and `secret` sealed; the secret is taken by a new one only
 */
export async function upsertEndpoint(
  db: Db,
  endpoint: { serverId: string; url: string; events: EventType[]; secret: string },
): Promise<EndpointRow & { isNew: boolean }> {
  const { rows } = await db.query<EndpointRow & { isNew: boolean }>(
    `insert into webhook_endpoints (server_id, url, events, secret) values ($1, $2, $3, $4)
     on conflict (server_id) do update
     set url = excluded.url, events = excluded.events, disabled_at = null, disabled_reason = null, failing_since = null,
       is_slow = false, updated_at = clock_timestamp()
     returning ${ENDPOINT}, secret = $4 as "isNew"`,
    [endpoint.serverId, endpoint.url, endpoint.events, endpoint.secret],
  )
  const [row] = rows
  if (!row) throw new Error('an endpoint was neither made nor changed')
  return row
}

/** @returns whether there was one. What is pending is the caller's to cancel */
export async function deleteEndpoint(db: Db, serverId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from webhook_endpoints where server_id = $1', [serverId])
  return rowCount === 1
}

/** @param secret sealed; the present one signs beside it for `hours`. @returns undefined when there is no endpoint */
export async function rotateSecret(
  db: Db,
  { serverId, secret, hours }: { serverId: string; secret: string; hours: number },
): Promise<EndpointRow | undefined> {
  const { rows } = await db.query<EndpointRow>(
    `update webhook_endpoints
     set previous_secret = secret, previous_secret_until = now() + make_interval(hours => $3), secret = $2,
       updated_at = clock_timestamp()
     where server_id = $1
     returning ${ENDPOINT}`,
    [serverId, secret, hours],
  )
  return rows[0]
}

/** Waits for transactions that are queueing deliveries for it, so that `cancelPending` sees those. */
export async function lockEndpoint(db: Db, serverId: string): Promise<void> {
  await db.query('select from webhook_endpoints where server_id = $1 for update', [serverId])
}

/** Those of a user's servers, in the order of their ids. */
export async function findServersWithEndpoint(db: Db, ownerId: string): Promise<string[]> {
  const { rows } = await db.query<{ serverId: string }>(
    `select server_id as "serverId" from webhook_endpoints join servers on id = server_id
     where owner_id = $1 order by server_id`,
    [ownerId],
  )
  return rows.map(({ serverId }) => serverId)
}

export async function findServerName(db: Db, serverId: string): Promise<string> {
  const { rows } = await db.query<{ name: string }>('select name from servers where id = $1', [serverId])
  return rows[0]?.name ?? ''
}
