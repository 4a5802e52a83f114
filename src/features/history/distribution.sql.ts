// SQL over the catalog of Citus: which tables of history are distributed by server, and over which nodes
// (docs/decisions/0052).
import type { Sql } from '../../platform/db/pool.ts'
import { DAY_MS } from '../../platform/durations.ts'

/**
 * Distributed by `server_id`, with the rows of a server on one node. The first is what the others are colocated with.
 */
export const HISTORY_TABLES = [
  'player_history_recent',
  'player_history_open',
  'player_history_hours',
  'player_history_daily',
  'player_history_months',
  'player_history_unreadable',
  'player_history_chunks',
] as const

export interface CitusNode {
  /** `host:port`. */
  address: string
  answers: boolean
}

export interface Citus {
  version: string
  /** Those that hold history, not the coordinator. */
  nodes: CitusNode[]
  /** Those of HISTORY_TABLES that are distributed. */
  distributed: string[]
}

/** @returns null if the database has no Citus. Waits a few seconds for a node that can't be reached. */
export async function readCitus(db: Sql): Promise<Citus | null> {
  const { rows } = await db.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  )
  if (!rows[0]) return null
  const nodes = await db.query<CitusNode>(
    `select nodename || ':' || nodeport as address,
       isactive and coalesce((
         select success from run_command_on_workers('select 1') as worker
         where (worker.nodename, worker.nodeport) = (node.nodename, node.nodeport)), false) as answers
     from pg_dist_node as node
     where noderole = 'primary' and shouldhaveshards and groupid <> 0
     order by 1`,
  )
  return { version: rows[0].version, nodes: nodes.rows, distributed: await findDistributed(db) }
}

/** @returns those of HISTORY_TABLES that are distributed; none without Citus */
export async function findDistributed(db: Sql): Promise<string[]> {
  const { rows } = await db.query<{ exists: boolean }>(`select to_regclass('pg_dist_partition') is not null as exists`)
  if (!rows[0]?.exists) return []
  const { rows: tables } = await db.query<{ name: string }>(
    `select relname::text as name from pg_dist_partition join pg_class on pg_class.oid = logicalrelid
     where logicalrelid = any($1::text[]::regclass[]) and partmethod = 'h'
     order by 1`,
    [HISTORY_TABLES],
  )
  return tables.map(({ name }) => name)
}

/**
 * @returns shards of player_history_recent whose node can't be reached, in order; none if history is not distributed
 */
export async function findUnreachableShards(db: Sql): Promise<number[]> {
  if (!(await findDistributed(db)).includes(HISTORY_TABLES[0])) return []
  const { rows } = await db.query<{ id: number }>(
    `select shardid as id
     from pg_dist_shard join pg_dist_placement using (shardid) join pg_dist_node using (groupid)
     where logicalrelid = $1::regclass and noderole = 'primary' and groupid <> 0
       and (nodename, nodeport) not in (select nodename, nodeport from run_command_on_workers('select 1') where success)
     order by 1`,
    [HISTORY_TABLES[0]],
  )
  return rows.map(({ id }) => id)
}

/** A table with its partitions, by their ids. */
const PARTS = `(
  select $1::regclass::oid as relid
  union all
  select inhrelid from pg_inherits where inhparent = $1::regclass) as part`

/** @returns bytes of a table with its partitions and indexes, wherever they are */
export async function sizeOfTable(db: Sql, table: string, isDistributed: boolean): Promise<number> {
  const size = isDistributed ? 'citus_total_relation_size' : 'pg_total_relation_size'
  const { rows } = await db.query<{ bytes: number }>(`select sum(${size}(relid))::float8 as bytes from ${PARTS}`, [
    table,
  ])
  return rows[0]?.bytes ?? 0
}

/** Runs outside a transaction block. Readers continue while it runs. */
export async function distributeTable(session: Sql, table: string): Promise<void> {
  const colocated = table === HISTORY_TABLES[0] ? 'default' : HISTORY_TABLES[0]
  // Citus does not distribute a partitioned table without partitions concurrently; it is empty.
  const { rows } = await session.query<{ isEmpty: boolean }>(
    `select relkind = 'p' and not exists (select from pg_inherits where inhparent = pg_class.oid) as "isEmpty"
     from pg_class where oid = $1::regclass`,
    [table],
  )
  const distribute = rows[0]?.isEmpty ? 'create_distributed_table' : 'create_distributed_table_concurrently'
  await session.query({
    text: `select ${distribute}($1::regclass, 'server_id', colocate_with => $2)`,
    values: [table, colocated],
    ...WITHOUT_TIMEOUT,
  })
}

/** Copies the rows of a table back to this server. Readers of the table wait. */
export async function undistributeTable(session: Sql, table: string): Promise<void> {
  await session.query({ text: 'select undistribute_table($1::regclass)', values: [table], ...WITHOUT_TIMEOUT })
}

/** Copying all of the history takes hours where it is large. */
const WITHOUT_TIMEOUT = { query_timeout: DAY_MS }
