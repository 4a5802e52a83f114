// Batches votes that arrive while others are being recorded, so that they share a statement and its commit.
import { isOutage } from '../../platform/db/outage.ts'
import type { VoteInput, VoteOutcome } from './votes.sql.ts'

/** One runs while the other's commit is being written to disk. */
const CONCURRENT_STATEMENTS = 2
/** Votes in one statement, which still takes milliseconds. */
const MAX_BATCH = 100

interface Pending {
  input: VoteInput
  resolve(outcome: VoteOutcome | undefined): void
  reject(error: unknown): void
}

/**
 * @param recordAll records votes of which no two have the same visitor and server
 * @returns a function that records a vote at once if a statement is free, else with the next batch; undefined for a server that
 * is not listed
 */
export function createVoteBatcher(recordAll: (inputs: VoteInput[]) => Promise<VoteOutcome[]>) {
  let pending: Pending[] = []
  let running = 0

  function next(): void {
    while (pending.length && running < CONCURRENT_STATEMENTS) {
      running++
      void run(takeBatch()).finally(() => {
        running--
        next()
      })
    }
  }

  /** Takes the first votes that may share a statement; a visitor's second vote for a server waits for the first. */
  function takeBatch(): Pending[] {
    const taken = new Map<string, Pending>()
    const left: Pending[] = []
    for (const one of pending) {
      const key = `${one.input.serverId} ${one.input.visitorId}`
      if (taken.size === MAX_BATCH || taken.has(key)) left.push(one)
      else taken.set(key, one)
    }
    pending = left
    return [...taken.values()]
  }

  async function run(batch: Pending[]): Promise<void> {
    try {
      const outcomes = new Map(
        (await recordAll(batch.map(({ input }) => input))).map((outcome) => [outcome.id, outcome]),
      )
      for (const { input, resolve } of batch) resolve(outcomes.get(input.id))
    } catch (error) {
      // An outage fails the whole batch; any other error may be the fault of one vote, so each is tried alone.
      if (batch.length === 1 || isOutage(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await run([one])
    }
  }

  return (input: VoteInput): Promise<VoteOutcome | undefined> =>
    new Promise((resolve, reject) => {
      pending.push({ input, resolve, reject })
      next()
    })
}
