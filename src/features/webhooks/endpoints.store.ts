// Endpoints as owners see and change them. SQL where rows are locked, inserted or updated in one step, or copied
// from column to column.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { EventType } from './event-types.ts'
import type { KindName } from './kinds/index.ts'
import type { DisabledReason } from './webhooks.schema.ts'

/** Condition on rows of endpoints: nothing is queued or sent while the owner is banned. */
export const IS_OWNER_BANNED = `exists (
  select from servers join users on users.id = owner_id
  where servers.id = endpoints.server_id and banned_at is not null)`

const ENDPOINT = {
  id: true,
  kind: true,
  url: true,
  events: true,
  disabledAt: true,
  disabledReason: true,
  failingSince: true,
  previousSecretUntil: true,
  createdAt: true,
  updatedAt: true,
  message: { select: { messageId: true, editedAt: true, error: true } },
  server: { select: { owner: { select: { bannedAt: true } } } },
} as const

/** Oldest first. `url` is encrypted. */
export async function findEndpoints({ prisma }: Db, serverId: string) {
  const rows = await prisma.endpoint.findMany({
    where: { serverId },
    select: ENDPOINT,
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map(({ server, ...endpoint }) => ({
    ...endpoint,
    kind: endpoint.kind as KindName,
    events: endpoint.events as EventType[],
    disabledReason: endpoint.disabledReason as DisabledReason | null,
    isOwnerBanned: Boolean(server.owner?.bannedAt),
  }))
}

export type Endpoint = Awaited<ReturnType<typeof findEndpoints>>[number]

/** Prevents disabling and deleting the server's endpoints until the transaction ends. */
export async function lockEndpointsForKeyShare(tx: Db, serverId: string): Promise<void> {
  await tx.query('select from endpoints where server_id = $1 order by id for key share', [serverId])
}

/** Waits for transactions that are queueing deliveries for the endpoints, so that `cancelPending` sees those. */
export async function lockEndpointsForUpdate(tx: Db, ids: string[]): Promise<void> {
  await tx.query('select from endpoints where id = any($1::uuid[]) order by id for update', [ids])
}

export interface NewEndpoint {
  id: string
  serverId: string
  kind: KindName
  /** Encrypted, as the secret. */
  url: string
  events: EventType[]
  /** Null if the kind has none. */
  secret: string | null
}

/** SQL, because its deliveries are compared with its time, which must be the database's. */
export async function insertEndpoint(db: Db, { id, serverId, kind, url, events, secret }: NewEndpoint): Promise<void> {
  await db.query(
    namedParameters({
      text: `
        insert into endpoints (id, server_id, kind, url, events, secret)
        values ($id, $serverId, $kind, $url, $events, $secret)`,
      values: { id, serverId, kind, url, events, secret },
    }),
  )
}

/**
 * Changes an endpoint: it is enabled, and its failures are cleared.
 * @param changes encrypted; undefined: as before
 */
export async function updateEndpoint(
  db: Db,
  id: string,
  { url, events, secret }: { [Field in 'url' | 'events' | 'secret']: NewEndpoint[Field] | undefined },
): Promise<void> {
  await db.query(
    `update endpoints
     set url = coalesce($2, url), events = coalesce($3, events), secret = coalesce($4, secret), disabled_at = null,
       disabled_reason = null, failing_since = null, is_slow = false, paused_until = null, updated_at = clock_timestamp()
     where id = $1`,
    [id, url, events, secret],
  )
}

/** The caller cancels their pending deliveries. */
export async function deleteEndpoints({ prisma }: Db, ids: string[]): Promise<void> {
  await prisma.endpoint.deleteMany({ where: { id: { in: ids } } })
}

/** The secret of an endpoint that is locked, encrypted; null if its kind has none. */
export async function findSecret({ prisma }: Db, id: string): Promise<string | null> {
  const row = await prisma.endpoint.findUnique({ where: { id }, select: { secret: true } })
  return row?.secret ?? null
}

/** @param secret encrypted; the replaced secret continues to sign for `hours`, which may be 0 */
export async function rotateSecret(
  db: Db,
  { id, secret, hours }: { id: string; secret: string; hours: number },
): Promise<void> {
  await db.query(
    `update endpoints
     set previous_secret = case when $3 > 0 then secret end,
       previous_secret_until = case when $3 > 0 then now() + make_interval(hours => $3) end,
       secret = $2, updated_at = clock_timestamp()
     where id = $1`,
    [id, secret, hours],
  )
}

/** Ids of the endpoints of a server, or of all servers of a user. */
export async function findEndpointIds(
  { prisma }: Db,
  of: { serverId: string } | { ownerId: string },
): Promise<string[]> {
  const where = 'serverId' in of ? of : { server: of }
  const rows = await prisma.endpoint.findMany({ where, select: { id: true } })
  return rows.map(({ id }) => id)
}
