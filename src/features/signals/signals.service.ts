// The daily search for suspicious votes.
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { limitStatements } from '../../platform/db/statement-timeout.ts'
import { DAY_MS } from '../../platform/durations.ts'
import { fileFindings, type NewFinding } from '../reports/index.ts'
import { countDays, countNetworks, countVotes } from './signals.sql.ts'
import { FEW_NETWORKS, judgeDays, judgeNetworks, judgeShares, MIN_VOTES } from './signals.ts'

const daysBefore = (until: Date, days: number) => new Date(until.getTime() - days * DAY_MS)
const weekBefore = (until: Date) => ({ from: daysBefore(until, 7), until })

/** Each finds suspicious votes of the week before `until`; bursts of its last day. */
const SEARCHES: readonly ((db: Db, until: Date) => Promise<NewFinding[]>)[] = [
  async (db, until) => {
    const week = weekBefore(until)
    return judgeNetworks(week, await countNetworks(db, week, { minVotes: MIN_VOTES, ...FEW_NETWORKS }))
  },
  async (db, until) => {
    const days = await countDays(db, { from: daysBefore(until, 29), until })
    return judgeDays({ from: daysBefore(until, 1), until }, days)
  },
  async (db, until) => {
    const week = weekBefore(until)
    const before = { from: daysBefore(until, 35), until: week.from }
    return judgeShares(week, await countVotes(db, week), await countVotes(db, before))
  },
]

/** Files what each search finds before the next one, so that it is filed although a later one fails. */
export async function runVoteSignals({ pool, log, clock }: Pick<Deps, 'pool' | 'log' | 'clock'>): Promise<void> {
  const until = new Date(clock())
  let found = 0
  let filed = 0
  for (const search of SEARCHES) {
    const findings = await inTransaction(pool, async (tx) => {
      await limitStatements(tx)
      return search(tx, until)
    })
    found += findings.length
    filed += await fileFindings(pool, findings)
  }
  log.info({ findings: found, filed }, 'suspicious votes reported')
}
