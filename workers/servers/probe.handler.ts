// Queries an address once, for a user who is about to list it.
import type { ProbeResult, ServerProbe } from '../../src/features/servers/index.ts'
import { publicLists } from '../polling/public-lists.ts'
import { createAskServer, type Miss } from '../polling/query.ts'
import { createQueryPool } from '../polling/query-pool.ts'
import { resolverFor, type TargetSettings } from '../polling/target-address.ts'

/** Users wait for these, so they do not queue behind thousands of polls; few run at a time. */
const PROBES_AT_ONCE = 20

/** What the user can do something about; a list that can't be downloaded says nothing of the server. */
const REASONS: Record<Miss['reason'], Exclude<ProbeResult['outcome'], 'answered'>> = {
  silent: 'silent',
  unreadable: 'unreadable',
  unresolved: 'unresolved',
  refused: 'unresolved', // the API refuses private addresses, so it was a name
  'unknown game': 'unreadable',
  'no list': 'unavailable',
  skipped: 'unavailable',
}

export function createProber({ settings }: { settings: TargetSettings }, lists = publicLists) {
  const queries = createQueryPool({ concurrency: PROBES_AT_ONCE, perAddress: 1, spacingMs: 200 })
  const ask = createAskServer({
    pool: queries,
    resolve: resolverFor(settings),
    lists,
  })

  return {
    async handle(target: ServerProbe): Promise<ProbeResult> {
      const outcome = await ask({ ...target, isOnline: false })
      if (!outcome.answered) return { outcome: REASONS[outcome.reason] }
      const { profile, players, maxPlayers, map, version, queryMs } = outcome
      return { outcome: 'answered', name: profile.name, players, maxPlayers, map, version, queryMs }
    },
    close: () => queries.close(),
  }
}

export type Prober = ReturnType<typeof createProber>
