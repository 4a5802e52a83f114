// Lists the demo's simulated game servers as an operator would list real ones.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { seededRandom } from '../../dev/simulator/fleet.ts'
import { encodeSamples, runHistoryRollUp } from '../../src/features/history/index.ts'
import { createServers, type NewServerInput } from '../../src/features/servers/index.ts'
import { recordVotes } from '../../src/features/votes/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import { createPool, type Pool } from '../../src/platform/db/pool.ts'

const DAY_SECONDS = 86_400
const PRETENDED_DAYS = 7
const SAMPLE_SECONDS = 300
const VOTERS = ['Ada', 'Bo', 'Chidi', 'Dana', 'Emre', 'Freya', 'Gus', 'Hana', 'Ivo', 'Jun', 'Kofi', 'Lena']

/**
 * Adds those that are not listed yet, so that the demo can be started repeatedly.
 * @param listings from the simulator's message, as server creation requests
 * @returns how many of them are listed
 */
export async function listDemoServers(url: string, listings: unknown, settings: Settings): Promise<number> {
  if (!Array.isArray(listings)) throw new Error('the simulator sent no list of its servers')
  const log = pino({ level: 'silent' })
  const pool = createPool({ url, max: 2, applicationName: 'demo', log })
  try {
    const results = await createServers({ pool, settings }).addMany(listings as NewServerInput[])
    for (const result of results) if ('error' in result && result.error.code !== 'already_listed') throw result.error
    await pretendCountries(pool, listings)
    const added = results.flatMap((result, n) => ('id' in result ? [{ ...listings[n], id: result.id }] : []))
    if (added.length) {
      await pretendHistory(pool, added)
      await runHistoryRollUp({ pool, log })
      await pretendVotes(pool, added)
    }
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

/** A week of polls before the first, so that charts and lines show something at once. */
async function pretendHistory(
  pool: Pool,
  servers: { id: string; players: number; maxPlayers: number }[],
): Promise<void> {
  const random = seededRandom(11)
  const now = Math.floor(Date.now() / 1000)
  const samples = servers.map(({ players, maxPlayers }, index) => {
    let count = players
    return Array.from({ length: (PRETENDED_DAYS * DAY_SECONDS) / SAMPLE_SECONDS }, (_, n) => {
      const at = now - (n + 1) * SAMPLE_SECONDS
      // Backwards from now: towards what is usual at that hour. Most players come in the evening, wherever the server is.
      const evening = (1 + Math.cos((2 * Math.PI * (at - 3_600 * (20 - index))) / DAY_SECONDS)) / 2
      count += (maxPlayers * (0.1 + 0.6 * evening) - count) / 20 + ((random() - 0.5) * maxPlayers) / 10
      count = Math.min(maxPlayers, Math.max(0, count))
      const isDown = index % 10 === 9 && n % 200 < 8
      return { at, players: isDown ? null : Math.round(count), maxPlayers }
    })
  })
  await pool.query(
    `insert into player_history_recent as recent (server_id, samples)
     select server_id, samples from unnest($1::uuid[], $2::bytea[]) as pretended (server_id, samples) order by server_id
     on conflict (server_id) do update set samples = excluded.samples || recent.samples`,
    [servers.map(({ id }) => id), samples.map((ofServer) => encodeSamples(ofServer))],
  )
}

/** Votes of the same week, so that the list has an order. */
async function pretendVotes(pool: Pool, servers: { id: string }[]): Promise<void> {
  const random = seededRandom(12)
  const options = { withoutEffects: false, milestones: [], votesPerAddress: 0 }
  for (let hour = PRETENDED_DAYS * 24; hour > 0; hour--) {
    const inputs = servers.flatMap(({ id: serverId }, index) => {
      if (random() > 0.4 / (1 + ((index * 7) % 12))) return []
      const username = VOTERS[Math.floor(random() ** 2 * VOTERS.length)] ?? ''
      return {
        id: uuidv7(),
        serverId,
        visitorId: randomUUID(),
        username,
        gamePlatformId: '',
        addressKey: '',
        senderId: null,
      }
    })
    await recordVotes(pool, inputs, { ...options, now: new Date(Date.now() - hour * 3_600_000) })
  }
}
