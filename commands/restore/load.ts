// Fills a database from a backup in one transaction, which commits only after every table was compared with the file.
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { createPartitions } from '../../src/features/history/index.ts'
import { markRestored } from '../../src/platform/db/installation.ts'
import { buildSchema } from '../../src/platform/db/migrate.ts'
import { requireConverted, UnsupportedDatabaseError } from '../../src/platform/db/supported-database.ts'
import { buildQueueSchema, readQueueSchemaVersion } from '../../src/platform/queue/jobs.ts'
import { type Header, type Part, readBackup, type TableLine } from '../backup/format.ts'
import type { Progress } from '../backup/progress.ts'
import { createRowChecksum, type TableSum } from '../backup/row-checksum.ts'
import { setSessionSettings } from '../backup/session.ts'
import { copyIn, copyOut, listTables, type Table } from '../backup/tables.ts'
import { CommandError } from '../command.ts'

export interface LoadOptions {
  file: string
  progress: Progress
  /** Called when the existing tables are locked. @throws to leave them as they are */
  whenLocked(): Promise<void>
  note(line: string): void
}

/** @returns the numbers of restored tables and rows */
export async function load(client: pg.Client, options: LoadOptions): Promise<{ tables: number; rows: number }> {
  const { file, progress } = options
  await client.query('begin')
  await client.query(`set local lock_timeout = '10s'`)
  const old = await listOldTables(client)
  if (old.length) await client.query(`lock table ${old.join(', ')} in access exclusive mode`)
  await options.whenLocked()
  await dropTables(client, old)
  const parts = readBackup(file)
  const header = await readHeader(parts)
  await buildTables(client, header)
  await setSessionSettings(client) // again, because pg-boss’ script sets timeouts

  progress.begin('restoring')
  await switchTriggers(client, 'disable')
  const filled = await fillTables(client, parts, options)
  await switchTriggers(client, 'enable')
  for (const [name, last] of Object.entries(header.sequences))
    await client.query('select setval(format($1, $2::text)::regclass, $3::bigint)', ['%I', name, last])
  await refuseUnconverted(client)
  await markRestored(client)

  progress.begin('comparing with the file')
  for (const { table, sum } of filled) await compare(client, table, sum, progress)
  await client.query('commit')
  return { tables: filled.length, rows: filled.reduce((rows, { sum }) => rows + sum.rows, 0) }
}

/**
 * Before the commit, so that the database stays as it is: the migrations that follow would refuse it.
 * @throws CommandError
 */
async function refuseUnconverted(client: pg.Client): Promise<void> {
  await requireConverted(client).catch((cause: unknown) => {
    if (!(cause instanceof UnsupportedDatabaseError)) throw cause
    throw new CommandError(`the backup can’t be restored by this release: ${cause.message}`, 1, cause)
  })
}

/** Tables of the migrations and pg-boss, without partitions. */
async function listOldTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(`
    select format('%I.%I', nspname, relname) as name from pg_class owned
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in (current_schema(), 'pgboss') and relkind in ('r', 'p') and not relispartition and ${NOT_OF_AN_EXTENSION}`)
  return rows.map(({ name }) => name)
}

const NOT_OF_AN_EXTENSION = `not exists (select from pg_depend where objid = owned.oid and deptype = 'e')`

/** Also drops the functions and types of the migrations, which create them again. */
async function dropTables(client: pg.Client, tables: string[]): Promise<void> {
  if (tables.length) await client.query(`drop table ${tables.join(', ')} cascade`)
  await client.query('drop schema if exists pgboss, player_history_days cascade')
  const routines = await client.query<{ name: string }>(`
    select oid::regprocedure::text as name from pg_proc owned
    where pronamespace = current_schema()::regnamespace and ${NOT_OF_AN_EXTENSION}`)
  await dropTogether(client, 'routine', routines.rows)
  const types = await client.query<{ name: string }>(`
    select oid::regtype::text as name from pg_type owned
    where typnamespace = current_schema()::regnamespace and typrelid in (select oid from pg_class where relkind = 'c') and ${NOT_OF_AN_EXTENSION}`)
  await dropTogether(client, 'type', types.rows)
}

/** Drops the objects in one statement, because some use others. */
async function dropTogether(client: pg.Client, kind: 'routine' | 'type', objects: { name: string }[]): Promise<void> {
  if (objects.length) await client.query(`drop ${kind} ${objects.map(({ name }) => name).join(', ')}`)
}

