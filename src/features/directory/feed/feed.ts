// Keeps the snapshot synchronized with the database: reads everything once, then changes, each second and after each
// notification.
import type { Clock } from '../../../deps.ts'
import type { Sql } from '../../../platform/db/pool.ts'
import type { Log } from '../../../platform/observability/log.ts'
import {
  beginRead,
  endRead,
  listenForChanges,
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
import { createSnapshot } from '../engine/snapshot.ts'
import { refreshFailures, refreshSeconds, rowsRead } from '../metrics.ts'
import { connectFeed, type FeedConnection } from './feed-connection.ts'
import type { CaughtUp, FeedStandby } from './standby.ts'

/** In milliseconds. */
export const FEED_TIMING = {
  /** Between two reads without notifications. */
  pollMs: 1_000,
  /** Minimum time between the starts of two reads, however many notifications arrive. */
  coalesceMs: 150,
  /**
   * After this time without an answer the connection is dropped, and another one is tried within a second: a frozen
   * database is followed within 5 s of resuming.
   */
  answerMs: 2_500,
}
export type FeedTiming = typeof FEED_TIMING

interface FeedOptions {
  /** Of the primary. */
  url: string
  /** Read instead of the primary while it can be. */
  standby?: FeedStandby | undefined
  log: Log
  clock: Clock
  timing: FeedTiming
  /** Whether a server is listed only after its owner has verified it. */
  requireVerified: boolean
  /** Called after each successful read. */
  afterRead(): void
}

export type Feed = ReturnType<typeof createFeed>

export function createFeed(options: FeedOptions) {
  const { log, clock, timing, requireVerified, standby } = options
  /** New servers whose other rows are not read yet; a read that fails in between leaves them here. */
  const arrived = new Set<string>()
  let current = createSnapshot(clock())
  let connection: FeedConnection | undefined
  let position: Position | undefined
  let isOnStandby = false
  let inStepAt = Number.NEGATIVE_INFINITY
  /** The same by performance.now, which no correction of the clock sets back. */
  let inStepMs = Number.NEGATIVE_INFINITY
  let failing = false
  let stopped = false
  let lastStart = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let reading: Promise<void> | undefined
  let queued: Promise<void> | undefined
  const firstLoad = Promise.withResolvers<void>()

  async function read(): Promise<void> {
    lastStart = performance.now()
    dueAt = Number.POSITIVE_INFINITY // this read covers all notifications so far
    clearTimeout(timer)
    const startedAt = clock()
    try {
      connection ??= await open()
      const fromStandby = await readFromStandby(connection)
      isOnStandby = fromStandby !== undefined
      const { kind, at } = fromStandby ?? { kind: await readThrough(connection.db), at: startedAt }
      if (at !== inStepAt) inStepMs = lastStart - (startedAt - at)
      inStepAt = at
      refreshSeconds.observe({ kind }, (performance.now() - lastStart) / 1000)
      if (failing) log.info('directory is synchronized with the database again')
      failing = false
      firstLoad.resolve()
      options.afterRead()
    } catch (err) {
      connection?.discard() // a partial or late result on it is useless
      connection = undefined
      if (stopped) throw err
      refreshFailures.inc()
      if (!failing) log.warn({ err }, 'directory can’t be read from the database; retrying each second')
      failing = true
      throw err
    } finally {
      reading = undefined
      schedule(lastStart + timing.pollMs)
    }
    if (inStepAt < startedAt) throw new Error('the standby is late')
  }

  /** @returns undefined if the primary has to be read instead */
  async function readFromStandby({ db: primary }: FeedConnection) {
    const caughtUp = await standby?.catchUp(primary, position)
    if (!caughtUp) return undefined
    try {
      return { kind: await readThrough(caughtUp.db, caughtUp), at: caughtUp.inStepAt ?? inStepAt }
    } catch (error) {
      standby?.leave(error)
      return undefined
    }
  }

  async function open(): Promise<FeedConnection> {
    const opened = await connectFeed(options.url, timing.answerMs, readSoon)
    try {
      if (stopped) throw new Error('the directory feed was stopped')
      await listenForChanges(opened.db)
    } catch (error) {
      opened.discard()
      throw error
    }
    return opened
  }

  /**
   * One transaction, so that all four tables are read from the same snapshot.
   * @param ofStandby if `db` is the standby: what its own position lacks
   */
  async function readThrough(db: Sql, ofStandby?: CaughtUp): Promise<'load' | 'changes'> {
    await beginRead(db)
    const now = await readPosition(db)
    if (ofStandby)
      Object.assign(now, { life: ofStandby.life, snapshot: ofStandby.snapshot } satisfies Partial<Position>)
    const follows = position?.incarnation === now.incarnation && position.life === now.life && position.xmax <= now.xmax
    const since = follows ? position : undefined
    // If the changes can't be followed, everything is loaded again next to the old snapshot, which serves until then.
    const snapshot = since ? current : createSnapshot(clock())
    if (!since) arrived.clear()
    else since.lsn = now.lsn // rows are shown even if this read fails after them
    let rows = await readServers(db, since, requireVerified, (batch) => {
      for (const row of batch) if (snapshot.applyServer(row)) arrived.add(row.id)
    })
    if (!since) snapshot.removed.load(await readRemoved(db, requireVerified, MAX_REMOVED))
    const scope: Scope = since ? { since, servers: [...arrived] } : 'all'
    rows += await readStatuses(db, scope, (batch) => batch.forEach(snapshot.applyStatus))
    rows += await readCounters(db, scope, (batch) => batch.forEach(snapshot.applyCounters))
    rows += await readUptimes(db, scope, (batch) => batch.forEach(snapshot.applyUptime))
    await endRead(db)
    position = now
    arrived.clear()
    rowsRead.inc(rows)
    if (since) return 'changes'
    current = snapshot
    // The garbage of a load is as large as the directory itself. A last resort gives the pages that it was on back to
    // the system, which V8 keeps otherwise. Only if the process was started with --expose-gc.
    globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    log.info({ servers: snapshot.taken.size }, 'directory loaded')
    return 'load'
  }

  /**
   * Resolves once everything committed before the call is in the snapshot. Concurrent calls share a read.
   * @throws the database client's error if it can't be read, or Error if the standby is late
   */
  function refresh(): Promise<void> {
    if (stopped) return Promise.reject(new Error('the directory feed is stopped'))
    if (!reading) {
      reading = read()
      return reading
    }
    // The running read may have started before the caller's commit; the next one has not.
    queued ??= reading
      .catch(() => undefined)
      .then(() => {
        queued = undefined
        return refresh()
      })
    return queued
  }

  /** Schedules a read at this time (of performance.now) at the latest. */
  function schedule(at: number): void {
    if (stopped || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    timer = setTimeout(() => refresh().catch(() => undefined), Math.max(0, at - performance.now())) // a failure is logged where it happens
  }

  const readSoon = () => schedule(lastStart + timing.coalesceMs)

  return {
    /** Resolves after the first full load; retries each second until then, or until `stop`. */
    start(): Promise<void> {
      schedule(performance.now())
      // A long load is outdated when it ends; the changes since are read soon.
      return firstLoad.promise.then(() => refresh()).catch(() => undefined)
    },
    /** Ends the connection and cancels a running read. */
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      connection?.discard()
      standby?.stop()
      await reading?.catch(() => undefined)
      firstLoad.resolve()
    },
    /** The snapshot; each full load makes another one. */
    current: () => current,
    /** What the snapshot shows at least; undefined before the first load. */
    position: () => position,
    /** Whether the last read was of the standby. */
    isOnStandby: () => isOnStandby,
    /** Seconds since the snapshot was last known to show everything; Infinity before it was loaded. */
    // By both clocks: one is set back by corrections, the other stands still while the machine is suspended.
    ageSeconds: () => Math.max(clock() - inStepAt, performance.now() - inStepMs) / 1000,
    refresh,
  }
}
