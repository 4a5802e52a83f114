// SQL, because each statement reads a page of places by an index. Places are written by the job `votes-month`.
import type { Db, Optional } from '../../platform/db/pool.ts'

export interface MonthRow {
  serverId: string
  place: number
  votes: number
}

const IN_ORDER = {
  all: { place: 'place', where: 'place is not null' },
  game: { place: 'place_in_game', where: 'game = $4 and place_in_game is not null' },
}

/** @param month its first day, `2026-10-01` */
export async function findMonth(
  db: Db,
  { month, game = null, offset, limit }: { month: string; game?: string | null; offset: number; limit: number },
): Promise<{ total: number; correctedAt: Date | null; standings: MonthRow[] }> {
  const kind = game === null ? 'all' : 'game'
  const { place, where } = IN_ORDER[kind]
  const { rows } = await db.query<{ total: number; correctedAt: Date | null } & Optional<MonthRow>>({
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
  const standings = rows.flatMap(({ serverId, place: at, votes }) =>
    serverId === null || at === null || votes === null ? [] : [{ serverId, place: at, votes }],
  )
  return { total: rows[0]?.total ?? 0, correctedAt: rows[0]?.correctedAt ?? null, standings }
}

/** The places of servers in a month, in that of a game only if they had it then. */
export async function findPlaces(
  db: Db,
  month: string,
  game: string | null,
  serverIds: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ serverId: string; place: number }>({
    name: 'standings-places',
    text: `
      select server_id as "serverId", case when $2::text is null then place else place_in_game end as place
      from server_vote_months
      where month = $1 and server_id = any($3::uuid[]) and place is not null and ($2 is null or game = $2)`,
    values: [month, game, serverIds],
  })
  return new Map(rows.map(({ serverId, place }) => [serverId, place]))
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
