// SQL, because it counts sets: one pass over each table. Poll counts come from the hourly history.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { AdminSettings } from '../accounts/index.ts'
import type { Stats } from './admin.schema.ts'
import { IS_ADMIN, namedAdmins } from './users.sql.ts'

export async function readStats(db: Db, settings: AdminSettings) {
  const { rows } = await db.query<z.input<typeof Stats>>(
    namedParameters({
      text: `
        select
          (select json_build_object('total', count(*), 'verified', count(email_verified_at), 'banned', count(banned_at),
             'admins', count(*) filter (where ${IS_ADMIN}),
             'lastDay', count(*) filter (where created_at > now() - interval '1 day'))
           from users) as users,
          (select json_build_object('living', count(*)) from sessions where expires_at > now()) as sessions,
          (select json_build_object(
             'usable', count(*) filter (where is_active and banned_at is null),
             'usedLastDay', count(*) filter (where last_used_at > now() - interval '1 day'))
           from api_keys join users on users.id = user_id where revoked_at is null) as "apiKeys",
          (select json_build_object('total', count(*), 'online', count(*) filter (where is_online),
             'verified', count(*) filter (where is_verified), 'featured', count(*) filter (where is_featured),
             'hidden', count(hidden_at), 'unowned', count(*) filter (where owner_id is null),
             'neverAnswered', count(*) filter (where last_online_at is null),
             'polledLastHour', count(*) filter (where last_polled_at > now() - interval '1 hour'))
           from servers join server_status on server_id = id where deleted_at is null) as servers,
          (select json_build_object('overdue', count(*) filter (where next_poll_at < now() - interval '30 seconds'),
             'overdueSeconds', round(extract(epoch from now() - min(next_poll_at)))::int)
           from server_polls) as polling,
          (select json_build_object('pending', count(*))
           from server_claims where verified_at is null and expires_at > now()) as claims,
          (select json_build_object('hour', to_char(hour, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'polls', sum(polls),
             'answered', sum(answered))
           from player_history_hours where hour = (select max(hour) from player_history_hours) group by hour) as polls`,
      values: namedAdmins(settings),
    }),
  )
  const [stats] = rows
  if (!stats) throw new Error('the statistics query returned no row')
  return stats
}
