// How listings leave the directory and return. SQL, because each statement also writes their schedule and their status.
import type { Db } from '../../platform/db/pool.ts'

/**
 * SQL: what polls have found of a server that returns or moves is not shown as the present. Its first poll announces a
 * change against the state in which it left.
 */
export const OFFLINE_UNTIL_POLLED = `is_online = false, current_players = 0, current_bots = 0, java_online = null,
  bedrock_online = null, fresh_until = null, online_before_move = coalesce(online_before_move, is_online)`

/**
 * A soft delete, so that the change feed reports it; deletes the poll schedule, the profile, the faces and
 * the counts of visitors. From then on sources refuse the address. Only a step of `removeServer`, which
 * deletes the endpoints, too.
 * @param options.byOwner sources refuse the address only if this owner has proven it, or an administrator
 * has hidden the server
 * @returns whether it was listed
 */
export async function deleteServer(db: Db, id: string, { byOwner = false } = {}): Promise<boolean> {
  const { rows } = await db.query({
    name: 'servers-delete',
    text: `
      with removed as (
        update servers set deleted_at = now(), updated_at = now(), logo_hash = null, banner_hash = null,
          forgotten_at = case when $2 and not is_verified and hidden_at is null then now() end
        where id = $1 and deleted_at is null
        returning id),
      poll as (delete from server_polls where server_id in (select id from removed)),
      profile as (delete from server_profiles where server_id in (select id from removed)),
      faces as (delete from server_faces where server_id in (select id from removed)),
      activity as (delete from server_activity where server_id in (select id from removed))
      select id from removed`,
    values: [id, byOwner],
  })
  return rows.length > 0
}

/**
 * Which listings a source may change: those that a source found and no account owns. A hidden one stays, because its
 * address would be free for another listing.
 */
const IS_LEFT_TO_SOURCES = 'source is not null and owner_id is null and hidden_at is null'

/**
 * Removes unclaimed listings as `deleteServer` does, but so that a source may list them again. Skips listings that
 * were claimed or hidden.
 * @returns ids of the removed ones
 */
export async function forgetServers(db: Db, ids: readonly string[]): Promise<string[]> {
  if (!ids.length) return []
  const { rows } = await db.query<{ id: string }>({
    name: 'servers-forget',
    text: `
      with chosen as (
        select id from servers where id = any($1::uuid[]) and deleted_at is null and ${IS_LEFT_TO_SOURCES}
        order by id
        for no key update),
      removed as (
        update servers set deleted_at = now(), forgotten_at = now(), updated_at = now()
        where id in (select id from chosen) returning id),
      poll as (delete from server_polls where server_id in (select id from removed)),
      profile as (delete from server_profiles where server_id in (select id from removed)),
      activity as (delete from server_activity where server_id in (select id from removed))
      select id from removed`,
    values: [ids],
  })
  return rows.map(({ id }) => id)
}

/**
 * Lists forgotten servers again, with their votes and history and a poll that is due at once. Until
 * then they are offline.
 * @throws DatabaseError unique violation if another listed server has the address and query port
 * @returns ids of those that were forgotten
 */
export async function relistServers(db: Db, ids: readonly string[], source: string): Promise<string[]> {
  if (!ids.length) return []
  const { rows } = await db.query<{ id: string }>({
    name: 'servers-relist',
    text: `
      with relisted as (
        update servers set deleted_at = null, forgotten_at = null, updated_at = now(), source = $2
        where id = any($1::uuid[]) and deleted_at is not null and forgotten_at is not null
        returning id),
      status as (update server_status set ${OFFLINE_UNTIL_POLLED} where server_id in (select id from relisted)),
      poll as (
        insert into server_polls (server_id, next_poll_at, cycle)
        select server_id, now(), applied_cycle from server_status where server_id in (select id from relisted)
        on conflict (server_id) do update set next_poll_at = excluded.next_poll_at)
      select id from relisted`,
    values: [ids, source],
  })
  return rows.map(({ id }) => id)
}

/**
 * Hides a server and deletes its poll schedule, or shows it again, as offline, with a poll that is due at once. A poll
 * that runs while the server is hidden counts as applied, and the new schedule continues from there: results of an
 * applied cycle are ignored.
 * @returns false if there is no such server or nothing to change
 */
export async function setHidden(db: Db, id: string, hidden: boolean): Promise<boolean> {
  const { rows } = await db.query(
    `with changed as (
       update servers set hidden_at = case when $2 then now() end, updated_at = now()
       where id = $1 and deleted_at is null and (hidden_at is null) = $2
       returning id),
     unscheduled as (
       delete from server_polls where $2 and server_id in (select id from changed) returning server_id, cycle),
     stopped as (
       update server_status as status set applied_cycle = unscheduled.cycle
       from unscheduled where status.server_id = unscheduled.server_id),
     shown as (
       update server_status set ${OFFLINE_UNTIL_POLLED} where not $2 and server_id in (select id from changed)),
     scheduled as (
       insert into server_polls (server_id, next_poll_at, cycle)
       select server_id, now(), applied_cycle from server_status where not $2 and server_id in (select id from changed)
       on conflict (server_id) do update set next_poll_at = excluded.next_poll_at)
     select id from changed`,
    [id, hidden],
  )
  return rows.length > 0
}
