// People, servers and news in a database of the test's own, and time that passes for messages without waiting.
import { randomUUID } from 'node:crypto'
import { handleNotice, Notice, notify } from '../../../src/features/notifications/index.ts'
import { readSettings, requireProcessSettings } from '../../../src/platform/config/settings.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'

export const settingsOf = (url: string, given: Record<string, string> = {}) =>
  requireProcessSettings(
    readSettings({ DATABASE_URL: url, APP_SECRET: 'a secret of the tests, 32 characters and more', ...given }),
  )

/** A listed server that is online. */
export async function addServer(pool: Pool, name: string, ownerId?: string): Promise<string> {
  const id = await insertServer(pool, { name })
  await pool.query('update servers set owner_id = $2 where id = $1', [id, ownerId ?? null])
  await putStatus(pool, id, { isOnline: true })
  return id
}

export const setOnline = (pool: Pool, serverId: string, isOnline: boolean) =>
  pool.query('update server_status set is_online = $2 where server_id = $1', [serverId, isOnline])

export const subscribe = (pool: Pool, userId: string, serverId: string, events: string[]) =>
  pool.query('insert into server_subscriptions (user_id, server_id, events) values ($1, $2, $3)', [
    userId,
    serverId,
    events,
  ])

/** Has the news taken in, as a worker does. */
export async function tell(
  deps: Parameters<typeof handleNotice>[0],
  event: Notice['event'],
  about: { serverId?: string; userId?: string; data?: Notice['data']; at?: Date; jobId?: string },
): Promise<void> {
  const { at = new Date(), jobId = randomUUID(), data = {}, ...whom } = about
  await handleNotice(deps, notify.payload.parse({ event, at: at.toISOString(), data, ...whom }), jobId)
}

/** Handles the notices that wait for a worker. */
export async function handleWaitingNotices(deps: Parameters<typeof handleNotice>[0]): Promise<void> {
  const { rows } = await deps.pool.query(`delete from pgboss.job where name = 'notify' returning id, data`)
  for (const job of rows) await handleNotice(deps, Notice.parse(job.data), job.id)
}

/** Moves all that waits for a message's time this much nearer. */
export async function pass(pool: Pool, seconds: number): Promise<void> {
  await pool.query(
    `update notification_digests set due_at = due_at - make_interval(secs => $1),
       ordered_at = ordered_at - make_interval(secs => $1), sent_at = sent_at - make_interval(secs => $1)`,
    [seconds],
  )
}

export interface MailOrderRow {
  id: string
  userId: string
}

/** Takes the ordered mails out of the queue. */
export async function takeMails(pool: Pool): Promise<MailOrderRow[]> {
  const { rows } = await pool.query<MailOrderRow>(
    `delete from pgboss.job where name = 'mail' and data ->> 'kind' = 'notification-digest'
     returning id, data ->> 'userId' as "userId"`,
  )
  return rows
}
