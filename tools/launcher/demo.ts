// Lists the demo's simulated game servers as an operator would list real ones.
import { pino } from 'pino'
import { createServers, type NewServerInput } from '../../src/features/servers/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import { createPool } from '../../src/platform/db/pool.ts'

/**
 * Adds those that are not listed yet, so that the demo can be started repeatedly.
 * @param listings from the simulator's message, as server creation requests
 * @returns how many of them are listed
 */
export async function listDemoServers(url: string, listings: unknown, settings: Settings): Promise<number> {
  if (!Array.isArray(listings)) throw new Error('the simulator sent no list of its servers')
  const pool = createPool({ url, max: 2, applicationName: 'demo', log: pino({ level: 'silent' }) })
  try {
    const results = await createServers({ pool, settings }).addMany(listings as NewServerInput[])
    for (const result of results) if ('error' in result && result.error.code !== 'already_listed') throw result.error
    return results.length
  } finally {
    await pool.end()
  }
}
