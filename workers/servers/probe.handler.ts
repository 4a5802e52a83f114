// Queries an address once, for a user who is about to list it.
import type { ProbeOutput, ProbeResult, ServerProbe } from '../../src/features/servers/index.ts'
import type { Miss } from '../polling/outcome.ts'
import { publicLists } from '../polling/public-lists.ts'
import { createAskServer } from '../polling/query.ts'
import { createQueryPool } from '../polling/query-pool.ts'
import { resolverFor, type TargetSettings } from '../polling/target-address.ts'
import { recognize } from './recognition.ts'

/** Users wait for these, so they do not queue behind thousands of polls; few run at a time. */
const PROBES_AT_ONCE = 20
/** Most guesses about an address stay without an answer, and users wait for them. */
const GUESSES_PER_ADDRESS = 4
const GUESS_TRIES = { online: [], offline: [1_000, 1_500] }

/**
 * What the user can do something about; a list that can't be downloaded and an internal error say
 * nothing about the server.
 */
const REASONS: Record<Miss['reason'], Exclude<ProbeResult['outcome'], 'answered'>> = {
  silent: 'silent',
  unreadable: 'unreadable',
  unresolved: 'unresolved',
  refused: 'unresolved', // the API refuses private addresses, so it was a name
  'unknown game': 'unreadable',
  'no list': 'unavailable',
  fault: 'unavailable',
  skipped: 'unavailable',
}

export function createProber({ settings }: { settings: TargetSettings }, lists = publicLists) {
  const queries = createQueryPool({ concurrency: PROBES_AT_ONCE, perAddress: 1, spacingMs: 200 })
  const resolve = resolverFor(settings)
  const ask = createAskServer({ pool: queries, resolve, lists })
  const guesses = createQueryPool({ concurrency: PROBES_AT_ONCE, perAddress: GUESSES_PER_ADDRESS })
  const guess = createAskServer({ pool: guesses, resolve, lists, tries: GUESS_TRIES })

  return {
    async handle(target: ServerProbe): Promise<ProbeOutput> {
      const outcome = await (target.others ? recognize(guess, target) : ask({ ...target, isOnline: false }))
      if ('outcome' in outcome) return outcome
      if (!outcome.answered) return { outcome: REASONS[outcome.reason] }
      const { profile, players, maxPlayers, map, version, queryMs } = outcome
      return { outcome: 'answered', name: profile.name, players, maxPlayers, map, version, queryMs }
    },
    close() {
      queries.close()
      guesses.close()
    },
  }
}

export type Prober = ReturnType<typeof createProber>
