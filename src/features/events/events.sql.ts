// SQL, because both statements run for each batch of polls and filter sets of servers.
import type { Db } from '../../platform/db/pool.ts'

export interface ObservedServer {
  serverId: string
  name: string
  map: string
}

/**
 * Servers with an owner, a webhook endpoint or a subscriber. Most have none, so most status changes of a batch need no
 * event.
 */
export async function findObserved(db: Db, serverIds: string[]): Promise<ObservedServer[]> {
  const { rows } = await db.query<ObservedServer>({
    name: 'events-observed',
    text: `
      select id as "serverId", name, map
      from servers join server_status on server_id = id
      where id = any($1::uuid[])
        and (owner_id is not null
          or exists (select from endpoints where server_id = servers.id)
          or exists (select from server_subscriptions where server_id = servers.id))`,
    values: [serverIds],
  })
  return rows
}

/** Servers with an owner or a subscriber. */
export async function findFollowed(db: Db, serverIds: string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ serverId: string }>({
    name: 'events-followed',
    text: `
      select id as "serverId" from servers
      where id = any($1::uuid[])
        and (owner_id is not null or exists (select from server_subscriptions where server_id = servers.id))`,
    values: [serverIds],
  })
  return new Set(rows.map(({ serverId }) => serverId))
}

/**
 * Makes the commit durable in a transaction with asynchronous commit: sent events cannot be recalled after a crash of
 * PostgreSQL.
 */
export async function waitForCommit(db: Db): Promise<void> {
  await db.query('set local synchronous_commit to default')
}
