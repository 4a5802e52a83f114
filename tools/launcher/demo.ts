// Lists the demo's simulated game servers as an operator would list real ones.
import { pino } from 'pino'
import { createServers, type NewServerInput } from '../../src/features/servers/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'

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
    await pretendCountries(pool, listings)
    return results.length
  } finally {
    await pool.end()
  }
}

/** Polls leave them as they are, because loopback addresses are in no country. */
async function pretendCountries(
  pool: Pool,
  listings: { ipAddress: string; queryPort: number; country: string }[],
): Promise<void> {
  await pool.query(
    `update server_status as status set country = given.country
     from unnest($1::text[], $2::integer[], $3::text[]) as given (ip_address, query_port, country)
     join servers using (ip_address, query_port)
     where status.server_id = servers.id and servers.deleted_at is null and status.country <> given.country`,
    [
      listings.map(({ ipAddress }) => ipAddress),
      listings.map(({ queryPort }) => queryPort),
      listings.map(({ country }) => country),
    ],
  )
}
