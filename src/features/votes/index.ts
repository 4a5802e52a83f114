// Votes: the endpoints, the votes of the last day for whoever ranks by them, and the jobs that keep months and cooldowns.
import type { Deps } from '../../deps.ts'
import type { Route } from '../../platform/http/route.ts'
import type { Directory } from '../directory/index.ts'
import { createCompany } from './company.ts'
import { networksRoute } from './networks.routes.ts'
import { createRewardsService } from './rewards.service.ts'
import { createShow } from './shown.ts'
import { rewardRoutes, votingRoutes } from './votes.routes.ts'
import { createVotesService } from './votes.service.ts'

export { runVotesMonth, runVotesUpkeep } from './upkeep.service.ts'
export { votesMonth, votesUpkeep } from './votes.jobs.ts'
export { castVotes, findRecentVotes } from './votes.sql.ts'

export interface Votes {
  routes: Route[]
}

export function createVotes(
  deps: Pick<Deps, 'pool' | 'jobs' | 'log' | 'clock' | 'settings'> & { directory: Pick<Directory, 'refresh'> },
): Votes {
  const { pool, jobs, log, clock, settings, directory } = deps
  const common = { pool, requireVerified: settings.LISTING_REQUIRES_VERIFICATION }
  const votes = createVotesService({
    ...common,
    votesPerAddress: settings.VOTES_PER_ADDRESS_PER_DAY,
    company: createCompany(jobs),
    show: createShow({ refresh: directory.refresh, log, clock }),
  })
  return {
    routes: [...votingRoutes(votes), ...rewardRoutes(createRewardsService(common)), networksRoute(pool)],
  }
}
