// Keeps the snapshot in step with the database: reads everything once, then what changed, each second and whenever it is told to.
import type { Clock } from '../../deps.ts'
import type { Log } from '../../platform/observability/log.ts'
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
} from './directory.sql.ts'
import { connectFeed, type FeedConnection } from './feed-connection.ts'
import { refreshFailures, refreshSeconds, rowsRead } from './metrics.ts'
import { MOST_REMOVED } from './removed.ts'
import { createSnapshot, type Snapshot } from './snapshot.ts'

export interface Feed {
  /** Resolves after the first full load; tries each second until then, or until `stop`. */
  start(): Promise<void>
  /** Ends the connection; a read under way is given up. */
  stop(): Promise<void>
  /** What the snapshot shows at least; undefined before the first load. */
  position(): Position | undefined
  /** Seconds since the start of the last read that succeeded; Infinity before the first. */
  ageSeconds(): number
  /**
   * Resolves once everything committed before the call is in the snapshot. Calls at the same time share a read.
   * @throws what the database's client throws when it can't be read
   */
  refresh(): Promise<void>
}

/** Times in milliseconds. */
export interface FeedTiming {
  /** Between two reads when nobody tells of a change. */
  pollMs: number
  /** Between the starts of two reads at least, however many changes are told of. */
  coalesceMs: number
  /** A database that takes longer to answer one statement is given up on, and another connection is tried. */
  answerMs: number
}
// A frozen database is given up on within 2.5 s and tried again within one more, so that it is followed within 5 s of thawing.
export const FEED_TIMING: FeedTiming = { pollMs: 1_000, coalesceMs: 150, answerMs: 2_500 }

interface FeedOptions {
  url: string
  log: Log
  clock: Clock
  timing: FeedTiming
  /** Whether a server is listed only once its owner proved it. */
  requireVerified: boolean
  current(): Snapshot
  /** Takes the place of the current snapshot; called after each full load. */
  publish(snapshot: Snapshot): void
  /** Called after each read that succeeded. */
  afterRead(): void
}

export function createFeed(options: FeedOptions): Feed {
  const { log, clock, timing, requireVerified } = options
  /** Servers new to the snapshot, whose other rows are still to be read; a read that fails between the two leaves them here. */
  const arrived = new Set<string>()
  let connection: FeedConnection | undefined
  let position: Position | undefined
  let inStepAt = Number.NEGATIVE_INFINITY
  let failing = false
  let stopped = false
  let lastStart = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let reading: Promise<void> | undefined
  let queued: Promise<void> | undefined
  let loaded: () => void = () => undefined
  const firstLoad = new Promise<void>((resolve) => {
    loaded = resolve
  })

  async function read(): Promise<void> {
    lastStart = performance.now()
    dueAt = Number.POSITIVE_INFINITY // this read covers all that was told so far
    clearTimeout(timer)
    const startedAt = clock()
    try {
      connection ??= await open()
      const kind = await readThrough(connection)
      inStepAt = startedAt
      refreshSeconds.observe({ kind }, (performance.now() - lastStart) / 1000)
      if (failing) log.info('directory is in step with the database again')
      failing = false
      loaded()
      options.afterRead()
    } catch (err) {
      connection?.discard() // half-read or unanswered: whatever comes through it later is of no use
      connection = undefined
      if (stopped) throw err
      refreshFailures.inc()
      if (!failing) log.warn({ err }, 'directory can’t be read from the database; trying again each second')
      failing = true
      throw err
    } finally {
      reading = undefined
      schedule(lastStart + timing.pollMs)
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

  /** One transaction, so the four tables are seen at the same moment. */
  async function readThrough({ db }: FeedConnection): Promise<'load' | 'changes'> {
    await beginRead(db)
    const now = await readPosition(db)
    const follows = position?.incarnation === now.incarnation && position.life === now.life && position.xmax <= now.xmax
    // What can't be followed is loaded anew, beside the old snapshot, which serves until then.
    const snapshot = follows ? options.current() : createSnapshot(clock())
    if (!follows) arrived.clear()
    let rows = await readServers(
      db,
      follows && position ? { since: position, servers: [] } : 'all',
      requireVerified,
      (batch) => {
        for (const row of batch) if (snapshot.applyServer(row)) arrived.add(row[0])
      },
    )
    if (!follows) snapshot.removed.load(await readRemoved(db, requireVerified, MOST_REMOVED))
    const scope: Scope = follows && position ? { since: position, servers: [...arrived] } : 'all'
    rows += await readStatuses(db, scope, (batch) => batch.forEach(snapshot.applyStatus))
    rows += await readCounters(db, scope, (batch) => batch.forEach(snapshot.applyCounters))
    rows += await readUptimes(db, scope, (batch) => batch.forEach(snapshot.applyUptime))
    await endRead(db)
    position = now
    arrived.clear()
    rowsRead.inc(rows)
    if (follows) return 'changes'
    options.publish(snapshot)
    // What loading left behind is as large as the directory itself. Only where the process was started with --expose-gc.
    globalThis.gc?.()
    log.info({ servers: snapshot.taken.size }, 'directory loaded')
    return 'load'
  }

  function refresh(): Promise<void> {
    if (stopped) return Promise.reject(new Error('the directory feed is stopped'))
    if (!reading) {
      reading = read()
      return reading
    }
    // The read under way may have begun before the caller's commit; the next one has not.
    queued ??= reading
      .catch(() => undefined)
      .then(() => {
        queued = undefined
        return refresh()
      })
    return queued
  }

  /** Has a read start at this time (of performance.now) at the latest. */
  function schedule(at: number): void {
    if (stopped || at >= dueAt) return
    dueAt = at
    clearTimeout(timer)
    timer = setTimeout(() => refresh().catch(() => undefined), Math.max(0, at - performance.now())) // a failure is logged where it happens
  }

  const readSoon = () => schedule(lastStart + timing.coalesceMs)

  return {
    start() {
      schedule(performance.now())
      // A long load is old when it ends; what changed meanwhile is soon read.
      return firstLoad.then(() => refresh()).catch(() => undefined)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      connection?.discard()
      await reading?.catch(() => undefined)
      loaded()
    },
    position: () => position,
    ageSeconds: () => (clock() - inStepAt) / 1000,
    refresh,
  }
}
