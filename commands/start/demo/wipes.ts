// Wipes of the last weeks, and when the next ones are.
import { v7 as uuidv7 } from 'uuid'
import type { Pool } from '../../../src/platform/db/pool.ts'
import type { DemoServer } from './listings.ts'

const WEEKS = 4

/** Adds up to four past wipes of servers that wipe every week, at the times of their schedule. */
export async function pretendWipes(pool: Pool, servers: readonly DemoServer[]): Promise<void> {
  for (const { id, owner, days, wipes } of servers) {
    if (!wipes) continue
    const { kind, note, weekday, time, timeZone } = wipes
    const schedule = JSON.stringify({ weekday, time, timeZone })
    const ago = Array.from({ length: WEEKS }, (_, week) => week + 1).filter((week) => week * 7 <= days)
    await pool.query(
      `with scheduled as (
         update servers set wipe_schedule = $2, next_wipe_at = next_wipe($2, now()),
           last_wipe_at = case when $4::integer > 0 then next_wipe($2, now()) - interval '7 days' end
         where id = $1 returning id, next_wipe_at)
       insert into wipes (id, server_id, wiped_at, kind, note, source, created_by)
       select wipe.id, scheduled.id, next_wipe_at - make_interval(weeks => week::integer), $5, $6, 'owner', $7
       from scheduled, unnest($3::uuid[]) with ordinality as wipe (id, week)`,
      [id, schedule, ago.map(() => uuidv7()), ago.length, kind, note, owner],
    )
  }
}
