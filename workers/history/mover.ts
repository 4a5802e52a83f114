// Moves polls to player history every few seconds, in each worker; at a stop it ends with the transaction that runs.
import type { Deps } from '../../src/deps.ts'
import { type ExaminedBatches, runHistoryMove } from '../../src/features/history/index.ts'

export interface HistoryMover {
  tick(): Promise<void>
  /** Resolves when the running round is done. */
  stop(): Promise<void>
}

export function createHistoryMover({ pool, log }: Pick<Deps, 'pool' | 'log'>): HistoryMover {
  const stopping = new AbortController()
  const examined: ExaminedBatches = { shards: [], to: 0 }
  let round: Promise<void> | undefined
  return {
    async tick() {
      if (stopping.signal.aborted) return
      round = runHistoryMove({ pool, log }, stopping.signal, examined)
      await round
    },
    async stop() {
      stopping.abort()
      await round?.catch(() => undefined) // the tick has logged it
    },
  }
}
