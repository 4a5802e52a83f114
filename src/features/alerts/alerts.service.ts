// Fires alerts, notifies their users, and writes the push messages.
import type { Deps } from '../../deps.ts'
import { chunksOf } from '../../platform/chunks.ts'
import type { SecretCipher } from '../../platform/config/secret-cipher.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { reencrypt } from '../../platform/db/reencrypt.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { MAX_NOTICE_USERS, type Notice, notify } from '../notifications/index.ts'
import { createPushMessage, type PushMessage } from '../push/index.ts'
import { serverLink } from '../servers/index.ts'
import { alertText } from './alert-text.ts'
import { alertFired, alertPush } from './alerts.jobs.ts'
import {
  type FiredAlert,
  findWatched,
  followPolls,
  followSchedules,
  markNotified,
  type NotifiedAlert,
  type PolledServer,
} from './alerts.sql.ts'
import { deleteGoneBrowser, findAlertMessage, findBrowsersOf } from './browsers.sql.ts'

/** Users whose alerts say the same share a notice. */
const MAX_ALERTS_PER_JOB = MAX_NOTICE_USERS

/** An alert is out of date after an hour. */
const PUSH_TTL_SECONDS = 3600

/**
 * Fires alerts about polled servers, in the transaction that has written the results. Runs one statement, and another
 * if any of the servers has alerts.
 * @returns whether any fired
 */
export async function fireAlerts(tx: Db, jobs: JobQueue, polled: readonly PolledServer[]): Promise<boolean> {
  const watched = await findWatched(
    tx,
    polled.map(({ serverId }) => serverId),
  )
  if (!watched.size) return false
  const servers = polled.filter(({ serverId }) => watched.has(serverId))
  const fired = await followPolls(tx, servers)
  const players = new Map(servers.map((server) => [server.serverId, server.players]))
  await enqueueFired(tx, jobs, fired, players)
  return fired.length > 0
}

/** Runs each minute. A repeated or parallel run fires none twice. */
export const runAlertsWipes = ({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<void> =>
  inTransaction(pool, async (tx) => enqueueFired(tx, jobs, await followSchedules(tx)))

async function enqueueFired(tx: Db, jobs: JobQueue, fired: FiredAlert[], players = new Map<string, number>()) {
  const [first] = fired
  if (!first) return
  const at = first.at.toISOString() // all fire at one instant
  const byServer = Map.groupBy(fired, ({ serverId }) => serverId)
  const payloads = [...byServer].flatMap(([serverId, alerts]) =>
    chunksOf(alerts, MAX_ALERTS_PER_JOB).map((part) => ({
      serverId,
      at,
      alertIds: part.map(({ id }) => id),
      players: players.get(serverId),
    })),
  )
  await jobs.enqueue(tx, alertFired, payloads)
}

/**
 * Notifies the users of alerts that fired: by a notice, which becomes a notification and the messages that the user's
 * preferences say, and by push. All of it is enqueued in the transaction that marks the alerts as notified.
 */
export async function reportFired(
  { pool, jobs }: Pick<Deps, 'pool' | 'jobs'>,
  {
    serverId,
    at,
    alertIds,
    players,
  }: { serverId: string; at: string; alertIds: string[]; players?: number | undefined },
): Promise<void> {
  await inTransaction(pool, async (tx) => {
    const notified = await markNotified(tx, alertIds, at)
    if (!notified.length) return
    await jobs.enqueue(tx, notify, noticesOf(notified, { serverId, at, players }))
    const browsers = await findBrowsersOf(
      tx,
      notified.map(({ id }) => id),
    )
    await jobs.enqueue(
      tx,
      alertPush,
      browsers.map((browser) => ({ ...browser, at, players })),
    )
  })
}

/** Users whose alerts say the same share a notice. */
function noticesOf(
  notified: NotifiedAlert[],
  { serverId, at, players }: { serverId: string; at: string; players: number | undefined },
): Notice[] {
  const groups = Map.groupBy(notified, ({ kind, threshold }) => `${kind} ${threshold}`)
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (!first) return []
    const { kind, threshold, nextWipeAt } = first
    const data = {
      ...(players === undefined ? {} : { players }),
      ...(threshold === null ? {} : { threshold }),
      ...(kind === 'wipeSoon' && nextWipeAt ? { wipeAt: nextWipeAt.toISOString() } : {}),
    }
    return [{ event: kind, at, serverId, userIds: alike.map(({ userId }) => userId), data }]
  })
}

type WriterDeps = Pick<Deps, 'pool' | 'settings'> & { secretCipher: SecretCipher }

/** @returns undefined if the alert has ended in the meantime */
export async function writeAlertPush(
  { pool, settings, secretCipher }: WriterDeps,
  { alertId, browserId, at, players }: { alertId: string; browserId: string; at: string; players?: number | undefined },
): Promise<PushMessage | undefined> {
  const found = await findAlertMessage(pool, { alertId, browserId, at })
  if (!found) return undefined
  const base = settings.PUBLIC_BASE_URL
  return createPushMessage(pool, secretCipher, {
    id: alertId,
    subscription: found.subscription,
    content: {
      ...alertText(found, players),
      url: serverLink(base, found.serverId),
      tag: alertId,
      offUrl: `${base}/api/alerts/off?id=${alertId}`,
    },
    ttlSeconds: PUSH_TTL_SECONDS,
    gone: () => deleteGoneBrowser(pool, browserId, found.subscription),
  })
}

/** Runs daily. A repeated or parallel run does no harm. */
export async function runAlertsUpkeep(deps: Pick<Deps, 'pool' | 'settings' | 'log'>): Promise<void> {
  await reencrypt(deps, 'push', { table: 'push_browsers', key: 'id', columns: ['subscription'] })
}