async function readHeader(parts: AsyncGenerator<Part>): Promise<Header> {
  const { value } = await parts.next()
  if (value?.kind !== 'header') throw new Error('a backup must start with its header')
  return value.header
}

async function buildTables(client: pg.Client, header: Header): Promise<void> {
  await buildSchema(client, header.migrations)
  await buildQueueSchema(client, {
    partitioned: header.partitionedQueues,
    statisticsDays: header.days.queue_stats ?? [],
  })
  const queueSchema = await readQueueSchemaVersion(client)
  if (queueSchema !== header.queueSchema)
    throw new CommandError(
      `the backup’s queues have version ${header.queueSchema}, but this release has ${queueSchema}: ` +
        'restore it with the release that made it, then update',
    )
  await createPartitions(client, header.days.player_history_chunks ?? [])
}

/**
 * Triggers of the migrations change rows that are inserted, or add others, and the file has both as they were. Those of
 * `changed_in` stay enabled, because the file does not have that column.
 */
async function switchTriggers(client: pg.Client, to: 'disable' | 'enable'): Promise<void> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s %s trigger %I', owned.oid::regclass, $1::text, tgname) as statement
     from pg_trigger join pg_class owned on owned.oid = tgrelid
     where relnamespace = current_schema()::regnamespace and not tgisinternal and tgfoid <> 'set_changed_in()'::regprocedure
       and ${NOT_OF_AN_EXTENSION}`,
    [to],
  )
  for (const { statement } of rows) await client.query(statement)
}

async function fillTables(
  client: pg.Client,
  parts: AsyncGenerator<Part>,
  { progress, note }: LoadOptions,
): Promise<{ table: Table; sum: TableSum }[]> {
  const tables = await listTables(client)
  await client.query(`truncate ${tables.map(({ sql }) => sql).join(', ')}`)
  const filled: { table: Table; sum: TableSum }[] = []
  for (let part = await parts.next(); !part.done; part = await parts.next()) {
    if (part.value.kind !== 'table') throw new Error('a table was expected')
    const line = part.value.table
    const table = matchTable(tables, line)
    if (!table) note(`skipped table ${line.table}, which this release does not have`)
    const rows = rowsOf(parts, progress)
    if (table) await pipeline(rows.bytes, client.query(copyFrom(copyIn(table))))
    else for await (const _ of rows.bytes);
    const sum = rows.sum()
    progress.tableDone(line.table, sum.rows)
    if (table) filled.push({ table, sum })
  }
  const missing = tables.find(({ name }) => !filled.some(({ table }) => table.name === name))
  if (missing) throw new CommandError(`the backup has no table ${missing.name}: it does not fit this release`)
  return filled
}

function matchTable(tables: Table[], { table: name, columns }: TableLine): Table | undefined {
  const table = tables.find((each) => each.name === name)
  if (table && table.columns.toSorted().join() !== columns.toSorted().join())
    throw new CommandError(`table ${name} of the backup has other columns than this release’s`)
  return table && { ...table, columns }
}

/** A table's rows, up to the line with their checksum. */
function rowsOf(parts: AsyncGenerator<Part>, progress: Progress) {
  let sum: TableSum | undefined
  async function* bytes(): AsyncGenerator<Buffer> {
    for (;;) {
      const { value, done } = await parts.next()
      if (done || value.kind === 'header' || value.kind === 'table') throw new Error('rows were expected')
      if (value.kind === 'sum') {
        sum = value.sum
        return
      }
      progress.add(value.bytes.length)
      yield value.bytes
    }
  }
  return { bytes: bytes(), sum: () => sum ?? { rows: 0, checksum: '' } }
}

async function compare(client: pg.Client, table: Table, expected: TableSum, progress: Progress): Promise<void> {
  const checksum = createRowChecksum()
  for await (const bytes of client.query(copyTo(copyOut(table))) as AsyncIterable<Buffer>) {
    checksum.add(bytes)
    progress.add(bytes.length)
  }
  const seen = checksum.sum()
  if (seen.rows !== expected.rows || seen.checksum !== expected.checksum)
    throw new Error(`table ${table.name} differs from the backup after it was restored: nothing is changed`)
}
