// Reports, each with the server and the reporter it names.
import type * as z from 'zod'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { SessionActor } from '../../platform/http/actor.ts'
import { notFound } from '../../platform/http/errors.ts'
import { paginate } from '../../platform/http/paging.ts'
import { withoutUndefined } from '../../platform/without-undefined.ts'
import { isListedServer, isOnTeamSql, LISTING_FIELDS } from '../servers/index.ts'
import {
  NO_SUCH_REPORT,
  type Reason,
  type ReportsQuery,
  type ShownReason,
  type Status,
  type VoteFinding,
} from './reports.schema.ts'

const related = {
  server: { select: { name: true, ...LISTING_FIELDS } },
  user: { select: { username: true } },
} satisfies Prisma.ReportInclude

type Row = Prisma.ReportGetPayload<{ include: typeof related }>

const toReport = (db: Db, { server, user, userId, signal, numbers, selection, ...row }: Row) => ({
  ...row,
  reason: row.reason as ShownReason,
  status: row.status as Status,
  serverName: server?.name ?? '',
  isListed: server !== null && isListedServer(db, server),
  reporterId: userId,
  reporterUsername: user?.username ?? '',
  finding: signal === null ? null : ({ signal, ...(numbers as object), selection } as z.output<typeof VoteFinding>),
})

/**
 * @throws an error that `isUniqueViolation` recognizes if the user has an open report about the server (a partial
 * unique index decides)
 */
export const insertReport = (
  { prisma }: Db,
  report: { id: string; serverId: string; userId: string; reason: Reason; details: string },
) => prisma.report.create({ data: report, select: { createdAt: true } })

/** A page, oldest first. Moderators do not learn who has reported a server that they own or work on. */
export function findReports(
  db: Db,
  actor: Pick<SessionActor, 'userId' | 'isAdmin'>,
  { status, reason, serverId, ...page }: z.output<typeof ReportsQuery>,
) {
  const where = withoutUndefined({ status, reason, serverId })
  return paginate('reports', page, {
    count: () => db.prisma.report.count({ where }),
    async find({ limit: take, offset: skip }) {
      const rows = await db.prisma.report.findMany({ where, orderBy: { id: 'asc' }, take, skip, include: related })
      const own = actor.isAdmin ? new Set() : await findServersOfTeam(db, actor.userId, rows)
      return rows
        .map((row) => toReport(db, row))
        .map((report) => (own.has(report.serverId) ? { ...report, reporterId: null, reporterUsername: '' } : report))
    },
  })
}

/** SQL, because the rule is. @returns ids of those that the user owns or works on */
async function findServersOfTeam(db: Db, userId: string, reports: { serverId: string | null }[]) {
  const { rows } = await db.query<{ id: string }>(
    `select id from unnest($1::uuid[]) as reported (id) where ${isOnTeamSql('reported.id', '$2')}`,
    [reports.map(({ serverId }) => serverId), userId],
  )
  return new Set<string | null>(rows.map(({ id }) => id))
}

/** Locks the report until the transaction ends. @throws ApiError 404 */
export async function lockReport(tx: Db, id: string) {
  await tx.query('select from reports where id = $1 for no key update', [id])
  const row = await tx.prisma.report.findUnique({ where: { id }, include: related })
  if (!row) throw notFound(NO_SUCH_REPORT)
  return toReport(tx, row)
}

/** @throws an error that `isUniqueViolation` recognizes if the reporter has another open report about the server */
export const updateReport = ({ prisma }: Db, id: string, change: { status: Status; note: string }) =>
  prisma.report.update({ where: { id }, data: { ...change, updatedAt: new Date() }, select: { updatedAt: true } })

export async function deleteReport({ prisma }: Db, id: string): Promise<void> {
  await prisma.report.delete({ where: { id }, select: { id: true } })
}
