// Writes a wipe down once, whoever says so first: its row, the server's last wipe, and the news of it.
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../platform/db/pool.ts'
import type { Jobs } from '../../platform/queue/jobs.ts'
import { notifyDirectory } from '../directory/index.ts'
import { announce } from '../events/index.ts'
import { confirmWipe, findWipesAround, insertWipe, lockServer, showLastWipe, type WipeRow } from './wipes.sql.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** An owner who says the same thing twice within an hour means one wipe. */
const SAME_WIPE_HOURS = 1
/** What the poller finds may be up to hours after what the owner says: a server that starts anew loads long, or stays down a while. */
const FOUND_WITHIN_HOURS = 6

export interface WipeToRecord {
  serverId: string
  wipedAt: Date
  kind: WipeRow['kind']
  /** Given: an owner says so; not given: the poller found it. */
  by?: { userId: string; note: string }
}

export interface RecordedWipe {
  wipe: WipeRow
  /** False: it was known already, and nothing was written. */
  isNew: boolean
}

/**
 * Records a wipe in the caller's transaction. The same wipe again changes nothing: one of the same kind that its owner told of within
 * an hour; for the poller any within six. What the poller found becomes the owner's when they tell of it within six.
 * News are of wipes that count as recent only.
 * @returns undefined when there is no such listing
 */
export async function recordWipe(
  tx: Db,
  { jobs, justWipedDays }: { jobs: Pick<Jobs, 'enqueue'>; justWipedDays: number },
  { serverId, wipedAt, kind, by }: WipeToRecord,
): Promise<RecordedWipe | undefined> {
  const server = await lockServer(tx, serverId)
  if (!server) return undefined
  const near = await findWipesAround(tx, serverId, wipedAt, FOUND_WITHIN_HOURS)
  const same = near.find((known) => (by ? isSaidAgain(known, { wipedAt, kind }) : true))
  if (same) return { wipe: same, isNew: false }

  const found = by && near.find(({ source }) => source === 'detected')
  const wipe: WipeRow = {
    id: found?.id ?? uuidv7(),
    wipedAt,
    kind,
    note: by?.note ?? '',
    source: by ? 'owner' : 'detected',
  }
  const row = { ...wipe, createdBy: by?.userId ?? null }
  if (found) await confirmWipe(tx, row)
  else await insertWipe(tx, serverId, row)
  await showLastWipe(tx, serverId, found?.wipedAt ?? null)
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
