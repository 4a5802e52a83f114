// Inserts other features' rows: servers, polls, votes. One statement each, so that a test chooses the transactions.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../../../src/platform/db/pool.ts'

let addresses = 0

export interface GivenServer {
  name?: string
  game?: string
  description?: string
  gameMode?: string | null
  region?: string
  tags?: string[]
  rates?: string
  mods?: string
  bannerUrl?: string
  website?: string
  chatUrl?: string
  isVerified?: boolean
  isFeatured?: boolean
  lastWipeAt?: Date | null
  createdAt?: Date
}

/** Inserts a server without status or votes. @returns its id */
export async function insertServer(db: Sql, given: GivenServer = {}): Promise<string> {
  const id = randomUUID()
  addresses++
  await db.query(
    `insert into servers (id, game, name, description, ip_address, game_port, query_port, game_mode, region, tags, rates,
                          mods, banner_url, website, chat_url, is_verified, is_featured, last_wipe_at, created_at, updated_at)
     values ($1, $17, $2, $3, $4, 7777, 27015, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16)`,
    [
      id,
      given.name ?? 'A server',
      given.description ?? '',
      `198.18.${addresses >> 8}.${addresses & 255}`,
      given.gameMode ?? null,
      given.region ?? '',
      given.tags ?? [],
      given.rates ?? '',
      given.mods ?? '',
      given.bannerUrl ?? '',
      given.website ?? '',
      given.chatUrl ?? '',
      given.isVerified ?? false,
      given.isFeatured ?? false,
      given.lastWipeAt ?? null,
      given.createdAt ?? new Date('2026-01-01T00:00:00Z'),
      given.game ?? 'ase',
    ],
  )
  return id
}

export const editServer = (
  db: Sql,
  id: string,
  given: Required<Pick<GivenServer, 'name' | 'region' | 'tags' | 'rates'>>,
) =>
  db.query(`update servers set name = $2, region = $3, tags = $4, rates = $5, updated_at = now() where id = $1`, [
    id,
    given.name,
    given.region,
    given.tags,
    given.rates,
  ])

export const setDeleted = (db: Sql, id: string, isDeleted: boolean) =>
  db.query(`update servers set deleted_at = case when $2 then now() end where id = $1`, [id, isDeleted])

export interface GivenStatus {
  isOnline?: boolean
  currentPlayers?: number
  maxPlayers?: number
  map?: string
  version?: string
  consecutiveFailures?: number
  lastPolledAt?: Date | null
  freshUntil?: Date | null
  country?: string
  queryMs?: number | null
}

export const putStatus = (db: Sql, id: string, given: GivenStatus = {}) =>
  db.query(
    `insert into server_status (server_id, is_online, current_players, max_players, map, version, consecutive_failures,
                                last_polled_at, fresh_until, country, query_ms)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     on conflict (server_id) do update set is_online = excluded.is_online, current_players = excluded.current_players,
       max_players = excluded.max_players, map = excluded.map, version = excluded.version,
       consecutive_failures = excluded.consecutive_failures, last_polled_at = excluded.last_polled_at,
       fresh_until = excluded.fresh_until, country = excluded.country, query_ms = excluded.query_ms`,
    [
      id,
      given.isOnline ?? true,
      given.currentPlayers ?? 0,
      given.maxPlayers ?? 70,
      given.map ?? '',
      given.version ?? '',
      given.consecutiveFailures ?? 0,
      given.lastPolledAt ?? null,
      given.freshUntil ?? null,
      given.country ?? '',
      given.queryMs ?? null,
    ],
  )

/** @param month first day, `2026-11-01` */
export const putVotes = (db: Sql, id: string, total: number, monthly = 0, month = '2026-11-01') =>
  db.query(
    `insert into server_counters (server_id, total_votes, monthly_votes, votes_month) values ($1, $2, $3, $4)
     on conflict (server_id) do update set total_votes = excluded.total_votes, monthly_votes = excluded.monthly_votes,
       votes_month = excluded.votes_month`,
    [id, total, monthly, month],
  )

/** @param votes so many of one moment. @param played what playing adds */
export const putScore = (db: Sql, id: string, votes: number, played = 0) =>
  db.query(
    `insert into server_counters (server_id, votes_month, vote_score, play_score) values ($1, '2026-11-01', $2, $3)
     on conflict (server_id) do update set vote_score = excluded.vote_score, play_score = excluded.play_score`,
    [id, BigInt(votes) << 100n, BigInt(played) << 100n],
  )

export const putUptime = (db: Sql, id: string, day: number | null, week: number | null, month: number | null) =>
  db.query(
    `insert into server_uptime (server_id, day, week, month) values ($1, $2, $3, $4)
     on conflict (server_id) do update set day = excluded.day, week = excluded.week, month = excluded.month`,
    [id, day, week, month],
  )
