// The contents of a backup: tables in an order in which they can be filled, their partitions, and sequences.
import type { Sql } from '../../src/platform/db/pool.ts'

export interface Table {
  /** The table's name: without the schema if the migrations create it, otherwise with it (`pgboss.job`). */
  name: string
  /** The quoted name for SQL. */
  sql: string
  /** Columns that are written: without generated ones and `changed_in`, which a trigger sets. */
  columns: string[]
}

/**
 * Tables of the migrations and pg-boss, a partitioned table once. Without tables that belong to one database only:
 * Prisma's bookkeeping, `installation`, and unlogged tables.
 * @returns each table after the tables that its foreign keys reference
 */
export async function listTables(db: Sql): Promise<Table[]> {
  const { rows } = await db.query<Table & { references: string[] }>(`
    select
      case when nspname = current_schema() then relname else nspname || '.' || relname end as name,
      format('%I.%I', nspname, relname) as sql,
      array(
        select attname::text from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '' and atttypid <> 'xid8'::regtype
        order by attnum
      ) as columns,
      array(
        select distinct format('%I.%I', target_schema.nspname, target.relname)
        from pg_constraint
        join pg_class target on target.oid = coalesce(pg_partition_root(confrelid), confrelid)
        join pg_namespace target_schema on target_schema.oid = target.relnamespace
        where contype = 'f' and coalesce(pg_partition_root(conrelid), conrelid) = c.oid
      ) as references
    from pg_class c
    join pg_namespace on pg_namespace.oid = relnamespace
    where nspname in (current_schema(), 'pgboss') and relkind in ('r', 'p') and not relispartition and relpersistence = 'p'
      and relname not in ('_prisma_migrations', 'installation')
      and not exists (select from pg_depend where objid = c.oid and classid = 'pg_class'::regclass and deptype = 'e')
    order by nspname <> current_schema(), relname`)
  const ordered = new Set<Table>()
  const visited = new Set<string>()
  const visit = ({ references, ...table }: (typeof rows)[number]) => {
    if (visited.has(table.sql)) return
    visited.add(table.sql)
    for (const row of rows) if (references.includes(row.sql)) visit(row)
    ordered.add(table)
  }
  for (const row of rows) visit(row)
  return [...ordered]
}

/** @returns days (`20261121`) of the daily partitions, by table */
export async function listDays(db: Sql): Promise<Record<string, string[]>> {
  const { rows } = await db.query<{ name: string; days: string[] }>(`
    select parent.relname as name, array_agg(right(part.relname, 8) order by part.relname) as days
    from pg_inherits
    join pg_class parent on parent.oid = inhparent
    join pg_class part on part.oid = inhrelid
    where parent.oid in (to_regclass('player_history_chunks'), 'pgboss.queue_stats'::regclass)
    group by parent.relname`)
  return Object.fromEntries(rows.map(({ name, days }) => [name, days]))
}

/** @returns queues with their own partition of the job table */
export async function listPartitionedQueues(db: Sql): Promise<{ name: string; policy: string }[]> {
  const { rows } = await db.query<{ name: string; policy: string }>(
    'select name, policy from pgboss.queue where partition order by name',
  )
  return rows
}

/** @returns the last value of each sequence of the migrations that was used */
export async function listSequences(db: Sql): Promise<Record<string, string>> {
  const { rows } = await db.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
     where schemaname = current_schema() and last_value is not null order by 1`,
  )
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]))
}

/** A table's rows in COPY's text format. Uses a query, because older versions can't copy a partitioned table. */
export const copyOut = ({ sql, columns }: Table): string => `copy (select ${quoted(columns)} from ${sql}) to stdout`
export const copyIn = ({ sql, columns }: Table): string => `copy ${sql} (${quoted(columns)}) from stdin`

const quoted = (columns: string[]) => columns.map((column) => `"${column.replaceAll('"', '""')}"`).join(', ')
