// Batches votes that arrive while others are being recorded, so that they share a statement and its commit.
import { createBatcher } from '../../platform/db/batcher.ts'
import type { VoteInput, VoteOutcome } from './votes.sql.ts'

/** One runs while the other's commit is being written to disk. */
const CONCURRENT_STATEMENTS = 2
/** Votes in one statement, which still takes milliseconds. */
const MAX_BATCH = 100

/**
 * @param recordAll records votes of which no two have the same visitor and server
 * @returns a function that records a vote at once if a statement is free, else with the next batch; undefined for a
 * server that is not listed
 */
export const createVoteBatcher = (recordAll: (inputs: VoteInput[]) => Promise<VoteOutcome[]>) =>
  createBatcher<VoteInput, VoteOutcome | undefined>(
    async (inputs) => {
      const outcomes = new Map((await recordAll(inputs)).map((outcome) => [outcome.id, outcome]))
      return inputs.map(({ id }) => outcomes.get(id))
    },
    {
      maxBatch: MAX_BATCH,
      concurrency: CONCURRENT_STATEMENTS,
      keyOf: ({ serverId, visitorId }) => `${serverId} ${visitorId}`,
    },
  )
