// SQL, because it works on sets: moves recent samples to hours and to the chunks of their days.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'
import type { Bucket } from './points.ts'

export interface RecentSamples {
  serverId: string
  samples: Buffer
}

/** The recent samples of the next `limit` servers, in the order of their ids. */
export async function findRecent(db: Db, after: string, limit: number): Promise<RecentSamples[]> {
  const { rows } = await db.query<RecentSamples>({
    name: 'history-find-recent',
    text: `
      select server_id as "serverId", samples from player_history_recent
      where server_id > $1
      order by server_id
      limit $2`,
    values: [after, limit],
  })
  return rows
}

export interface DayOfSamples {
  serverId: string
  /** `2026-11-21`. */
  day: string
  samples: Buffer
}

export async function findOpenDays(db: Db, serverIds: string[]): Promise<DayOfSamples[]> {
  const { rows } = await db.query<DayOfSamples>({
    name: 'history-find-open',
    text: `
      select server_id as "serverId", to_char(day, 'YYYY-MM-DD') as day, samples from player_history_open
      where server_id = any($1::uuid[])`,
    values: [serverIds],
  })
  return rows
}

export async function upsertOpenDays(db: Db, days: DayOfSamples[]): Promise<void> {
  await db.query({
    name: 'history-upsert-open',
    text: `
      insert into player_history_open (server_id, day, samples)
      select * from unnest($1::uuid[], $2::date[], $3::bytea[])
      on conflict (server_id, day) do update set samples = excluded.samples`,
    values: [days.map(({ serverId }) => serverId), days.map(({ day }) => day), days.map(({ samples }) => samples)],
  })
}

/** Adds polls to the hours of their servers. */
export async function addToHours(db: Db, hours: ({ serverId: string } & Bucket)[]): Promise<void> {
  await db.query(
    namedParameters({
      name: 'history-add-to-hours',
      // A sum above 2^31 comes from servers that report false player counts. It must not stop the roll-up of the
      // others.
      text: `
        insert into player_history_hours as present (server_id, hour, polls, answered, players_sum, players_max, max_players)
        select server_id, hour, polls, answered, least(players_sum, 2147483647), players_max, max_players
        from unnest($serverIds::uuid[], $hours::timestamptz[], $polls::integer[], $answered::integer[],
          $playersSums::bigint[], $playersMaxima::integer[], $maxPlayers::integer[])
          as added (server_id, hour, polls, answered, players_sum, players_max, max_players)
        on conflict (hour, server_id) do update set
          polls = present.polls + excluded.polls, answered = present.answered + excluded.answered,
          players_sum = least(present.players_sum::bigint + excluded.players_sum, 2147483647),
          players_max = greatest(present.players_max, excluded.players_max),
          max_players = greatest(present.max_players, excluded.max_players)`,
      values: {
        serverIds: hours.map(({ serverId }) => serverId),
        hours: hours.map(({ at }) => at),
        polls: hours.map(({ polls }) => polls),
        answered: hours.map(({ answered }) => answered),
        playersSums: hours.map(({ playersSum }) => playersSum),
        playersMaxima: hours.map(({ playersMax }) => playersMax),
        maxPlayers: hours.map(({ maxPlayers }) => maxPlayers),
      },
    }),
  )
}

export interface RemovedSamples {
  serverId: string
  /** Bytes that were read. */
  read: number
  /** Those of them that stay. */
  kept: Buffer
}

/**
 * Removes samples that are stored elsewhere in the same transaction; keeps what was appended since they were read, by
 * a poll of the previous release. Deletes servers that had none to begin with: their polls have stopped.
 */
export async function removeRecent(db: Db, removed: RemovedSamples[]): Promise<void> {
  const ids = removed.map(({ serverId }) => serverId)
  await db.query({
    name: 'history-remove-recent',
    text: `
      update player_history_recent as recent set samples = kept || substring(samples from read + 1)
      from unnest($1::uuid[], $2::integer[], $3::bytea[]) as removed (server_id, read, kept)
      where recent.server_id = removed.server_id and read > 0`,
    values: [ids, removed.map(({ read }) => read), removed.map(({ kept }) => kept)],
  })
  const silent = removed.filter(({ read }) => !read).map(({ serverId }) => serverId)
  if (silent.length)
    await db.query(`delete from player_history_recent where server_id = any($1::uuid[]) and samples = ''`, [silent])
}

/** @returns days (`20261121`) before the day of `now` that have samples in player_history_open */
export async function findEndedDays(db: Db, now: Date): Promise<string[]> {
  const { rows } = await db.query<{ day: string }>(
    `select to_char(day, 'YYYYMMDD') as day from player_history_open
     where day < ($1::timestamptz at time zone 'utc')::date
     group by player_history_open.day
     order by 1`,
    [now],
  )
  return rows.map(({ day }) => day)
}

/**
 * Moves samples of up to `limit` servers of an ended day to their chunks, whose partition must exist. A chunk that
 * exists already gets them appended. Call it in a transaction that holds the lock of roll-ups.
 * @returns number of servers
 */
export async function closeDay(db: Db, day: string, limit: number): Promise<number> {
  const { rows } = await db.query<{ serverId: string }>({
    name: 'history-find-ended',
    text: 'select server_id as "serverId" from player_history_open where day = $1::date limit $2',
    values: [day, limit],
    ...STATEMENT_TIMEOUT,
  })
  const ended = [day, rows.map(({ serverId }) => serverId)]
  await db.query({
    name: 'history-close-day',
    text: `
      insert into player_history_chunks as chunk (server_id, day, samples)
      select server_id, day, samples from player_history_open where day = $1::date and server_id = any($2::uuid[])
      on conflict (server_id, day) do update set samples = chunk.samples || excluded.samples`,
    values: ended,
    ...STATEMENT_TIMEOUT,
  })
  await db.query({
    name: 'history-delete-ended',
    text: 'delete from player_history_open where day = $1::date and server_id = any($2::uuid[])',
    values: ended,
    ...STATEMENT_TIMEOUT,
  })
  return rows.length
}

/** Records that samples before `time` are rolled up. */
export async function markRolledUpTo(db: Db, time: Date): Promise<void> {
  await db.query('update player_history_progress set rolled_to = greatest(rolled_to, $1)', [time])
}
