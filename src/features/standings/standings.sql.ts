// SQL, because each statement reads a page of places by an index. Places are written by the job `votes-month`, some
// time after a month's end; until then they are counted from its votes, wherever they are.
import type { Db, Optional } from '../../platform/db/pool.ts'
import type { RankedServer } from '../directory/index.ts'
import type { ServerPlace } from '../votes/index.ts'

interface MonthQuery {
  /** Its first day, `2026-10-01`. */
  month: string
  /** Null: of all games. */
  game: string | null
  offset: number
  limit: number
}

interface MonthPage {
  total: number
  correctedAt: Date | null
  standings: RankedServer[]
}

/** A page without standings has a row, too. */
type MonthPageRow = Pick<MonthPage, 'total' | 'correctedAt'> & Optional<RankedServer>

/** A server whose votes were all voided keeps its place until the month is ranked again. */
const IN_ORDER = {
  all: { place: 'place', where: 'place is not null and votes > 0' },
  game: { place: 'place_in_game', where: 'game = $4 and place_in_game is not null and votes > 0' },
}

export async function findMonth(db: Db, { month, game, offset, limit }: MonthQuery): Promise<MonthPage> {
  const kind = game === null ? 'all' : 'game'
  const { place, where } = IN_ORDER[kind]
  const { rows } = await db.query<MonthPageRow>({
    name: `standings-month-${kind}`,
    text: `
      with counted as (
        select count(*) as total from server_vote_months where month = $1 and ${where}),
      corrected as (
        select max(corrected_at) as at from server_vote_months where month = $1),
      shown as (
        select server_id, ${place} as place, votes
        from server_vote_months
        where month = $1 and ${where}
        order by ${place}, server_id
        offset $2 limit $3)
      select total, corrected.at as "correctedAt", server_id as "serverId", place, votes
      from counted cross join corrected left join shown on true
      order by place, server_id`,
    values: [month, offset, limit, ...(game === null ? [] : [game])],
  })
  return toMonthPage(rows)
}

const toMonthPage = (rows: MonthPageRow[]): MonthPage => ({
  total: rows[0]?.total ?? 0,
  correctedAt: rows[0]?.correctedAt ?? null,
  standings: rows.flatMap(({ serverId, place, votes }) =>
    serverId === null || place === null || votes === null ? [] : [{ serverId, place, votes }],
  ),
})

const placesOf = (rows: ServerPlace[]) => new Map(rows.map(({ serverId, place }) => [serverId, place]))

/** The places of servers in a month, in that of a game only if they had it then. */
export async function findPlaces(
  db: Db,
  month: string,
  game: string | null,
  serverIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<ServerPlace>({
    name: 'standings-places',
    text: `
      select server_id as "serverId", case when $2::text is null then place else place_in_game end as place
      from server_vote_months
      where month = $1 and server_id = any($3::uuid[]) and place is not null and votes > 0 and ($2 is null or game = $2)`,
    values: [month, game, serverIds],
  })
  return placesOf(rows)
}

/**
 * Months of which counters have votes that are not archived: the running one, and for a while the one
 * before. Reads all counters.
 */
export async function findCountedMonths(db: Db): Promise<Set<string>> {
  const { rows } = await db.query<{ month: string }>({
    name: 'standings-counted-months',
    text: `select to_char(votes_month, 'YYYY-MM-DD') as month from server_counters where monthly_votes > 0 group by votes_month`,
  })
  return new Set(rows.map(({ month }) => month))
}

/** Whether the places of a finished month follow from all its archived votes. */
export async function isRanked(db: Db, month: string): Promise<boolean> {
  const { rows } = await db.query<{ isRanked: boolean }>({
    name: 'standings-is-ranked',
    text: 'select not exists (select from server_vote_months where month = $1 and not is_ranked) as "isRanked"',
    values: [month],
  })
  return rows[0]?.isRanked ?? true
}

/**
 * A month's votes in the archive and in the counters that are not archived, as one statement sees them; each vote
 * is in one of the two.
 */
const RANKED_NOW = `
  counted as (
    select server_id, sum(votes)::integer as votes, max(game) as game_then
    from (
      select server_id, votes, game from server_vote_months where month = $1
      union all
      select server_id, monthly_votes, null from server_counters where votes_month = $1) as parts
    group by server_id
    having sum(votes) > 0),
  ranked as (
    select server_id, votes, game, rank() over (order by votes desc)::integer as place,
      rank() over (partition by game order by votes desc)::integer as place_in_game
    from (
      select server_id, votes, coalesce(game_then, servers.game) as game
      from counted join servers on id = server_id) as counted_by_game)`

/** Like `findMonth`, for a month that is not ranked: reads all servers with votes in it. */
export async function rankMonthNow(db: Db, { month, game, offset, limit }: MonthQuery): Promise<MonthPage> {
  const { rows } = await db.query<MonthPageRow>({
    name: 'standings-rank-month-now',
    text: `
      with ${RANKED_NOW},
      wanted as (
        select server_id, votes, case when $4::text is null then place else place_in_game end as place
        from ranked
        where $4 is null or game = $4),
      shown as (select * from wanted order by place, server_id offset $2 limit $3)
      select (select count(*) from wanted) as total,
        (select max(corrected_at) from server_vote_months where month = $1) as "correctedAt", server_id as "serverId", place, votes
      from (select) as one left join shown on true
      order by place, server_id`,
    values: [month, offset, limit, game],
  })
  return toMonthPage(rows)
}

/** Like `findPlaces`, for a month that is not ranked. */
export async function findPlacesNow(
  db: Db,
  month: string,
  game: string | null,
  serverIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<ServerPlace>({
    name: 'standings-places-now',
    text: `
      with ${RANKED_NOW}
      select server_id as "serverId", case when $2::text is null then place else place_in_game end as place
      from ranked
      where server_id = any($3::uuid[]) and ($2 is null or game = $2)`,
    values: [month, game, serverIds],
  })
  return placesOf(rows)
}

const MAX_BEST = 12

/** A server's finished months, best places first. */
export async function findBestMonths(db: Db, serverId: string) {
  const { rows } = await db.query<{ month: string; votes: number; place: number | null; placeInGame: number | null }>({
    name: 'standings-best-months',
    text: `
      select to_char(month, 'YYYY-MM') as month, votes, place, place_in_game as "placeInGame"
      from server_vote_months
      where server_id = $1 and place is not null and place_in_game is not null and votes > 0
      order by place, server_vote_months.month desc
      limit $2`,
    values: [serverId, MAX_BEST],
  })
  return rows.flatMap(({ place, placeInGame, ...row }) =>
    place === null || placeInGame === null ? [] : [{ ...row, place, placeInGame }],
  )
}

/** Which of these months, `2026-10`, have standings of which of these games; none of a month that is not ranked yet. */
export async function findMonthsWithStandings(db: Db, months: readonly string[], games: readonly string[]) {
  const { rows } = await db.query<{ month: string; game: string }>({
    name: 'standings-months',
    text: `
      select to_char(months.day, 'YYYY-MM') as month, games.game
      from unnest($1::date[]) as months (day) cross join unnest($2::text[]) as games (game)
      where exists (
        select from server_vote_months
        where month = months.day and game = games.game and place_in_game is not null and votes > 0)
      order by months.day desc, games.game`,
    values: [months.map((month) => `${month}-01`), games],
  })
  return rows
}
