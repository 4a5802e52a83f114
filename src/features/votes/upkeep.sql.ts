// SQL, because each statement moves or deletes a batch of rows.
import { NIL } from 'uuid'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../platform/db/statement-timeout.ts'

export interface Batch {
  /** The database's clock unless given. */
  now?: Date | undefined
  limit: number
}

/**
 * Moves up to `limit` counters of finished months to `server_vote_months`, exactly once by each row's lock. Skips rows
 * that a vote has locked, since that vote does the same, and counters without votes.
 * @returns number of counters
 */
export async function archiveMonths(db: Db, { now, limit }: Batch): Promise<number> {
  const { rows } = await db.query<{ archived: number }>({
    name: 'votes-archive-months',
    text: `
      with moment as (
        select date_trunc('month', coalesce($1::timestamptz, now()) at time zone 'utc')::date as month),
      due as (
        select server_id, monthly_votes, votes_month, month
        from server_counters as counters, moment
        where votes_month < month and monthly_votes > 0
        limit $2
        for no key update of counters skip locked),
      archived as (
        insert into server_vote_months as archive (server_id, month, votes)
        select server_id, votes_month, monthly_votes from due
        on conflict (server_id, month) do update set votes = archive.votes + excluded.votes),
      reset as (
        update server_counters as counters set monthly_votes = 0, votes_month = due.month
        from due
        where counters.server_id = due.server_id)
      select count(*) as archived from due`,
    values: [now, limit],
  })
  return rows[0]?.archived ?? 0
}

/**
 * Leaves out a month of which counters still have votes: places among the servers that are archived first, by their
 * next vote, would be shown as those of the month.
 * @returns finished months that are not ranked yet, or whose votes have changed since, `2026-10-01`, oldest first
 */
export async function findUnrankedMonths(db: Db, now: Date | undefined): Promise<string[]> {
  const { rows } = await db.query<{ month: string }>({
    name: 'votes-unranked-months',
    text: `
      select distinct to_char(month, 'YYYY-MM-DD') as month
      from server_vote_months
      where not is_ranked and month < date_trunc('month', coalesce($1::timestamptz, now()) at time zone 'utc')
        and month not in (select votes_month from server_counters where monthly_votes > 0)
      order by 1`,
    values: [now],
  })
  return rows.map(({ month }) => month)
}

/** Advisory lock of those who rank months; the number is arbitrary but unique. */
const RANKING_LOCK = 727_073_695

/**
 * Waits for others that rank months: they would write the same rows in another order, which is a deadlock, and might
 * write places of older votes last. Held until the transaction ends.
 */
export async function lockRanking(tx: Db): Promise<void> {
  await tx.query({ text: 'select pg_advisory_xact_lock($1)', values: [RANKING_LOCK], ...STATEMENT_TIMEOUT })
}

/**
 * Gives the servers of a month their places; none to those whose votes were all voided.
 * A row whose votes change in the meantime stays unranked, for the next call.
 * @param tx holds `lockRanking`
 * @returns number of rows that changed
 */
export async function rankMonth(tx: Db, month: string): Promise<number> {
  const { rowCount } = await tx.query({
    name: 'votes-rank-month',
    text: `
      update server_vote_months as shown
      set place = ranked.place, place_in_game = ranked.place_in_game, is_ranked = true
      from (
        select server_id, votes, case when votes > 0 then rank() over (order by votes desc) end as place,
          case when votes > 0 then rank() over (partition by game order by votes desc) end as place_in_game
        from server_vote_months
        where month = $1) as ranked
      where shown.month = $1 and shown.server_id = ranked.server_id and shown.votes = ranked.votes
        and (shown.place, shown.place_in_game, shown.is_ranked) is distinct from (ranked.place::integer, ranked.place_in_game::integer, true)`,
    values: [month],
    ...STATEMENT_TIMEOUT,
  })
  return rowCount ?? 0
}

export interface CooldownKey {
  serverId: string
  visitorId: string
}

/** A key before every row. */
export const FIRST_COOLDOWN: CooldownKey = { serverId: NIL, visitorId: '' }

