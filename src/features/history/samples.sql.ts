// SQL, because it reads four tables in one snapshot: a roll-up may move samples between them at any time.
import type { Sql } from '../../platform/db/pool.ts'
import { unlessDamaged } from './packed-numbers.ts'
import { decodeSamples, type Sample } from './sample-bytes.ts'

/** Samples of servers from `from` until before `to`, in any order, by server id in lower case; without bytes that can't be decoded. */
export async function findSamples(
  db: Sql,
  serverIds: readonly string[],
  from: Date,
  to: Date,
): Promise<Map<string, Sample[]>> {
  const { rows } = await db.query<{ serverId: string; samples: Buffer }>({
    name: 'history-samples',
    text: FIND_SAMPLES,
    values: [serverIds, from, to],
  })
  const [first, end] = [from.getTime() / 1000, to.getTime() / 1000]
  const found = new Map<string, Sample[]>()
  for (const { serverId, samples } of rows) {
    const inTime = (unlessDamaged(decodeSamples, samples) ?? []).filter(({ at }) => at >= first && at < end)
    const known = found.get(serverId)
    if (known) known.push(...inTime)
    else found.set(serverId, inTime)
  }
  return found
}

/** Rows of player_history that are not in chunks yet. `progress` is a row of player_history_progress. */
const NOT_CONVERTED = `(
    progress.converted_to is null or polled_at >= progress.converted_to + interval '1 hour'
    or polled_at >= progress.converted_to and server_id > progress.converted_server)`

/** Exported for a test that counts the pages it reads. */
export const FIND_SAMPLES = `
  select server_id as "serverId", samples from player_history_recent
  where server_id = any($1::uuid[])
  union all
  select server_id, samples from player_history_open
  where server_id = any($1::uuid[]) and day >= ($2::timestamptz at time zone 'utc')::date
  union all
  select server_id, samples from player_history_chunks
  where server_id = any($1::uuid[])
    and day >= ($2::timestamptz at time zone 'utc')::date and day <= ($3::timestamptz at time zone 'utc')::date
  union all
  select server_id, string_agg(player_history_sample(polled_at, players, max_players), '')
  from player_history
  cross join player_history_progress as progress
  where server_id = any($1::uuid[]) and polled_at >= $2 and polled_at < $3 and ${NOT_CONVERTED}
  group by server_id`
