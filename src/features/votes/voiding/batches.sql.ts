// SQL, because each statement voids, restores or counts a batch of votes of one server (docs/decisions/0075).
import { namedParameters } from '../../../platform/db/named-parameters.ts'
import type { Sql } from '../../../platform/db/pool.ts'
import { STATEMENT_TIMEOUT } from '../../../platform/db/statement-timeout.ts'
import { IS_SELECTED, selectionValues } from './selection.sql.ts'
import type { VoidingStatus, VoteSelection } from './voiding.schema.ts'

/**
 * A voiding, and how far its job is: it takes servers in id order, and the votes of each in the order of their numbers.
 */
export interface VoidingState {
  id: string
  status: VoidingStatus
  selection: VoteSelection
  reason: string
  createdAt: Date
  /** The server that the last batch was of; null before the first batch. */
  afterServer: string | null
  /** The last vote of that batch, if the server may have more; 0: the server is done, and the next one begins. */
  afterNumber: number
}

/**
 * Locks it until the transaction ends, so that no other worker has the next batch.
 * @returns undefined if there is none
 */
export async function lockVoidingState(tx: Sql, id: string): Promise<VoidingState | undefined> {
  const { rows } = await tx.query<VoidingState>({
    name: 'voiding-lock',
    text: `
      select id, status, selection, reason, created_at as "createdAt", after_server as "afterServer", after_number as "afterNumber"
      from vote_voidings
      where id = $1
      for no key update`,
    values: [id],
  })
  return rows[0]
}

export async function saveVoidingState(tx: Sql, { id, status, afterServer, afterNumber }: VoidingState): Promise<void> {
  await tx.query({
    name: 'voiding-save',
    text: `
      update vote_voidings
      set status = $2, after_server = $3, after_number = $4,
        finished_at = case when $2 in ('voided', 'restored') then now() end
      where id = $1`,
    values: [id, status, afterServer, afterNumber],
  })
}

/** Servers whose votes one statement looks at: in a large directory they have tens of millions. */
const SERVERS_AT_ONCE = 500

interface NextSelected {
  serverId: string | null
  examinedTo: string | null
}

/**
 * The next servers in id order, and the first of them that has selected votes.
 * @param after null: from the first
 * @returns `examinedTo`: the last of the servers that were looked at; null after the last server
 */
export async function findNextSelected(
  db: Sql,
  selection: VoteSelection,
  { until, after }: { until: Date; after: string | null },
): Promise<NextSelected> {
  const { rows } = await db.query<NextSelected>(
    namedParameters({
      text: `
        with next as (
          select id from servers
          where ($after::uuid is null or id > $after) and ($serverId::uuid is null or id = $serverId)
          order by id
          limit $serversAtOnce)
        select (
            select id from next
            where exists (select from votes where votes.server_id = next.id and ${IS_SELECTED})
            order by id
            limit 1) as "serverId",
          (select id from next order by id desc limit 1) as "examinedTo"`,
      values: { ...selectionValues(selection, until), after, serversAtOnce: SERVERS_AT_ONCE },
      ...STATEMENT_TIMEOUT,
    }),
  )
  return rows[0] ?? { serverId: null, examinedTo: null }
}

/** @returns the next server of whose votes this voiding has voided some */
export async function findNextVoided(db: Sql, voidingId: string, after: string | null): Promise<string | null> {
  const { rows } = await db.query<{ serverId: string }>(
    `select server_id as "serverId" from vote_voiding_servers
     where voiding_id = $1 and ($2::uuid is null or server_id > $2)
     order by server_id
     limit 1`,
    [voidingId, after],
  )
  return rows[0]?.serverId ?? null
}

/** What the votes of a batch had added to the counters of their server. */
export interface BatchCounts {
  votes: number
  /** Number of the last one; null if there is none. */
  last: number | null
  /** Sum of their weights. */
  weight: string
  /** Number of votes by month, `2026-10-01`. */
  months: Record<string, number>
  /** Keys of their voters. */
  voters: Buffer[]
}

const EMPTY_BATCH: BatchCounts = { votes: 0, last: null, weight: '0', months: {}, voters: [] }

const COUNT_CHANGED = `
  by_month as (
    select date_trunc('month', voted_at at time zone 'utc')::date as month, count(*) as votes from changed group by 1)
  select count(*) as votes, max(number) as last, coalesce(sum(vote_weight(voted_at)), 0)::text as weight,
    (select coalesce(json_object_agg(month, votes), '{}') from by_month) as months,
    coalesce(array_agg(distinct voter_key) filter (where voter_key is not null), '{}') as voters
  from changed`

/** Voids up to `limit` selected votes of a server, in the order of their numbers, which all that lock votes keep. */
export async function voidBatch(
  tx: Sql,
  { id, selection }: Pick<VoidingState, 'id' | 'selection'>,
  { serverId, until, after, limit }: { serverId: string; until: Date; after: number; limit: number },
): Promise<BatchCounts> {
  const { rows } = await tx.query<BatchCounts>(
    namedParameters({
      text: `
        with picked as (
          select id from votes
          where number > $after and ${IS_SELECTED}
          order by number
          limit $limit
          for no key update),
        changed as (
          update votes set voiding_id = $id from picked
          where votes.id = picked.id
          returning number, voted_at, voter_key),
        ${COUNT_CHANGED}`,
      values: { ...selectionValues({ ...selection, serverId }, until), id, after, limit },
      ...STATEMENT_TIMEOUT,
    }),
  )
  return rows[0] ?? EMPTY_BATCH
}

