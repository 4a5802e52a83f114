// SQL, because each statement compares owners across tables. A password is valid only while the server keeps the owner
// it had when the password was set: a new owner must not have the former owner's password sent to their own server.
import type { Db, Optional } from '../../platform/db/pool.ts'
import type { Transfer } from '../servers/index.ts'

export interface Credential {
  port: number
  /** Encrypted. */
  password: string
  updatedAt: Date
}

/** Sets the credential for the server's current owner. The server must be locked. */
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
  if (!row) throw new Error('a locked server is missing')
  return row.updatedAt
}

/** @returns whether it existed */
export async function deleteCredential(db: Db, serverId: string): Promise<boolean> {
  const { rowCount } = await db.query('delete from rcon_credentials where server_id = $1', [serverId])
  return rowCount === 1
}

/** Keeps the credential of `from` valid for the server's next owner. Call it before the server changes owners. */
export async function transferCredential(db: Db, { serverId, from, to }: Transfer): Promise<void> {
  await db.query('update rcon_credentials set owner_id = $3 where server_id = $1 and owner_id = $2', [
    serverId,
    from,
    to,
  ])
}

/** Deletes credentials of servers that were removed or have another owner. @returns how many */
export async function deleteInvalidCredentials(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from rcon_credentials as rcon using servers
     where servers.id = rcon.server_id and (deleted_at is not null or servers.owner_id is distinct from rcon.owner_id)`,
  )
  return rowCount ?? 0
}

export interface Target {
  /** gamedig type id. */
  game: string
  /** The listed host: an address or a name. */
  ipAddress: string
  /** With `gamePortGiven`: whether the service of the game's client decides where the name leads, as for polls. */
  gamePort: number
  gamePortGiven: boolean
  /** Whether a claim or an administrator has verified the server. */
  isVerified: boolean
  isOwnerBanned: boolean
  /** Null if there is none that is valid. */
  credential: Credential | null
}

/** @returns undefined if the server was removed */
export async function findTarget(db: Db, serverId: string): Promise<Target | undefined> {
  const { rows } = await db.query<Omit<Target, 'credential'> & Optional<Credential>>(
    `select game, ip_address as "ipAddress", game_port as "gamePort", game_port_given as "gamePortGiven", is_verified as "isVerified",
       port, password, rcon.updated_at as "updatedAt",
       exists (select from users where users.id = servers.owner_id and banned_at is not null) as "isOwnerBanned"
     from servers
     left join rcon_credentials as rcon
       on rcon.server_id = servers.id and rcon.owner_id is not distinct from servers.owner_id
     where servers.id = $1 and deleted_at is null`,
    [serverId],
  )
  const [row] = rows
  if (!row) return undefined
  const { port, password, updatedAt, ...target } = row
  const isSet = port !== null && password !== null && updatedAt !== null
  return { ...target, credential: isSet ? { port, password, updatedAt } : null }
}
