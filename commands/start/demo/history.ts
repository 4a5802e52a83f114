// A week of polls before the first, so that charts and lines show something at once.
import { seededRandom } from '../../../dev/simulator/fleet.ts'
import { encodeSamples } from '../../../src/features/history/index.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import type { DemoServer } from './listings.ts'

const DAY_SECONDS = 86_400
const SAMPLE_SECONDS = 300
const DAYS = 7

export async function pretendHistory(pool: Pool, servers: readonly DemoServer[]): Promise<void> {
  const random = seededRandom(11)
  const now = Math.floor(Date.now() / 1000)
  const samples = servers.map(({ players, slots }, index) => {
    let count = players
    return Array.from({ length: (DAYS * DAY_SECONDS) / SAMPLE_SECONDS }, (_, n) => {
      const at = now - (n + 1) * SAMPLE_SECONDS
      // Backwards from now: towards what is usual at that hour. Most players come in the evening,
      // wherever the server is.
      const evening = (1 + Math.cos((2 * Math.PI * (at - 3_600 * (20 - (index % 7)))) / DAY_SECONDS)) / 2
      count += (players * (0.25 + evening) - count) / 20 + ((random() - 0.5) * players) / 8
      count = Math.min(slots, Math.max(0, count))
      const isDown = index % 10 === 9 && n % 200 < 8
      return { at, players: isDown ? null : Math.round(count), maxPlayers: slots }
    })
  })
  await pool.query(
    `insert into player_history_recent as recent (server_id, samples)
     select server_id, samples from unnest($1::uuid[], $2::bytea[]) as pretended (server_id, samples) order by server_id
     on conflict (server_id) do update set samples = excluded.samples || recent.samples`,
    [servers.map(({ id }) => id), samples.map((ofServer) => encodeSamples(ofServer))],
  )
}
