// Lists the demo's simulated game servers as an operator would list real ones, and pretends what happened before.
import { pino } from 'pino'
import { COMMUNITIES } from '../../../dev/demo/communities.ts'
import { runHistoryRollUp } from '../../../src/features/history/index.ts'
import { createServers, type NewServerInput, notifyDirectory } from '../../../src/features/servers/index.ts'
import type { Settings } from '../../../src/platform/config/settings.ts'
import { createPool } from '../../../src/platform/db/pool.ts'
import { openJobs } from '../../../src/platform/queue/jobs.ts'
import { addAccounts, pretendReports } from './accounts.ts'
import { pretendFaces } from './faces.ts'
import { pretendHistory } from './history.ts'
import { type DemoServer, describeListings, pretendCountries } from './listings.ts'
import { offerAuctions, pretendPlacement } from './sales.ts'
import { pretendVotes } from './votes.ts'
import { pretendWipes } from './wipes.ts'

/**
 * Adds those that are not listed yet, so that the demo can be started repeatedly.
 * @param listings from the simulator's message, as server creation requests in the order of `COMMUNITIES`
 * @returns how many of them are listed
 */
export async function listDemoServers(url: string, listings: unknown, settings: Settings): Promise<number> {
  if (!Array.isArray(listings)) throw new Error('the simulator sent no list of its servers')
  const log = pino({ level: 'silent' })
  const pool = createPool({ url, max: 2, applicationName: 'demo', log })
  const jobs = await openJobs({ url, log, applicationName: 'demo', max: 1 })
  try {
    const results = await createServers({ pool, settings }).addMany(listings as NewServerInput[])
    for (const result of results) if ('error' in result && result.error.code !== 'already_listed') throw result.error
    await pretendCountries(pool, listings)
    const accounts = await addAccounts(pool)
    const added = results.flatMap((result, n): DemoServer[] => {
      const community = COMMUNITIES[n]
      return 'id' in result && community ? [{ ...community, id: result.id, owner: accounts.ownerOf(n) }] : []
    })
    if (added.length) {
      await describeListings(pool, added)
      await pretendHistory(pool, added)
      await runHistoryRollUp({ pool, log })
      await pretendVotes({ pool, log }, added)
      await pretendWipes(pool, added)
      await pretendReports(pool, added, accounts)
      await pretendPlacement({ pool, log }, added)
      await pretendFaces({ pool, jobs }, added)
    }
    await offerAuctions({ pool, jobs })
    await notifyDirectory(pool)
    return results.length
  } finally {
    await jobs.stop()
    await pool.end()
  }
}
