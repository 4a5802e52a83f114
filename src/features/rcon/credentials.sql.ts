// Statements on RCON passwords. One is of use only while the server belongs to who set it: whoever takes a listing over must
// not have the former owner's password sent to a server of theirs.
import type { SealedRow, SealedRows } from '../../platform/config/reseal.ts'
import type { Db } from '../../platform/db/pool.ts'

export interface Credential {
  port: number
  /** Sealed. */
  password: string
  updatedAt: Date
}

/** Sets it for the server's owner of now; call it with the listing held. */
export async function upsertCredential(
  db: Db,
  { serverId, port, password }: { serverId: string; port: number; password: string },
): Promise<Date> {
  const { rows } = await db.query<{ updatedAt: Date }>(
    `insert into rcon_credentials (server_id, owner_id, port, password)
     select id, owner_id, $2, $3 from servers where id = $1
     on conflict (server_id) do update
     set owner_id = excluded.owner_id, port = excluded.port, password = excluded.password, updated_at = now()
     returning updated_at as "updatedAt"`,
    [serverId, port, password],
  )
  const [row] = rows
  if (!row) throw new Error('a listing that was held is gone')
  return row.updatedAt
}

/** @returns whether there was one */
export async function deleteCredential(db: Db, serverId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from rcon_credentials where server_id = $1', [serverId])
  return rowCount === 1
}

/** Of servers that are gone, or another's by now: nobody can use them any more. @returns how many */
export async function deleteStray(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rcon_credentials as rcon using servers
     where servers.id = rcon.server_id and (deleted_at is not null or servers.owner_id is distinct from rcon.owner_id)`,
  )
  return rowCount ?? 0
}

export interface Target {
  /** As listed: an IPv4 address or a name. */
  ipAddress: string
  /** By proof or an administrator's word. */
  isVerified: boolean
  /** Null when there is none that is of use. */
  credential: Credential | null
}

/** @returns undefined when the server is not listed any more */
export async function findTarget(db: Db, serverId: string): Promise<Target | undefined> {
  const { rows } = await db.query<Omit<Target, 'credential'> & { [K in keyof Credential]: Credential[K] | null }>(
    `select ip_address as "ipAddress", is_verified as "isVerified", port, password, rcon.updated_at as "updatedAt"
     from servers
     left join rcon_credentials as rcon
       on rcon.server_id = servers.id and rcon.owner_id is not distinct from servers.owner_id
     where servers.id = $1 and deleted_at is null`,
    [serverId],
  )
  const [row] = rows
  if (!row) return undefined
  const { ipAddress, isVerified, port, password, updatedAt } = row
  const isThere = port !== null && password !== null && updatedAt !== null
  return { ipAddress, isVerified, credential: isThere ? { port, password, updatedAt } : null }
}

export const sealedPasswords = (db: Db): SealedRows => ({
  async findAfter(id, limit) {
    const { rows } = await db.query<SealedRow>(
      `select server_id as id, array[password] as sealed
       from rcon_credentials where server_id > $1 order by server_id limit $2`,
      [id, limit],
    )
    return rows
  },
  async replace(before, after) {
    await db.query('update rcon_credentials set password = $3 where server_id = $1 and password = $2', [
      before.id,
      ...before.sealed,
      ...after.sealed,
    ])
  },
})
