// Administrators' operations on many servers: hide them (moderators too), list those of a file, and export them to one.
import { setImmediate } from 'node:timers/promises'
import { validate as isUuid } from 'uuid'
import * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { chunksOf } from '../../platform/chunks.ts'
import { csvLine } from '../../platform/csv.ts'
import type { Db } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { StreamedFile } from '../../platform/http/reply-kinds.ts'
import { changesBetween, recordAction } from '../audit/index.ts'
import { createImporter, FIELDS, type Row, readCsv, UnreadableFile } from '../listing-files/index.ts'
import { refuseListings } from '../listings/index.ts'
import { refreshFeatured } from '../placements/index.ts'
import { createServers, requireImpartial, setHidden } from '../servers/index.ts'
import { ExportQuery, HiddenServers, HideServers, ImportQuery, ImportReport } from './admin.schema.ts'
import { findExported, lockListingForModeration, updateListingModeration } from './listings.sql.ts'
import { moderate } from './moderation.ts'

const common = { tag: 'Administration', access: 'admin' } as const

export const MAX_IMPORT_BYTES = 1024 * 1024
/** Larger files are for `npm run servers -- import`. */
const MAX_IMPORT_ROWS = 5_000
/** Rows that are checked at a time: some milliseconds. Requests of others are answered between. */
const IMPORT_BATCH = 100
const PIECE_BYTES = 32 * 1024
/** Rows of one statement of an export. */
const EXPORT_BATCH = 500
/** Spreadsheets read UTF-8 only after it. */
const BYTE_ORDER_MARK = '\uFEFF'

export const listingFilesOperations = ({ pool, settings }: Pick<Deps, 'pool' | 'settings'>) => [
  operation({
    ...common,
    method: 'post',
    path: '/admin/servers/hide',
    access: 'moderator',
    operationId: 'hideServers',
    summary: 'Hide several servers, or show them again',
    description:
      'Each server has an entry in the audit log, with the reason. If a moderator may not hide or show one of them, none is changed: 403, by ' +
      'the rules of `moderateServer`.',
    body: HideServers,
    returns: HiddenServers,
    changes: 'directory',
    async handle({ tx, actor, body: { ids, hidden, reason } }) {
      const changed: string[] = []
      const missing: string[] = []
      // Servers are locked in id order, so that two administrators do not deadlock.
      for (const id of [...new Set(ids.map((id) => id.toLowerCase()))].sort()) {
        const before = isUuid(id) ? await lockListingForModeration(tx, id) : undefined
        if (!before) {
          missing.push(id)
          continue
        }
        await requireImpartial(tx, actor, id)
        const after = moderate(before, { hidden }, actor)
        const changes = changesBetween(before, after)
        if (!changes) continue
        await updateListingModeration(tx, id, after)
        await setHidden(tx, id, hidden)
        await recordAction(tx, {
          actorId: actor.userId,
          action: 'server.update',
          targetType: 'server',
          targetId: id,
          details: { ...changes, ...(reason && { reason }) },
        })
        changed.push(id)
      }
      await refreshFeatured(tx, changed)
      return { changed: changed.length, missing }
    },
  }),
  operation({
    ...common,
    method: 'post',
    path: '/admin/servers/import',
    operationId: 'importServers',
    summary: 'List the servers of a CSV file',
    description:
      `The body is the file: UTF-8, at most 1 MB and ${MAX_IMPORT_ROWS.toLocaleString('en')} rows, with the column names in its first line: ` +
      `${FIELDS.map((field) => `\`${field}\``).join(', ')}. \`name\` and \`ipAddress\` are required, and \`gamePort\` for games without a usual ` +
      'port. Valid rows are added, by the rules of `createServer`; each other one is refused with its line and the reason. A file that can’t ' +
      'be read as a whole changes nothing.',
    query: ImportQuery,
    file: { types: ['text/csv', 'text/plain'], maxBytes: MAX_IMPORT_BYTES },
    codes: ['unreadable_file'],
    returns: ImportReport,
    transaction: false,
    async handle({ actor, query: { dryRun }, rawBody }) {
      const rows = await readRows(rawBody)
      const servers = createServers({ pool, settings, refuse: refuseListings(settings) })
      const refused: { place: string; reason: string }[] = []
      const ignoredColumns: string[] = []
      const importer = createImporter({
        add: dryRun ? servers.createCheck() : servers.addMany,
        refused: ({ place }, reason) => refused.push({ place, reason }),
        ignored: (column) => ignoredColumns.push(column.slice(0, 100)),
      })
      const report = () => ({ added: importer.counts.added, refused: importer.counts.refused })
      try {
        for (const batch of chunksOf(rows, IMPORT_BATCH)) {
          await importer.take(batch)
          await setImmediate()
        }
      } finally {
        if (!dryRun) await audit(pool, actor.userId, report())
      }
      return { dryRun, added: importer.counts.added, refused, ignoredColumns }
    },
  }),
  operation({
    ...common,
    method: 'get',
    path: '/admin/servers/export',
    operationId: 'exportServers',
    summary: 'Export servers as CSV, with the columns that an import takes; oldest first',
    description:
      'With the filters of `GET /admin/servers`. Owners, votes, history and wipe schedules are not in it. A cell that a spreadsheet could take for a formula ' +
      'begins with an apostrophe, which an import leaves out.',
    query: ExportQuery,
    returns: z.string().meta({ description: 'A table' }),
    produces: 'text/csv',
    async handle({ db, query }) {
      const next = (after: string | null) => findExported(db, query, { after, limit: EXPORT_BATCH })
      return new StreamedFile('servers.csv', exportedLines(await next(null), next))
    },
  }),
]

/** @throws ApiError 400 unreadable_file */
async function readRows(bytes: Buffer): Promise<Row[]> {
  const rows: Row[] = []
  const refuse = (why: string) => new ApiError(400, 'unreadable_file', `The file can’t be imported: ${why}.`)
  try {
    for await (const row of readCsv(piecesOf(bytes), 'it')) {
      if (rows.length === MAX_IMPORT_ROWS) throw refuse(`it has more than ${MAX_IMPORT_ROWS} rows`)
      rows.push(row)
    }
  } catch (error) {
    throw error instanceof UnreadableFile ? refuse(error.message) : error
  }
  return rows
}

/** Requests of others are answered between. */
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    yield bytes.subarray(start, start + PIECE_BYTES)
    await setImmediate()
  }
}

/** What was added stays, also if a later part failed. */
const audit = (db: Db, actorId: string, details: object) =>
  recordAction(db, { actorId, action: 'servers.import', targetType: 'site', targetId: 'servers', details })

type Listings = Awaited<ReturnType<typeof findExported>>

/**
 * Names that game servers reported may have the replacement character, which an import takes for a sign
 * of another encoding.
 */
const cellOf = (value: string | null | undefined): string => (value ?? '').replaceAll('\uFFFD', '?')

async function* exportedLines(first: Listings, next: (after: string) => Promise<Listings>): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(FIELDS)
  for (let part = first; ; ) {
    yield part.map(({ values }) => csvLine(FIELDS.map((field) => cellOf(values[field])))).join('')
    const last = part.at(-1)
    if (!last || part.length < EXPORT_BATCH) return
    part = await next(last.id)
  }
}
