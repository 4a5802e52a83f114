// Checks at once whether one claimed server shows a token of its claims.
import type { Deps } from '../../src/deps.ts'
import { createClaimChecks } from '../../src/features/claims/index.ts'
import { publicLists } from '../polling/public-lists.ts'
import { createQueryPool } from '../polling/query-pool.ts'
import { resolverFor } from '../polling/target-address.ts'
import { createProofQuery } from './proof-query.ts'

/** Users wait for these checks, so they do not queue behind thousands of polls; few run at a time. */
const CHECKS_AT_ONCE = 20
/** One silent server, which takes 3.5 s: further ones would occupy the worker's jobs, and users wait for 12 s. */
const MAX_WAIT_MS = 5_000

export interface ClaimChecker {
  /** Idempotent: a repeated check writes its result again, and a claim is proven once. */
  handle(check: { serverId: string }): Promise<void>
  close(): void
}

export function createClaimChecker(deps: Deps, lists = publicLists): ClaimChecker {
  const queries = createQueryPool({
    concurrency: CHECKS_AT_ONCE,
    perAddress: 1,
    spacingMs: 200,
    maxWaitMs: MAX_WAIT_MS,
  })
  const prove = createProofQuery({
    pool: queries,
    resolve: resolverFor(deps.settings),
    lists,
    now: deps.clock,
  })
  const checks = createClaimChecks(deps)

  return {
    handle: ({ serverId }) => checks.checkNow(serverId, prove),
    close: () => queries.close(),
  }
}
