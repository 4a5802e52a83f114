// Statements over servers that something happened to.
import type { Db } from '../../platform/db/pool.ts'

export interface HeardOf {
  serverId: string
  name: string
  map: string
}

/** Those whose turns an endpoint or a person may be told of. Most listings have neither, so a batch's turns mostly end here. */
export async function findHeardOf(db: Db, serverIds: string[]): Promise<HeardOf[]> {
  const { rows } = await db.query<HeardOf>({
    name: 'events-heard-of',
    text: `
      select id as "serverId", name, map
      from servers join server_status on server_id = id
      where id = any($1::uuid[])
        and (owner_id is not null
          or exists (select from webhook_endpoints where server_id = servers.id)
          or exists (select from server_subscriptions where server_id = servers.id))`,
    values: [serverIds],
  })
  return rows
}

/** Those that somebody may want to hear of: most listings have neither an owner nor a subscriber. */
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

/** For a transaction that was not going to wait: what has gone out can't be taken back when PostgreSQL crashes. */
export async function waitForCommit(db: Db): Promise<void> {
  await db.query('set local synchronous_commit to default')
}
