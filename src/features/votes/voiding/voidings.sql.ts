// The list of voidings. SQL, because it sums up their servers.
import { namedParameters } from '../../../platform/db/named-parameters.ts'
import type { Db } from '../../../platform/db/pool.ts'
import { notFound } from '../../../platform/http/errors.ts'
import { type PageQuery, paginate } from '../../../platform/http/paging.ts'
import { isOnTeamSql } from '../../servers/index.ts'
import { NO_SUCH_VOIDING, RESTORABLE_DAYS, type VoidingStatus, type VoteSelection } from './voiding.schema.ts'

export interface VoidingRow {
  id: string
  createdAt: Date
  createdBy: string
  createdByUsername: string
  reason: string
  selection: VoteSelection
  status: VoidingStatus
  votes: number
  restoredVotes: number
  servers: number
  restorableUntil: Date
  restoredAt: Date | null
  isRestorable: boolean
  byModerator: boolean
}

const VOIDING = `
  select voiding.id, voiding.created_at as "createdAt", created_by as "createdBy", coalesce(username, '') as "createdByUsername", reason,
    selection, status, votes, "restoredVotes", servers, restorable_until as "restorableUntil", restored_at as "restoredAt",
    status = 'voided' and restorable_until > now() as "isRestorable", by_moderator as "byModerator"
  from vote_voidings as voiding
  cross join lateral (select voiding.created_at + make_interval(days => ${RESTORABLE_DAYS}) as restorable_until) as term
  cross join lateral (
    select coalesce(sum(votes), 0)::integer as votes, coalesce(sum(restored), 0)::integer as "restoredVotes", count(*) as servers
    from vote_voiding_servers
    where voiding_id = voiding.id) as sums
  left join users on users.id = created_by`

const OF_SERVER = `($serverId::uuid is null or exists (
  select from vote_voiding_servers where voiding_id = voiding.id and server_id = $serverId))`

/** A page, newest first. */
export const findVoidings = (
  db: Db,
  { serverId = null, ...page }: PageQuery & { serverId?: string | undefined | null },
) =>
  paginate('voidings', page, {
    async count() {
      const text = `select count(*) from vote_voidings as voiding where ${OF_SERVER}`
      const { rows } = await db.query<{ count: number }>(namedParameters({ text, values: { serverId } }))
      return rows[0]?.count ?? 0
    },
    async find({ limit, offset }) {
      const text = `${VOIDING} where ${OF_SERVER} order by voiding.id desc limit $limit offset $offset`
      const { rows } = await db.query<VoidingRow>(namedParameters({ text, values: { serverId, limit, offset } }))
      return rows
    },
  })

export async function findVoiding(db: Db, id: string): Promise<VoidingRow> {
  const { rows } = await db.query<VoidingRow>(`${VOIDING} where voiding.id = $1`, [id])
  if (!rows[0]) throw notFound(NO_SUCH_VOIDING)
  return rows[0]
}

/** Locks it until the transaction ends, also against the job. @throws ApiError 404 */
export async function lockVoiding(tx: Db, id: string): Promise<VoidingRow> {
  await tx.query('select from vote_voidings where id = $1 for no key update', [id])
  return findVoiding(tx, id)
}

/** The voiding's time is that of the database's clock: later votes are not voided. */
export async function insertVoiding(
  tx: Db,
  voiding: { id: string; createdBy: string; byModerator: boolean; reason: string; selection: VoteSelection },
): Promise<void> {
  const { id, createdBy, byModerator, reason, selection } = voiding
  await tx.query(
    `insert into vote_voidings (id, created_by, by_moderator, reason, selection) values ($1, $2, $3, $4, $5)`,
    [id, createdBy, byModerator, reason, selection],
  )
}

/** @returns a server of whose votes it has voided some, and which the user owns or works on */
export async function findOwnServer(tx: Db, voidingId: string, userId: string): Promise<string | undefined> {
  const { rows } = await tx.query<{ serverId: string }>(
    `select server_id as "serverId" from vote_voiding_servers
     where voiding_id = $1 and ${isOnTeamSql('vote_voiding_servers.server_id', '$2')}
     limit 1`,
    [voidingId, userId],
  )
  return rows[0]?.serverId
}

/** Has the job restore its votes, from the first one on. */
export async function beginRestoring(tx: Db, id: string, restoredBy: string): Promise<void> {
  await tx.query(
    `update vote_voidings
     set status = 'restoring', restored_by = $2, restored_at = now(), after_server = null, after_number = 0
     where id = $1`,
    [id, restoredBy],
  )
}
