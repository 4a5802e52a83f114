// Reads a database into the parts of a backup file from one snapshot, while other sessions may write.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { lockDistributedHistory } from '../../src/features/history/index.ts'
import { appliedMigrations } from '../../src/platform/db/migrate.ts'
import { readQueueSchemaVersion } from '../../src/platform/queue/jobs.ts'
import { encodeHeader, encodeTable, encodeTableEnd, encodeTrailer, type Header } from './format.ts'
import type { Progress } from './progress.ts'
import { createRowChecksum } from './row-checksum.ts'
import { setSessionSettings } from './session.ts'
import { copyOut, listDays, listPartitionedQueues, listSequences, listTables, type Table } from './tables.ts'

/**
 * At midnight (UTC) workers add a day's partition, which waits for readers of the table. Until it is added they
 * supervise no queue, so a backup must not hold this table from its begin to its end.
 */
const isStatistics = ({ name }: Table): boolean => name === 'pgboss.queue_stats'

export async function* dump(client: pg.Client, progress: Progress): AsyncGenerator<Buffer> {
  const locked = (await listTables(client)).filter((table) => !isStatistics(table))
  await lockDistributedHistory(client)
  await client.query('begin isolation level repeatable read read only')
  // Locked before the snapshot, as pg_dump does, so that no partition is dropped and no migration alters a table during
  // the backup.
  await client.query(`lock table ${locked.map(({ sql }) => sql).join(', ')} in access share mode`)
  await setSessionSettings(client)
  yield encodeHeader(await readHeader(client))
  const listed = await listTables(client)
  const tables = [...listed.filter((table) => !isStatistics(table)), ...listed.filter(isStatistics)]
  for (const [place, table] of tables.entries()) {
    yield encodeTable({ table: table.name, columns: table.columns })
    const checksum = createRowChecksum()
    const rows = client.query(copyTo(copyOut(table)))
    for await (const bytes of rows as AsyncIterable<Buffer>) {
      checksum.add(bytes)
      progress.add(bytes.length)
      yield bytes
    }
    const sum = checksum.sum()
    if (sum.rows !== rows.rowCount)
      throw new Error(`${table.name}: ${rows.rowCount} rows were sent, ${sum.rows} arrived`)
    yield encodeTableEnd(sum)
    progress.tableDone(`${place + 1}/${tables.length} ${table.name}`, sum.rows)
  }
  yield encodeTrailer(tables.length)
  await client.query('commit')
}

async function readHeader(client: pg.Client): Promise<Omit<Header, 'format' | 'version'>> {
  const { rows } = await client.query<{ version: string; now: Date }>(
    `select current_setting('server_version') as version, now() as now`,
  )
  return {
    createdAt: (rows[0]?.now ?? new Date()).toISOString(),
    postgres: rows[0]?.version ?? '',
    migrations: await appliedMigrations(client),
    queueSchema: await readQueueSchemaVersion(client),
    partitionedQueues: await listPartitionedQueues(client),
    days: await listDays(client),
    sequences: await listSequences(client),
  }
}
