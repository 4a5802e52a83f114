// SQL, because networks are a type of PostgreSQL, and an opt-out follows from the listing in one statement.
import type * as z from 'zod'
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import { type PageQuery, paginate } from '../../platform/http/paging.ts'
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
 * Blocks the address and query port of a server whose owner has proven it.
 * @returns false for a server without proof
 */
export async function insertOptOut(db: Db, id: string, { serverId, userId }: { serverId: string; userId: string }) {
  const { rowCount } = await db.query(
    `insert into discovery_blocks (id, network, host, port, is_opt_out, created_by)
     select $1, (${asInet('ip_address')})::cidr, case when not ${isIpAddress('ip_address')} then ip_address end,
       query_port, true, $3
     from servers where id = $2 and is_verified and owner_id = $3`,
    [id, serverId, userId],
  )
  return rowCount === 1
}

/** Whether the owner of an address has taken it off the directory. */
export async function isOptedOut(db: Db, { ipAddress, queryPort }: { ipAddress: string; queryPort: number }) {
  const { rowCount } = await db.query(
    `select from discovery_blocks
     where is_opt_out and port = $2
       and case when ${isIpAddress('$1')} then network >>= $1::inet else host = $1 end
     limit 1`,
    [ipAddress, queryPort],
  )
  return rowCount === 1
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
