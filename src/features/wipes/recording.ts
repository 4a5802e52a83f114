// Records a wipe once, whether the owner or the poller reports it first: its row, the server's last wipe, and its
// notifications.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import { DAY_MS, HOUR_MS } from '../../platform/durations.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { announce } from '../events/index.ts'
import { notifyDirectory } from '../servers/index.ts'
import type { WipeRow } from './wipes.schema.ts'
import { findWipesAround, lockServer, updateLastWipe, upsertWipe } from './wipes.sql.ts'

/** Two reports of an owner within an hour are the same wipe. */
const SAME_WIPE_HOURS = 1
/**
 * A detected wipe may be hours after the owner's report: a server with a new world loads long, or stays down for a
 * while.
 */
const FOUND_WITHIN_HOURS = 6

/**
 * Records a wipe in the caller's transaction. A known wipe changes nothing: for an owner, one of the same kind that an
 * owner reported within an hour; for the poller, any within six hours. An owner's report within six hours of a detected
 * wipe replaces it. Only recent wipes are announced.
 * @param wiped.by set for an owner's report; absent if the poller detected the wipe
 * @returns undefined if the server is not listed; `isNew` is false if the wipe was known, then nothing was written
 */
export async function recordWipe(
  tx: Db,
  { jobs, justWipedDays }: { jobs: JobQueue; justWipedDays: number },
  wiped: Pick<WipeRow, 'wipedAt' | 'kind'> & { serverId: string; by?: { userId: string; note: string } },
): Promise<{ wipe: WipeRow; isNew: boolean } | undefined> {
  const { serverId, wipedAt, kind, by } = wiped
  const server = await lockServer(tx, serverId)
  if (!server) return undefined
  const near = await findWipesAround(tx, serverId, wipedAt, FOUND_WITHIN_HOURS)
  const same = near.find((known) => (by ? isSaidAgain(known, wiped) : true))
  if (same) return { wipe: same, isNew: false }

  const found = by && near.find(({ source }) => source === 'detected')
  const wipe: WipeRow = {
    id: found?.id ?? uuidv7(),
    wipedAt,
    kind,
    note: by?.note ?? '',
    source: by ? 'owner' : 'detected',
  }
  await upsertWipe(tx, serverId, { ...wipe, createdBy: by?.userId ?? null })
  await updateLastWipe(tx, serverId, found?.wipedAt ?? null)
  await notifyDirectory(tx)
  const isRecent = wipedAt.getTime() > server.now.getTime() - justWipedDays * DAY_MS
  if (isRecent && !found)
    await announce(tx, jobs, [
      {
        type: 'server.wiped',
        serverId,
        at: server.now,
        data: { serverId, serverName: server.name, wipedAt: wipedAt.toISOString(), kind },
      },
    ])
  return { wipe, isNew: true }
}

const isSaidAgain = (known: WipeRow, { wipedAt, kind }: Pick<WipeRow, 'wipedAt' | 'kind'>): boolean =>
  known.source === 'owner' &&
  known.kind === kind &&
  Math.abs(known.wipedAt.getTime() - wipedAt.getTime()) <= SAME_WIPE_HOURS * HOUR_MS
