// Endpoints as owners see and change them. SQL where a row is locked, inserted or updated in one step, or copied from column to column.
import type { Db } from '../../platform/db/pool.ts'
import type { DisabledReason } from './disable-endpoint.sql.ts'
import type { EventType } from './event-types.ts'

/** For rows of webhook_endpoints: nothing is queued or sent while the owner is banned. */
export const IS_OWNER_BANNED = `exists (
  select from servers join users on users.id = owner_id
  where servers.id = webhook_endpoints.server_id and banned_at is not null)`

const ENDPOINT = {
  url: true,
  events: true,
  disabledAt: true,
  disabledReason: true,
  failingSince: true,
  previousSecretUntil: true,
  createdAt: true,
  updatedAt: true,
  server: { select: { owner: { select: { bannedAt: true } } } },
} as const

/** `url` is encrypted, or in clear if a version before 0.2 wrote it. */
export async function findEndpoint({ prisma }: Db, serverId: string) {
  const row = await prisma.webhookEndpoint.findUnique({ where: { serverId }, select: ENDPOINT })
  if (!row) return undefined
  const { server, ...endpoint } = row
  return {
    ...endpoint,
    events: endpoint.events as EventType[],
    disabledReason: endpoint.disabledReason as DisabledReason | null,
    isOwnerBanned: Boolean(server.owner?.bannedAt),
  }
}

export type Endpoint = NonNullable<Awaited<ReturnType<typeof findEndpoint>>>

/** Prevents disabling and deleting the endpoint until the transaction ends. */
export async function lockEndpointForKeyShare(tx: Db, serverId: string): Promise<Endpoint | undefined> {
  await tx.query('select from webhook_endpoints where server_id = $1 for key share', [serverId])
  return findEndpoint(tx, serverId)
}

/** Waits for transactions that are queueing deliveries for the endpoint, so that `cancelPending` sees those. */
export async function lockEndpointForUpdate(tx: Db, serverId: string): Promise<void> {
  await tx.query('select from webhook_endpoints where server_id = $1 for update', [serverId])
}

/**
 * Creates the server's endpoint, or changes the existing one: it keeps its secret, is enabled, and its failures are cleared.
 * @param endpoint `url` and `secret` encrypted; an existing endpoint ignores the secret
 * @returns whether the endpoint is new
 */
export async function upsertEndpoint(
  db: Db,
  endpoint: { serverId: string; url: string; events: EventType[]; secret: string },
): Promise<boolean> {
  const { rows } = await db.query<{ isNew: boolean }>(
    `insert into webhook_endpoints (server_id, url, events, secret) values ($1, $2, $3, $4)
     on conflict (server_id) do update
     set url = excluded.url, events = excluded.events, disabled_at = null, disabled_reason = null, failing_since = null,
       is_slow = false, updated_at = clock_timestamp()
     returning secret = $4 as "isNew"`,
    [endpoint.serverId, endpoint.url, endpoint.events, endpoint.secret],
  )
  return rows[0]?.isNew ?? false
}

/** @returns whether the server had an endpoint. The caller cancels its pending deliveries */
export async function deleteEndpoint({ prisma }: Db, serverId: string): Promise<boolean> {
  const { count } = await prisma.webhookEndpoint.deleteMany({ where: { serverId } })
  return count === 1
}

/** @param secret encrypted; the replaced secret continues to sign for `hours` */
export async function rotateSecret(
  db: Db,
  { serverId, secret, hours }: { serverId: string; secret: string; hours: number },
): Promise<void> {
  await db.query(
    `update webhook_endpoints
     set previous_secret = secret, previous_secret_until = now() + make_interval(hours => $3), secret = $2,
       updated_at = clock_timestamp()
     where server_id = $1`,
    [serverId, secret, hours],
  )
}

/** Ids of a user's servers that have an endpoint, ascending. */
export async function findServersWithEndpoint({ prisma }: Db, ownerId: string): Promise<string[]> {
  const rows = await prisma.webhookEndpoint.findMany({
    where: { server: { ownerId } },
    select: { serverId: true },
    orderBy: { serverId: 'asc' },
  })
  return rows.map(({ serverId }) => serverId)
}