/** Restores up to `limit` votes of a server that this voiding has voided. */
export async function restoreBatch(
  tx: Sql,
  id: string,
  { serverId, after, limit }: { serverId: string; after: number; limit: number },
): Promise<BatchCounts> {
  const { rows } = await tx.query<BatchCounts>(
    namedParameters({
      name: 'voiding-restore-batch',
      text: `
        with picked as (
          select id from votes
          where voiding_id = $id and server_id = $serverId and number > $after
          order by number
          limit $limit
          for no key update),
        changed as (
          update votes set voiding_id = null from picked
          where votes.id = picked.id
          returning number, voted_at, voter_key),
        ${COUNT_CHANGED}`,
      values: { id, serverId, after, limit },
    }),
  )
  return rows[0] ?? EMPTY_BATCH
}

/** Makes the server's new votes wait until the transaction ends. */
export async function lockCounters(tx: Sql, serverId: string): Promise<void> {
  await tx.query({
    name: 'voiding-lock-counters',
    text: 'select from server_counters where server_id = $1 for no key update',
    values: [serverId],
  })
}

/**
 * Takes the votes of a batch from all counters of their server, or adds them again. A vote is in the month of its time:
 * that of the counter, or an earlier one, which is in the archive.
 * @param sign -1: they are voided; 1: restored
 */
export async function addBatchToCounters(
  tx: Sql,
  serverId: string,
  { votes, weight, months }: BatchCounts,
  sign: -1 | 1,
): Promise<void> {
  await tx.query(
    namedParameters({
      name: 'voiding-count',
      text: `
        with changed as (
          select key::date as month, value::integer * $sign::integer as votes from json_each_text($months::json)),
        counted as (
          update server_counters as counters
          set voided_votes = voided_votes - $sign * $votes::integer,
            monthly_votes = monthly_votes + coalesce((select votes from changed where month = votes_month), 0),
            vote_score = greatest(0, vote_score + $sign * $weight::numeric)
          where server_id = $serverId
          returning votes_month)
        insert into server_vote_months as archive (server_id, month, votes, corrected_at)
        select $serverId, month, changed.votes, now() from changed, counted where month < votes_month
        on conflict (server_id, month) do update set votes = archive.votes + excluded.votes, corrected_at = excluded.corrected_at`,
      values: { serverId, votes, weight, months: JSON.stringify(months), sign },
    }),
  )
}

/** Counts the streaks of voided votes again that have not ended. */
export async function recountVoided(tx: Sql, serverId: string, { voters }: BatchCounts): Promise<void> {
  await tx.query({
    name: 'voiding-recount-voided',
    text: `
      select recount_streaks($1, array_agg(voter_key))
      from vote_streaks
      where server_id = $1 and voter_key = any($2::bytea[])
      having count(*) > 0`,
    values: [serverId, voters],
  })
}

/**
 * Counts the streaks of restored votes again: those that have not ended, and those that the restored votes continue.
 */
export async function recountRestored(
  tx: Sql,
  { serverId, now }: { serverId: string; now: Date | undefined },
  { voters }: BatchCounts,
): Promise<void> {
  await tx.query({
    name: 'voiding-recount-restored',
    text: `
      with touched as (
        select voter_key from vote_streaks where server_id = $1 and voter_key = any($2::bytea[])
        union
        select voter_key from votes
        where server_id = $1 and voter_key = any($2::bytea[]) and voiding_id is null
          and voted_at >= coalesce($3::timestamptz, now()) - interval '48 hours')
      select recount_streaks($1, array_agg(voter_key)) from touched having count(*) > 0`,
    values: [serverId, voters, now],
  })
}

/** Adds a batch to what a voiding has voided, or restored, of a server. */
export async function addToVoiding(
  tx: Sql,
  { id, serverId, votes, restored }: { id: string; serverId: string; votes: number; restored: number },
): Promise<void> {
  await tx.query(
    `insert into vote_voiding_servers as known (voiding_id, server_id, votes, restored) values ($1, $2, $3, $4)
     on conflict (voiding_id, server_id) do update set votes = known.votes + $3, restored = known.restored + $4`,
    [id, serverId, votes, restored],
  )
}

/** What a voiding has voided, and restored, of a server, and who owns it. @returns undefined if nothing */
export async function findVoidedOfServer(tx: Sql, id: string, serverId: string) {
  const { rows } = await tx.query<{ votes: number; restored: number; ownerId: string | null }>(
    `select votes, restored, owner_id as "ownerId"
     from vote_voiding_servers join servers on servers.id = server_id
     where voiding_id = $1 and server_id = $2 and deleted_at is null`,
    [id, serverId],
  )
  return rows[0]
}
