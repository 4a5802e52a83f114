// Keeps the snapshot synchronized with the database: reads everything once, then changes, each second and after each
// notification.
import type { Clock } from '../../../deps.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { APPEARANCE, type AppearanceListener } from '../../appearance/index.ts'
import { listenForChanges } from '../directory.sql.ts'
import { refreshFailures, refreshSeconds } from '../metrics.ts'
import { connectFeed, type FeedConnection } from './feed-connection.ts'
import { createReadSchedule } from './read-schedule.ts'
import { createSnapshotReader } from './snapshot-reader.ts'
import type { FeedStandby } from './standby.ts'

/** The feed's times, in milliseconds. */
export const FEED_TIMING = {
  /** Time between two reads without notifications. */
  pollMs: 1_000,
  /** Minimum time between the starts of two reads, regardless of the number of notifications. */
  coalesceMs: 150,
  /**
   * How long the database may take to answer. Then the connection is dropped, and another one is tried within a second:
   * the feed follows a frozen database within 5 s after it resumes.
   */
  answerMs: 2_500,
}
export type FeedTiming = typeof FEED_TIMING

interface FeedOptions {
  /** The address of the primary. */
  url: string
  /** The feed reads the standby instead of the primary whenever it can. */
  standby?: FeedStandby | undefined
  log: Log
  clock: Clock
  timing: FeedTiming
  /** Whether a server is listed only after its owner has verified it. */
  requireVerified: boolean
  /** The base URL of the addresses of icons. */
  baseUrl: string
  /** Called after each successful read. */
  afterRead(): void
  /** Notified of changes of the site's appearance, which are announced on the feed's channel too. */
  appearance?: AppearanceListener | undefined
}

export type Feed = ReturnType<typeof createFeed>

export function createFeed(options: FeedOptions) {
  const { log, clock, timing, requireVerified, baseUrl, standby } = options
  const reader = createSnapshotReader({ log, clock, requireVerified, baseUrl })
  const schedule = createReadSchedule(read, timing)
  let connection: FeedConnection | undefined
  let isOnStandby = false
  /** When the snapshot was last known to show everything. */
  let syncedAt = Number.NEGATIVE_INFINITY
  /** The same time by performance.now, which no correction of the clock sets back. */
  let syncedMonotonicMs = Number.NEGATIVE_INFINITY
  let failing = false
  const firstLoad = Promise.withResolvers<void>()

  async function read(): Promise<void> {
    const startedMs = performance.now()
    const startedAt = clock()
    try {
      connection ??= await open()
      const fromStandby = await readFromStandby(connection)
      isOnStandby = fromStandby !== undefined
      const { kind, asOf } = fromStandby ?? { kind: await reader.read(connection.db), asOf: startedAt }
      // While the standby's replay does not advance, the snapshot's age grows.
      const hasAdvanced = !isOnStandby || asOf !== syncedAt
      if (hasAdvanced) syncedMonotonicMs = startedMs - (startedAt - asOf)
      syncedAt = asOf
      refreshSeconds.observe({ kind }, (performance.now() - startedMs) / 1000)
      if (failing) log.info('directory is synchronized with the database again')
      failing = false
      firstLoad.resolve()
      options.afterRead()
      options.appearance?.retry()
    } catch (err) {
      reportFailure(err)
      throw err
    }
    // The read succeeded, but `refresh` promises what was committed before its call.
    if (syncedAt < startedAt) throw new Error('the standby is late')
  }

  function reportFailure(err: unknown): void {
    connection?.discard() // a partial or late result on it is useless
    connection = undefined
    if (schedule.isStopped()) return
    refreshFailures.inc()
    if (!failing) log.warn({ err }, 'directory can’t be read from the database; retrying each second')
    failing = true
  }

  /** @returns undefined if the primary has to be read instead */
  async function readFromStandby({ db: primary }: FeedConnection) {
    const standbyRead = await standby?.catchUp(primary, reader.position())
    if (!standbyRead) return undefined
    try {
      return { kind: await reader.read(standbyRead.db, standbyRead), asOf: standbyRead.asOf ?? syncedAt }
    } catch (error) {
      standby?.leave(error)
      return undefined
    }
  }

  async function open(): Promise<FeedConnection> {
    const opened = await connectFeed(options.url, timing.answerMs, (announced) => {
      if (announced === APPEARANCE) options.appearance?.readSoon()
      else schedule.readSoon()
    })
    try {
      if (schedule.isStopped()) throw new Error('the directory feed was stopped')
      await listenForChanges(opened.db)
      options.appearance?.readSoon() // a change may have been announced before this connection listened
    } catch (error) {
      opened.discard()
      throw error
    }
    return opened
  }

  return {
    /** Resolves after the first full load; retries each second until then, or until `stop`. */
    start(): Promise<void> {
      schedule.start()
      // A long load is outdated when it ends; the changes since are read soon.
      return firstLoad.promise.then(() => schedule.refresh()).catch(() => undefined)
    },
    /** Ends the connection and cancels a running read. */
    async stop(): Promise<void> {
      const stopped = schedule.stop()
      connection?.discard()
      standby?.stop()
      await stopped
      firstLoad.resolve()
    },
    current: reader.current,
    position: reader.position,
    /** Whether the last read was of the standby. */
    isOnStandby: () => isOnStandby,
    /** Seconds since the snapshot was last known to show everything; Infinity before it was loaded. */
    // The larger age of both clocks: corrections set back the one, and the other stops while the machine is suspended.
    ageSeconds: () => Math.max(clock() - syncedAt, performance.now() - syncedMonotonicMs) / 1000,
    /**
     * Resolves once everything committed before the call is in the snapshot. Concurrent calls share a read.
     * @throws the database client's error if it can't be read, or Error if the standby is late
     */
    refresh: schedule.refresh,
  }
}
