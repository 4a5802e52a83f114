// Browsers that get a user's alerts by push. SQL, because adding one decides to whom it belongs, and a message
// joins what it is about.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import type { Language } from '../../platform/language.ts'
import { listedIn } from '../servers/index.ts'
import type { AlertKind } from './alerts.sql.ts'
import { IS_CURRENT } from './rules.sql.ts'

export interface NewBrowser {
  id: string
  userId: string
  /** Of the caller: its token's hash. */
  sessionId: Buffer
  endpointHash: string
  /** Encrypted. */
  subscription: string
  language: string
}

interface Browser {
  id: string
  language: Language
  createdAt: Date
}

/**
 * Adds a browser to an account, or takes it over from the account that added it before. The user's oldest ones beyond
 * the maximum are removed.
 */
export async function putBrowser(db: Db, browser: NewBrowser, max: number): Promise<Browser> {
  const { rows } = await db.query<Browser>(
    namedParameters({
      text: `
        insert into push_browsers (id, user_id, session_id, endpoint_hash, subscription, language)
        values ($id, $userId, (select public_id from sessions where token_hash = $sessionId), $endpointHash, $subscription,
          $language)
        on conflict (endpoint_hash) do update
        set user_id = excluded.user_id, session_id = excluded.session_id, subscription = excluded.subscription,
          language = excluded.language, created_at = now()
        returning id, language, created_at as "createdAt"`,
      values: { ...browser },
    }),
  )
  await db.query(
    `delete from push_browsers where id in (
       select id from push_browsers where user_id = $1 order by created_at desc, id desc offset $2)`,
    [browser.userId, max],
  )
  const [added] = rows
  if (!added) throw new Error('a browser that was added is missing')
  return added
}

/** Last added first. */
export async function findBrowsers(db: Sql, userId: string): Promise<Browser[]> {
  const { rows } = await db.query<Browser>(
    'select id, language, created_at as "createdAt" from push_browsers where user_id = $1 order by created_at desc, id desc',
    [userId],
  )
  return rows
}

/** @returns whether the user had it */
export async function deleteBrowser(db: Sql, userId: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from push_browsers where id = $1 and user_id = $2', [id, userId])
  return rowCount === 1
}

/** @returns how many there were */
export async function deleteBrowsersOf(db: Sql, userId: string): Promise<number> {
  const { rowCount } = await db.query('delete from push_browsers where user_id = $1', [userId])
  return rowCount ?? 0
}

/** A browser that its push service no longer knows. */
export async function deleteGoneBrowser(db: Sql, id: string, subscription: string): Promise<void> {
  await db.query('delete from push_browsers where id = $1 and subscription = $2', [id, subscription])
}

/** @returns the browsers of each alert's user */
export async function findBrowsersOf(db: Sql, alertIds: readonly string[]) {
  const { rows } = await db.query<{ alertId: string; browserId: string }>(
    `select alert.id as "alertId", browser.id as "browserId"
     from favorite_alerts as alert join push_browsers as browser using (user_id)
     where alert.id = any($1::uuid[])`,
    [alertIds],
  )
  return rows
}

export interface AlertMessage {
  kind: AlertKind
  threshold: number | null
  nextWipeAt: Date | null
  serverId: string
  serverName: string
  language: Language
  /** Encrypted. */
  subscription: string
}

/**
 * What a message says.
 * @returns undefined if the alert has ended, changed or is no longer true, or the server is listed no more
 */
export async function findAlertMessage(
  db: Db,
  { alertId, browserId, at }: { alertId: string; browserId: string; at: string },
): Promise<AlertMessage | undefined> {
  const { rows } = await db.query<AlertMessage>(
    `select kind, threshold, next_wipe_at as "nextWipeAt", servers.id as "serverId", name as "serverName", language, subscription
     from favorite_alerts as alert
     join push_browsers as browser on browser.id = $2 and browser.user_id = alert.user_id
     join servers on servers.id = alert.server_id and ${listedIn(db)}
     join users on users.id = alert.user_id and banned_at is null
     where alert.id = $1 and fired_at = $3 and ${IS_CURRENT}`,
    [alertId, browserId, at],
  )
  return rows[0]
}
