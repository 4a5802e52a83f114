// Brings what was sent into the database: whatever collects while one transaction runs goes into the next.
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedAttempt, Settled, settle } from '../../src/features/webhooks/index.ts'
import type { Log } from '../../src/platform/observability/log.ts'

export interface Recorder {
  add(attempt: FinishedAttempt): void
  /** Lets go of the server's endpoint. Resolves once that and all its attempts are written. */
  end(serverId: string): Promise<void>
  /** Tries no more to write what the database does not take. What is unwritten is sent again by whoever comes next. */
  giveUp(): void
}

export interface RecorderOptions {
  log: Pick<Log, 'error'>
  write: (batch: { attempts: FinishedAttempt[]; ended: string[] }) => ReturnType<typeof settle>
  onWritten: (settled: Settled) => void
}

/** Attempts in one transaction: their rows stay locked for as long as it takes. */
const MOST_AT_ONCE = 500
/** The database is away: deliveries are not lost, their leases just run out. */
const TRY_AGAIN_MS = 500

export function createRecorder({ log, write, onWritten }: RecorderOptions): Recorder {
  const attempts: FinishedAttempt[] = []
  let ending = new Map<string, () => void>()
  let isWriting = false
  let isOver = false

  async function writeAll(): Promise<void> {
    while (attempts.length || ending.size) {
      const batch = attempts.splice(0, MOST_AT_ONCE)
      // None is let go of before all its attempts are in.
      const ended = attempts.length ? new Map<string, () => void>() : ending
      if (ended === ending) ending = new Map()
      await writePatiently({ attempts: batch, ended: [...ended.keys()] })
      for (const resolve of ended.values()) resolve()
    }
    isWriting = false
  }

  async function writePatiently(batch: { attempts: FinishedAttempt[]; ended: string[] }): Promise<void> {
    while (true) {
      const settled = await write(batch).catch((err: unknown) => {
        log.error({ err, attempts: batch.attempts.length }, 'webhook attempts not written yet')
      })
      if (settled) return onWritten(settled)
      if (isOver) return
      await sleep(TRY_AGAIN_MS)
    }
  }

  function writeSoon(): void {
    if (isWriting) return
    isWriting = true
    setImmediate(() => void writeAll()) // what ends in the same turn of the event loop goes along
  }

  return {
    add(attempt) {
      attempts.push(attempt)
      writeSoon()
    },
    end(serverId) {
      const { promise, resolve } = Promise.withResolvers<void>()
      ending.set(serverId, resolve)
      writeSoon()
      return promise
    },
    giveUp() {
      isOver = true
    },
  }
}