/**
 * Deletes up to `limit` cooldowns that ended a day ago, in the order of the table's key, so that a run
 * reads the table once.
 * @returns their keys
 */
export async function deleteOldCooldowns(
  db: Db,
  { after, now, limit }: Batch & { after: CooldownKey },
): Promise<CooldownKey[]> {
  const { rows } = await db.query<CooldownKey>({
    name: 'votes-delete-old-cooldowns',
    text: `
      with old as (
        select server_id, visitor_id from vote_cooldowns
        where (server_id, visitor_id) > ($1::uuid, $2) and last_voted_at < coalesce($3::timestamptz, now()) - interval '48 hours'
        order by server_id, visitor_id
        limit $4
        for update skip locked),
      deleted as (
        delete from vote_cooldowns as cooldown using old
        where cooldown.server_id = old.server_id and cooldown.visitor_id = old.visitor_id)
      select server_id as "serverId", visitor_id as "visitorId" from old order by old.server_id, old.visitor_id`,
    values: [after.serverId, after.visitorId, now, limit],
  })
  return rows
}

export interface StreakKey {
  serverId: string
  voterKey: Uint8Array
}

/** A key before every row. */
export const FIRST_STREAK: StreakKey = { serverId: FIRST_COOLDOWN.serverId, voterKey: new Uint8Array() }

/**
 * Deletes up to `limit` streaks that ended a day ago, in the order of the table's key. The day is for votes that have
 * waited for their server's lock: their time is when they began.
 * @returns their keys
 */
export async function deleteEndedStreaks(
  db: Db,
  { after, now, limit }: Batch & { after: StreakKey },
): Promise<StreakKey[]> {
  const { rows } = await db.query<StreakKey>({
    name: 'votes-delete-ended-streaks',
    text: `
      with ended as (
        select server_id, voter_key from vote_streaks
        where (server_id, voter_key) > ($1::uuid, $2) and last_voted_at < coalesce($3::timestamptz, now()) - interval '72 hours'
        order by server_id, voter_key
        limit $4
        for update skip locked),
      deleted as (
        delete from vote_streaks as streak using ended
        where streak.server_id = ended.server_id and streak.voter_key = ended.voter_key)
      select server_id as "serverId", voter_key as "voterKey" from ended order by ended.server_id, ended.voter_key`,
    values: [after.serverId, after.voterKey, now, limit],
  })
  return rows
}

export interface VoteAddressKey {
  serverId: string
  addressKey: string
  votedAt: Date
  number: number
}

/** A key before every row. */
export const FIRST_VOTE_ADDRESS: VoteAddressKey = {
  serverId: NIL,
  addressKey: '',
  votedAt: new Date(0),
  number: 0,
}

/**
 * Deletes up to `limit` rows that stopped counting for the cap a day ago, in the order of the table's key, so that a
 * run reads the table once.
 * @returns their keys
 */
export async function deleteOldVoteAddresses(
  db: Db,
  { after, now, limit }: Batch & { after: VoteAddressKey },
): Promise<VoteAddressKey[]> {
  const { serverId, addressKey, votedAt, number } = after
  const { rows } = await db.query<VoteAddressKey>(
    namedParameters({
      name: 'votes-delete-old-addresses',
      text: `
        with old as (
          select server_id, address_key, voted_at, number from vote_addresses
          where (server_id, address_key, voted_at, number)
              > ($serverId::uuid, $addressKey::text, $votedAt::timestamptz, $number::integer)
            and voted_at < coalesce($now::timestamptz, now()) - interval '48 hours'
          order by server_id, address_key, voted_at, number
          limit $limit
          for update skip locked),
        deleted as (
          delete from vote_addresses as vote using old
          where (vote.server_id, vote.address_key, vote.voted_at, vote.number)
            = (old.server_id, old.address_key, old.voted_at, old.number))
        select server_id as "serverId", address_key as "addressKey", voted_at as "votedAt", number
        from old
        order by old.server_id, old.address_key, old.voted_at, old.number`,
      values: { serverId, addressKey, votedAt, number, now, limit },
    }),
  )
  return rows
}
