// The standby that the feed reads (DATABASE_READ_URL): how far it has replayed the primary's log, and when it is read
// (docs/decisions/0044).
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../../deps.ts'
import type { Sql } from '../../../platform/db/pool.ts'
import type { Log } from '../../../platform/observability/log.ts'
import { type Position, readPrimary, readStandby, type StandbyState } from '../directory.sql.ts'
import { connectFeed, type FeedConnection } from './feed-connection.ts'

/** How long a read waits for the standby to replay what was committed; then it shows what the standby has replayed. */
const REPLAY_MS = 1_000
/** Time between two attempts to connect to the standby; the feed reads the primary until one succeeds. */
const RETRY_MS = 5_000

/** What a read of the standby begins from. */
export interface StandbyRead {
  db: Sql
  /** The primary's epoch: a standby reports its own. */
  databaseEpoch: string
  snapshot: string
  /**
   * The time (epoch ms) of the newest mark that the standby has replayed since the last read;
   * undefined: no further mark.
   */
  asOf: number | undefined
}

interface StandbyOptions {
  url: string
  log: Log
  clock: Clock
  /** Time limit for connecting, and for each statement. */
  answerMs: number
}

/** A position in the primary's log, and the time (epoch ms) when the primary was at it. */
interface Mark {
  lsn: number
  at: number
}

/** More marks than reads, one each second, within the largest DIRECTORY_MAX_STALENESS_SECONDS. */
const MAX_MARKS = 5_000
const FIRST_PAUSE_MS = 2
const MAX_PAUSE_MS = 50

export type FeedStandby = ReturnType<typeof createFeedStandby>

export function createFeedStandby({ url, log, clock, answerMs }: StandbyOptions) {
  let connection: FeedConnection | undefined
  let connecting: Promise<void> | undefined
  let nextAttemptAt = Number.NEGATIVE_INFINITY
  /** The marks that the standby has not replayed, oldest first. */
  let marks: Mark[] = []
  let failing = false
  let stopped = false

  /** Ends the connection to the standby after a failure. */
  function leave(reason: unknown): void {
    connection?.discard()
    connection = undefined
    marks = []
    nextAttemptAt = performance.now() + RETRY_MS
    if (!failing && !stopped) log.warn({ err: reason }, 'the standby can’t be read; reading the primary')
    failing = true
  }

  /** Connects in the background: only the first load waits for a standby that does not answer. */
  function connect(): Promise<void> {
    connecting ??= connectFeed(url, answerMs, () => undefined)
      .then((opened) => {
        if (stopped) opened.discard()
        else connection = opened
      }, leave)
      .finally(() => {
        connecting = undefined
      })
    return connecting
  }

  /** Reads the standby's state until it has replayed to `lsn`, or the time is over. */
  async function replayed(db: Sql, lsn: number, since: string | undefined): Promise<StandbyState> {
    const deadline = performance.now() + REPLAY_MS
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
      const state = await readStandby(db, since)
      if (reaches(state, lsn) || performance.now() + pauseMs > deadline) return state
      await sleep(pauseMs)
    }
  }

  return {
    /**
     * Waits until the standby has replayed what the primary has on disk, for a second at most.
     * @param primary the primary's connection
     * @param shown what the standby must show at least
     * @returns undefined if the primary has to be read instead
     * @throws the database client's error if the primary can't be read
     */
    async catchUp(primary: Sql, shown: Position | undefined): Promise<StandbyRead | undefined> {
      const at = clock()
      const { databaseEpoch, logTimeline, lsn } = await readPrimary(primary)
      if (!connection && performance.now() >= nextAttemptAt) {
        const attempt = connect()
        if (!shown) await attempt // the first load reads everything, so it should read the standby
      }
      if (!connection) return undefined
      const { db } = connection
      try {
        const state = await replayed(db, lsn, shown?.databaseEpoch === databaseEpoch ? shown.snapshot : undefined)
        if (!state.isStandby || state.logTimeline !== logTimeline)
          throw new Error('it is no standby of the primary’s timeline')
        if (shown?.databaseEpoch === databaseEpoch && !reaches(state, shown.lsn)) return undefined
        if (failing) log.info('reading the standby again')
        failing = false
        marks.push({ lsn, at })
        const next = marks.findIndex((mark) => !reaches(state, mark.lsn))
        const reached = marks.splice(0, next === -1 ? marks.length : next)
        if (marks.length > MAX_MARKS) marks.shift()
        return { db, databaseEpoch, snapshot: state.snapshot, asOf: reached.at(-1)?.at }
      } catch (error) {
        leave(error)
        return undefined
      }
    },
    leave,
    stop(): void {
      stopped = true
      connection?.discard()
    },
  }
}

const reaches = ({ lsn }: StandbyState, mark: number): boolean => lsn !== null && lsn >= mark
