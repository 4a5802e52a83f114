// Collects the votes that come while others are being cast, so that they share a statement and its commit.
import { isOutage } from '../../platform/db/outage.ts'
import type { Ballot, Cast } from './votes.sql.ts'

/** One can run while the other's commit is on its way to the disk. */
const STATEMENTS_AT_ONCE = 2
/** So many wait for each other at most; the statement still takes milliseconds. */
const MOST_BALLOTS = 100

export interface BallotBox {
  /**
   * Casts a vote at once when there is room, else together with those that came meanwhile.
   * @returns undefined for a server that is not listed
   */
  cast(ballot: Ballot): Promise<Cast | undefined>
}

interface Waiting {
  ballot: Ballot
  resolve(cast: Cast | undefined): void
  reject(error: unknown): void
}

/** @param castAll casts ballots of which no two are of the same visitor for the same server */
export function createBallotBox(castAll: (ballots: Ballot[]) => Promise<Cast[]>): BallotBox {
  let waiting: Waiting[] = []
  let running = 0

  function next(): void {
    while (waiting.length && running < STATEMENTS_AT_ONCE) {
      running++
      void run(take()).finally(() => {
        running--
        next()
      })
    }
  }

  /** The first that may go together; who votes twice at the same time waits for their first vote. */
  function take(): Waiting[] {
    const taken = new Map<string, Waiting>()
    const left: Waiting[] = []
    for (const one of waiting) {
      const key = `${one.ballot.serverId} ${one.ballot.visitorId}`
      if (taken.size === MOST_BALLOTS || taken.has(key)) left.push(one)
      else taken.set(key, one)
    }
    waiting = left
    return [...taken.values()]
  }

  async function run(batch: Waiting[]): Promise<void> {
    try {
      const casts = new Map((await castAll(batch.map(({ ballot }) => ballot))).map((cast) => [cast.id, cast]))
      for (const { ballot, resolve } of batch) resolve(casts.get(ballot.id))
    } catch (error) {
      // What is wrong with one must not be the others' trouble; a database that does not answer is everybody's.
      if (batch.length === 1 || isOutage(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await run([one])
    }
  }

  return {
    cast: (ballot) =>
      new Promise((resolve, reject) => {
        waiting.push({ ballot, resolve, reject })
        next()
      }),
  }
}
