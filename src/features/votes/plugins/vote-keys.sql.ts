// SQL, because keys are valid by the database's clock and only while the server keeps the owner who made them.
import type { Db, Sql } from '../../../platform/db/pool.ts'
import { listedIn, type Transfer } from '../../servers/index.ts'

/** Lets the server's key end in a day, and deletes the one it replaced. The server must be locked. */
export async function retireVoteKey(db: Db, serverId: string): Promise<void> {
  await db.query(
    `with former as (
       delete from vote_keys where server_id = $1 and expires_at is not null)
     update vote_keys set expires_at = now() + interval '1 day' where server_id = $1 and expires_at is null`,
    [serverId],
  )
}

/**
 * Adds the key of the server's current owner. The server must be locked and have no other without an end.
 * @returns when
 */
export async function insertVoteKey(
  db: Db,
  { serverId, tokenHash, startsWith }: { serverId: string; tokenHash: Uint8Array; startsWith: string },
): Promise<Date> {
  const { rows } = await db.query<{ createdAt: Date }>(
    `insert into vote_keys (token_hash, server_id, owner_id, starts_with)
     select $2, id, owner_id, $3 from servers where id = $1
     returning created_at as "createdAt"`,
    [serverId, tokenHash, startsWith],
  )
  const [row] = rows
  if (!row) throw new Error('a locked server is missing')
  return row.createdAt
}

/** Valid keys of a server, the newest first; `validUntil` is null until it is replaced or revoked. */
export async function findVoteKeys(db: Db, serverId: string) {
  const { rows } = await db.query<{
    startsWith: string
    createdAt: Date
    lastUsedAt: Date | null
    validUntil: Date | null
  }>(
    `select starts_with as "startsWith", vote_keys.created_at as "createdAt", last_used_at as "lastUsedAt",
       expires_at as "validUntil"
     from vote_keys
     join servers on servers.id = server_id and servers.owner_id is not distinct from vote_keys.owner_id
     where server_id = $1 and (expires_at is null or expires_at > now())
     order by expires_at desc nulls first`,
    [serverId],
  )
  return rows
}

/** Keeps the keys of `from` valid for the server's next owner. Call it before the server changes owners. */
export async function transferVoteKeys(db: Db, { serverId, from, to }: Transfer): Promise<void> {
  await db.query('update vote_keys set owner_id = $3 where server_id = $1 and owner_id = $2', [serverId, from, to])
}

/** @returns how many there were */
export async function deleteVoteKeys(db: Db, serverId: string): Promise<number> {
  const { rowCount } = await db.query('delete from vote_keys where server_id = $1', [serverId])
  return rowCount ?? 0
}

/** Deletes those of all servers of an owner, also those that members made. @returns how many */
export async function deleteVoteKeysOf(db: Db, ownerId: string): Promise<number> {
  const { rowCount } = await db.query('delete from vote_keys where owner_id = $1', [ownerId])
  return rowCount ?? 0
}

/**
 * Finds the server of a valid key, and stores its use at most once a minute.
 * @returns undefined if the key is unknown or has ended, or its server is not listed, has another owner or a banned one
 */
export async function findServerOfKey(db: Db, tokenHash: Uint8Array): Promise<string | undefined> {
  const { rows } = await db.query<{ serverId: string }>({
    name: 'vote-keys-find-server',
    text: `
      with found as (
        select server_id, last_used_at
        from vote_keys
        join servers on servers.id = server_id and servers.owner_id is not distinct from vote_keys.owner_id
        left join users on users.id = servers.owner_id
        where token_hash = $1 and (expires_at is null or expires_at > now()) and banned_at is null and ${listedIn(db)}),
      used as (
        update vote_keys set last_used_at = now()
        from found
        where token_hash = $1 and (found.last_used_at is null or found.last_used_at <= now() - interval '1 minute'))
      select server_id as "serverId" from found`,
    values: [tokenHash],
  })
  return rows[0]?.serverId
}

/** Deletes keys that have ended, and those of removed servers and former owners. @returns how many */
export async function deleteInvalidVoteKeys(db: Sql): Promise<number> {
  const { rowCount } = await db.query(
    `delete from vote_keys using servers
     where servers.id = server_id
       and (expires_at <= now() or deleted_at is not null or servers.owner_id is distinct from vote_keys.owner_id)`,
  )
  return rowCount ?? 0
}
