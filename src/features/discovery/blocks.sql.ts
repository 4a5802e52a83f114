// SQL, because networks are a type of PostgreSQL, and an opt-out follows from the listing in one statement.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { type PageQuery, paginate } from '../../platform/http/paging.ts'
import { addressOf } from '../servers/index.ts'
import { asInet, isIpAddress } from './address.sql.ts'
import type { Block, NewBlock } from './discovery.schema.ts'

type BlockRow = z.output<typeof Block>

const COLUMNS = `id, network::text as network, host, port, game, name_pattern as "namePattern",
  is_opt_out as "isOptOut", note, created_at as "createdAt"`

export async function insertBlock(
  db: Db,
  id: string,
  { network, host, port, game, namePattern, note }: z.output<typeof NewBlock>,
  createdBy: string,
): Promise<BlockRow> {
  const { rows } = await db.query<BlockRow>(
    namedParameters({
      text: `
        insert into discovery_blocks (id, network, host, port, game, name_pattern, note, created_by)
        values ($id, $network::inet::cidr, $host, $port, $game, $namePattern, $note, $createdBy)
        returning ${COLUMNS}`,
      values: { id, network, host, port, game, namePattern, note, createdBy },
    }),
  )
  if (!rows[0]) throw new Error('the block was not stored')
  return rows[0]
}

export async function deleteBlock(db: Db, id: string): Promise<BlockRow | undefined> {
  const { rows } = await db.query<BlockRow>(`delete from discovery_blocks where id = $1 returning ${COLUMNS}`, [id])
  return rows[0]
}

export function findBlocks(db: Db, page: PageQuery) {
  return paginate('blocks', page, {
    async count() {
      const { rows } = await db.query<{ count: number }>('select count(*) from discovery_blocks')
      return rows[0]?.count ?? 0
    },
    async find({ limit, offset }) {
      const { rows } = await db.query<BlockRow>(
        `select ${COLUMNS} from discovery_blocks order by id desc limit $1 offset $2`,
        [limit, offset],
      )
      return rows
    },
  })
}

/**
 * Blocks the address and query port of a server whose owner has proven it: of a listing by a DNS name, the name and the
 * address that was proven.
 * @returns false for a server without proof
 */
export async function insertOptOut(db: Db, id: string, { serverId, userId }: { serverId: string; userId: string }) {
  const { rowCount } = await db.query(
    `insert into discovery_blocks (id, network, host, port, is_opt_out, created_by)
     select $1, coalesce(${asInet('ip_address')}, proven_address::inet)::cidr, case when not ${isIpAddress('ip_address')} then ip_address end,
       query_port, true, $3
     from servers where id = $2 and is_verified and owner_id = $3`,
    [id, serverId, userId],
  )
  return rowCount === 1
}

/** @returns those of the addresses that their owners have taken off the directory, as `addressOf` */
export async function findOptedOut(
  db: Sql,
  addresses: readonly { ipAddress: string; queryPort: number }[],
): Promise<Set<string>> {
  const { rows } = await db.query<{ ipAddress: string; queryPort: number }>(
    `select ip_address as "ipAddress", query_port as "queryPort"
     from unnest($1::text[], $2::integer[]) as asked (ip_address, query_port)
     where exists (
       select from discovery_blocks
       where is_opt_out and port = query_port
         and case when ${isIpAddress('ip_address')} then network >>= ip_address::inet else host = ip_address end)`,
    [addresses.map(({ ipAddress }) => ipAddress), addresses.map(({ queryPort }) => queryPort)],
  )
  return new Set(rows.map(addressOf))
}

/** @returns how many unclaimed servers of each source are listed */
export async function countListed(db: Db): Promise<Map<string, number>> {
  const { rows } = await db.query<{ source: string; count: number }>(
    `select coalesce(source, '') as source, count(*)::integer as count from servers
     where source is not null and owner_id is null and deleted_at is null and hidden_at is null
     group by source`,
  )
  return new Map(rows.map(({ source, count }) => [source, count]))
}
