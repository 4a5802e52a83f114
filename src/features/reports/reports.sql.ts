// Statements over reports.
import type { Db } from '../../platform/db/pool.ts'
import { isListed } from '../directory/index.ts'

export type Reason = 'offline' | 'spam' | 'abuse' | 'misleading' | 'other'
export type Status = 'open' | 'resolved' | 'dismissed'

export interface NewReportRow {
  id: string
  serverId: string
  userId: string
  reason: Reason
  details: string
}

/** @returns undefined when the user has an open report about the server (the partial unique index decides) */
export async function insertReport(db: Db, report: NewReportRow): Promise<{ createdAt: Date } | undefined> {
  const { rows } = await db.query<{ createdAt: Date }>(
    `insert into reports (id, server_id, user_id, reason, details) values ($1, $2, $3, $4, $5)
     on conflict (server_id, user_id) where status = 'open' do nothing
     returning created_at as "createdAt"`,
    [report.id, report.serverId, report.userId, report.reason, report.details],
  )
  return rows[0]
}

/** Keeps a server that people can see listed until the transaction ends. @returns whether there is one */
export async function holdListed(db: Db, requireVerified: boolean, serverId: string): Promise<boolean> {
  const { rowCount } = await db.query(`select from servers where id = $2 and ${isListed('$1')} for share`, [
    requireVerified,
    serverId,
  ])
  return rowCount === 1
}

export interface ReportFilter {
  status: Status | undefined
  reason: Reason | undefined
  serverId: string | undefined
}

export interface ReportRow {
  id: string
  serverId: string
  serverName: string
  isListed: boolean
  reporterId: string | null
  reporterUsername: string
  reason: Reason
  details: string
  status: Status
  note: string
  createdAt: Date
  updatedAt: Date
}

const report = (
  requireVerified: `$${number}`,
) => `select reports.id, server_id as "serverId", name as "serverName", ${isListed(requireVerified)} as "isListed",
    user_id as "reporterId", coalesce(username, '') as "reporterUsername", reason, details, status, note,
    reports.created_at as "createdAt", reports.updated_at as "updatedAt"
  from reports
  join servers on servers.id = server_id
  left join users on users.id = user_id`

const MATCHES = `($1::text is null or status = $1) and ($2::text is null or reason = $2)
  and ($3::uuid is null or server_id = $3)`

const valuesOf = ({ status, reason, serverId }: ReportFilter) => [status, reason, serverId]

/** A queue: who waits longest comes first. */
export async function findReports(
  db: Db,
  requireVerified: boolean,
  filter: ReportFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<ReportRow[]> {
  const { rows } = await db.query<ReportRow>(
    `${report('$4')} where ${MATCHES} order by reports.id limit $5 offset $6`,
    [...valuesOf(filter), requireVerified, limit, offset],
  )
  return rows
}

export async function countReports(db: Db, filter: ReportFilter): Promise<number> {
  const { rows } = await db.query<{ count: number }>(`select count(*) from reports where ${MATCHES}`, valuesOf(filter))
  return rows[0]?.count ?? 0
}

/** Locks the report until the transaction ends; undefined when there is none. */
export async function lockReport(db: Db, requireVerified: boolean, id: string): Promise<ReportRow | undefined> {
  const { rows } = await db.query<ReportRow>(`${report('$1')} where reports.id = $2 for no key update of reports`, [
    requireVerified,
    id,
  ])
  return rows[0]
}

/** @returns when it was. @throws whatever `isTaken` knows when it would be the reporter's second open one about the server */
export async function updateReport(
  db: Db,
  id: string,
  { status, note }: { status: Status; note: string },
): Promise<Date> {
  const { rows } = await db.query<{ updatedAt: Date }>(
    'update reports set status = $2, note = $3, updated_at = now() where id = $1 returning updated_at as "updatedAt"',
    [id, status, note],
  )
  if (!rows[0]) throw new Error('a report that was locked is gone')
  return rows[0].updatedAt
}

export async function deleteReport(db: Db, id: string): Promise<void> {
  await db.query('delete from reports where id = $1', [id])
}
