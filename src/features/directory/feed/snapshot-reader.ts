// Reads rows into the snapshot: everything once, then what is new; everything again if the changes can't be followed.
import type { Clock } from '../../../deps.ts'
import type { Sql } from '../../../platform/db/pool.ts'
import type { Log } from '../../../platform/observability/log.ts'
import {
  beginReadTransaction,
  endReadTransaction,
  type Position,
  readCounters,
  readPosition,
  readRemoved,
  readServers,
  readStatuses,
  readUptimes,
  type Scope,
} from '../directory.sql.ts'
import { MAX_REMOVED } from '../engine/removed.ts'
import { createSnapshot, type Snapshot } from '../engine/snapshot.ts'
import { rowsRead } from '../metrics.ts'
import type { StandbyRead } from './standby.ts'

/** A load of fewer rows leaves too little garbage to spend 75 ms on a collection at each start. */
const MIN_ROWS_TO_COLLECT = 10_000

interface ReaderOptions {
  log: Log
  clock: Clock
  /** Whether a server is listed only after its owner has verified it. */
  requireVerified: boolean
  /** The base URL of the addresses of icons. */
  baseUrl: string
}

export function createSnapshotReader({ log, clock, requireVerified, baseUrl }: ReaderOptions) {
  /** New servers whose other rows are not read yet; a read that fails in between leaves them here. */
  const arrived = new Set<string>()
  let current = createSnapshot(clock(), baseUrl)
  let position: Position | undefined

  /** Whether the changes from the last read to this position can be read. */
  const canFollow = ({ timelineAndFile, databaseEpoch, xmax }: Position): boolean =>
    position !== undefined &&
    position.timelineAndFile === timelineAndFile &&
    position.databaseEpoch === databaseEpoch &&
    position.xmax <= xmax

  /** @returns how many rows were read */
  async function readRows(db: Sql, snapshot: Snapshot, since: Position | undefined): Promise<number> {
    let rows = await readServers(db, since, requireVerified, (row) => {
      if (snapshot.applyServer(row)) arrived.add(row.id)
    })
    if (!since) snapshot.removed.load(await readRemoved(db, requireVerified, MAX_REMOVED))
    const scope: Scope = since ? { since, servers: [...arrived] } : 'all'
    rows += await readStatuses(db, scope, snapshot.applyStatus)
    rows += await readCounters(db, scope, snapshot.applyCounters)
    rows += await readUptimes(db, scope, snapshot.applyUptime)
    return rows
  }

  return {
    /** The current snapshot; each full load replaces it. */
    current: () => current,
    /** What the snapshot shows at least; undefined before the first load. */
    position: () => position,
    /**
     * Reads in one transaction, so that all four tables show the same database snapshot.
     * @param ofStandby if `db` is the standby: the epoch and the snapshot, which the standby itself can't report
     */
    async read(db: Sql, ofStandby?: StandbyRead): Promise<'load' | 'changes'> {
      await beginReadTransaction(db)
      const now = await readPosition(db)
      if (ofStandby)
        Object.assign(now, {
          databaseEpoch: ofStandby.databaseEpoch,
          snapshot: ofStandby.snapshot,
        } satisfies Partial<Position>)
      const since = canFollow(now) ? position : undefined
      // If the changes can't be followed, everything is loaded again next to the old snapshot, which serves until then.
      const snapshot = since ? current : createSnapshot(clock(), baseUrl)
      if (!since) arrived.clear()
      else since.lsn = now.lsn // rows are shown even if this read fails after them
      snapshot.beginRead()
      const rows = await readRows(db, snapshot, since).finally(snapshot.endRead)
      await endReadTransaction(db)
      position = now
      arrived.clear()
      rowsRead.inc(rows)
      if (since) return 'changes'
      current = snapshot
      if (rows >= MIN_ROWS_TO_COLLECT) collectGarbage()
      log.info({ servers: snapshot.taken.size }, 'directory loaded')
      return 'load'
    },
  }
}

/**
 * The garbage of a load is as large as the directory itself. A `last-resort` collection returns its memory to the
 * operating system; otherwise V8 keeps it. Works only if the process was started with --expose-gc.
 */
const collectGarbage = () => globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
