// The full list as one SQL statement, which the snapshot must equal.
import type { DirectoryQuery } from '../../../src/features/directory/engine/plan.ts'
import { gameName } from '../../../src/features/games/index.ts'
import { foldSql } from '../../../src/platform/db/fold-sql.ts'
import type { Sql } from '../../../src/platform/db/pool.ts'

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
// Of the countries that the test uses.
const REGION = `coalesce(nullif(s.region, ''), case st.country when 'DE' then 'Europe' when 'CL' then 'South America' else '' end)`
const SCORE = `((c.vote_score + c.play_score)::float8 * greatest(0.01, coalesce(u.day::float8, 1) * coalesce(u.week::float8, 1)))`
const KEYS = {
  score: `case when ${SCORE} > 0 then round(ln(${SCORE}) / ln(2) * 1048576) else 0 end`,
  totalVotes: 'coalesce(c.total_votes, 0)',
  monthlyVotes: `case when c.votes_month = date_trunc('month', $1::timestamptz at time zone 'UTC')::date then c.monthly_votes else 0 end`,
  currentPlayers: 'coalesce(st.current_players, 0)',
  createdAt: 's.created_at',
  name: `${foldSql('s.name')} collate "C"`,
  uptime: 'u.month',
  lastWipeAt: `date_trunc('second', s.last_wipe_at)`,
  nextWipeAt: `date_trunc('second', s.next_wipe_at)`,
  rank: 'rank',
}
/** Of the orders that the database can tell; recent votes are counted apart, and random ones are ours. */
export type SqlSortKey = keyof typeof KEYS

export async function pageBySql(db: Sql, { page = 1, ...q }: DirectoryQuery & { sortBy: SqlSortKey }, now: number) {
  const values = [
    new Date(now),
    q.search || null,
    q.map || null,
    q.region || null,
    q.gameMode || null,
    q.tags ?? [],
    q.onlineOnly ?? false,
    q.wipedSince === undefined ? null : new Date(q.wipedSince),
    q.minMultiplier ?? null,
    q.maxMultiplier ?? null,
    q.game?.length ? q.game : null,
    q.country?.length ? q.country : null,
    JSON.stringify(Object.fromEntries(['ase', 'asa', 'minecraft'].map((game) => [game, gameName(game)]))),
    q.isVerified ?? false,
    q.version || null,
    q.minPlayers ?? 0,
    q.maxPlayers ?? Number.POSITIVE_INFINITY,
    q.hasFreeSlots ?? false,
    q.notEmpty ?? false,
    q.minUptime ?? null,
    q.createdSince === undefined ? null : new Date(q.createdSince),
  ]
  const { rows } = await db.query(
    `with ranked as (
       select id, row_number() over (order by coalesce(total_votes, 0) desc, created_at, id) as rank
       from servers left join server_counters on server_id = id
       where deleted_at is null),
     found as (
       select s.*, st.*, rank, ${REGION} as region_shown, c.total_votes, ${KEYS.monthlyVotes} as votes_now, count(*) over () as total, s.id as the_id
       from servers s join ranked on ranked.id = s.id left join server_status st on st.server_id = s.id left join server_counters c on c.server_id = s.id
         left join server_uptime u on u.server_id = s.id
       where s.deleted_at is null
         and ($2::text is null or position(${foldSql('$2')} in ${foldSql('s.name')}) > 0)
         and ($3::text is null or ${foldSql('st.map')} = ${foldSql('$3')})
         and ($4::text is null or ${foldSql(REGION)} = ${foldSql('$4')})
         and ($5::text is null or s.game_mode = $5)
         and (select count(*) from unnest($6::text[]) wanted
              where not exists (select from unnest(s.tags) own where ${foldSql('own')} = ${foldSql('wanted')})) = 0
         and ($11::text[] is null or s.game = any($11))
         and ($12::text[] is null or st.country = any($12))
         and (not $7 or st.is_online)
         and (not $14 or s.is_verified)
         and ($15::text is null or ${foldSql('st.version')} = ${foldSql('$15')})
         and coalesce(st.current_players, 0) >= $16 and coalesce(st.current_players, 0) <= $17::float8
         and (not $18 or (st.is_online and st.current_players < st.max_players))
         and (not $19 or st.current_players > 0)
         and ($20::numeric is null or u.month::text::numeric >= $20)
         and ($21::timestamptz is null or s.created_at >= $21)
         and ($8::timestamptz is null or s.last_wipe_at >= $8)
         and (($9::numeric is null and $10::numeric is null) or exists (
           select from unnest(string_to_array(s.rates, ',')) pair
           where trim(lower(split_part(pair, ':', 1))) in ('xp', 'taming', 'harvest')
             and trim(split_part(pair, ':', 2))::numeric between coalesce($9, 0) and coalesce($10, 'Infinity')))
       order by ${KEYS[q.sortBy]} ${q.sortOrder} nulls last, s.created_at, s.id)
     select (select max(total)::integer from found) as total, json_build_object(
       'id', the_id, 'name', name, 'ipAddress', ip_address, 'gamePort', game_port,
       'currentPlayers', coalesce(current_players, 0), 'maxPlayers', coalesce(max_players, 0),
       'isOnline', coalesce(is_online, false), 'map', coalesce(map, ''), 'description', description,
       'totalVotes', coalesce(total_votes, 0), 'createdAt', ${iso('created_at')},
       'game', game, 'gameName', $13::jsonb ->> game, 'gameMode', coalesce(game_mode, ''),
       'country', coalesce(country, ''), 'region', region_shown, 'isRegionDerived', region = '' and region_shown <> '', 'tags', array_to_string(tags, ','), 'rates', rates, 'monthlyVotes', coalesce(votes_now, 0),
       'lastWipeAt', ${iso('last_wipe_at')}, 'nextWipeAt', ${iso('next_wipe_at')}, 'isFeatured', is_featured, 'isVerified', is_verified, 'isClaimed', owner_id is not null,
       'lastPolledAt', ${iso('last_polled_at')},
       'isStale', last_polled_at is null or fresh_until is null or $1 > fresh_until, 'queryMs', query_ms, 'rank', rank) as item
     from (select * from found limit ${q.limit} offset ${(page - 1) * q.limit}) paged
     right join (values (1)) always on true`,
    values,
  )
  const total: number = rows[0]?.total ?? 0
  return {
    servers: rows.flatMap(({ item }) => (item.id === null ? [] : [item])),
    pagination: { page, limit: q.limit, total, totalPages: Math.ceil(total / q.limit) },
  }
}
