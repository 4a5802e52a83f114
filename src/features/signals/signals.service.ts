// The daily search for suspicious votes.
import type { Deps } from '../../deps.ts'
import type { Db } from '../../platform/db/pool.ts'
import { DAY_MS } from '../../platform/durations.ts'
import { fileFindings, type NewFinding } from '../reports/index.ts'
import { countDays, countNetworks, countVotes } from './signals.sql.ts'
import { FEW_NETWORKS, judgeDays, judgeNetworks, judgeShares, MIN_VOTES } from './signals.ts'

/** @returns the suspicious votes of the week before `until`; bursts of its last day */
export async function findSuspiciousVotes(db: Db, until: Date): Promise<NewFinding[]> {
  const daysBefore = (days: number) => new Date(until.getTime() - days * DAY_MS)
  const week = { from: daysBefore(7), until }
  const before = { from: daysBefore(35), until: week.from }
  return [
    ...judgeNetworks(week, await countNetworks(db, week, { minVotes: MIN_VOTES, ...FEW_NETWORKS })),
    ...judgeShares(week, await countVotes(db, week), await countVotes(db, before)),
    ...judgeDays({ from: daysBefore(1), until }, await countDays(db, { from: daysBefore(29), until })),
  ]
}

export async function runVoteSignals({ pool, log, clock }: Pick<Deps, 'pool' | 'log' | 'clock'>): Promise<void> {
  const findings = await findSuspiciousVotes(pool, new Date(clock()))
  log.info({ findings: findings.length, filed: await fileFindings(pool, findings) }, 'suspicious votes reported')
}
