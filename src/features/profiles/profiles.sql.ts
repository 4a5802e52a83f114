// SQL, because each statement writes sets of rows in several tables.
import { type Db, inTransaction, type Pool, type Sql } from '../../platform/db/pool.ts'
import { notifyDirectory } from '../servers/index.ts'
import type { ChangedProfile } from './profile.ts'

/** What a poll learned about a listing in addition to its status. */
export interface ServerReport extends Partial<ChangedProfile> {
  serverId: string
  /**
   * Cycle of the poll whose result the status has: a server that has moved since keeps nothing of its former address.
   */
  cycle: number
  /** The port that players reach without typing one; only if it differs from the listing's. */
  gamePort?: number
}

/** A message of the day may change at each poll; every change is read by all API processes. */
const MIN_SECONDS_BETWEEN_CHANGES = 600

/**
 * Stores what polls learned, in a transaction of its own: it locks listings, which edits lock before the status that
 * polls lock. A listing that is being edited is skipped, as is a profile that changed within ten minutes; the next
 * poll reports it again.
 */
export async function writeReports(pool: Pool, reports: readonly ServerReport[]): Promise<void> {
  if (!reports.length) return
  await inTransaction(
    pool,
    async (tx) => {
      const allowed = await withoutLockedIcons(tx, reports)
      const icons = new Map(allowed.flatMap(({ icon }) => (icon ? [[icon.hash, icon.png]] : [])))
      await insertIcons(tx, icons)
      const written = await updateListings(tx, allowed)
      if (written) await notifyDirectory(tx)
    },
    { durable: false },
  )
}

/**
 * The reports without icons that an administrator has locked, new ones and those of the profile as the poll knew it.
 * Locks the listings of reports with icons, as locking an icon does, and leaves out those that are being edited.
 */
async function withoutLockedIcons(tx: Db, reports: readonly ServerReport[]): Promise<readonly ServerReport[]> {
  const ids = reports.filter(hasIcon).map(({ serverId }) => serverId)
  if (!ids.length) return reports
  const { rows: free } = await tx.query<{ id: string }>({
    name: 'profiles-lock-listings',
    text: 'select id from servers where id = any($1::uuid[]) order by id for no key update skip locked',
    values: [ids],
  })
  const { rows: locked } = await tx.query<{ id: string }>({
    name: 'profiles-locked-icons',
    text: `select server_id as id from server_faces where kind = 'icon' and locked_at is not null and server_id = any($1::uuid[])`,
    values: [ids],
  })
  const freeIds = new Set(free.map(({ id }) => id))
  const lockedIds = new Set(locked.map(({ id }) => id))
  return reports.flatMap((report) => {
    if (!hasIcon(report)) return report
    if (!freeIds.has(report.serverId)) return []
    return lockedIds.has(report.serverId) ? withoutIcon(report) : report
  })
}

const hasIcon = ({ profile }: ServerReport) => profile?.icon !== undefined

function withoutIcon({ icon: _icon, profile, ...report }: ServerReport): ServerReport {
  const { icon: _hash, ...rest } = profile ?? {}
  return { ...report, profile: rest }
}

/** Shows no icon until the game server reports one that may be stored. The listing must be locked. */
export async function removeIcon(db: Db, serverId: string): Promise<void> {
  await db.query(
    `with removed as (
       update server_profiles set profile = profile - 'icon', icon_hash = null
       where server_id = $1 and icon_hash is not null
       returning server_id)
     update servers set updated_at = updated_at -- so that the feed reads the listing
     where id in (select server_id from removed)`,
    [serverId],
  )
}

/** @returns the hash of the icon that is shown */
export async function findIconHash(db: Db, serverId: string): Promise<string | null> {
  const { rows } = await db.query<{ hash: string | null }>(
    'select icon_hash as hash from server_profiles where server_id = $1',
    [serverId],
  )
  return rows[0]?.hash ?? null
}

/** Stores icons, or marks stored ones as used, so that they are not deleted before a profile names them. */
async function insertIcons(db: Db, icons: ReadonlyMap<string, Buffer>): Promise<void> {
  if (!icons.size) return
  const ordered = [...icons].sort(([a], [b]) => (a < b ? -1 : 1)) // parallel transactions must not deadlock
  await db.query({
    name: 'profiles-insert-icons',
    text: `
      insert into icons (hash, png) select hash, png from unnest($1::text[], $2::bytea[]) as given (hash, png)
      on conflict (hash) do update set used_at = now()`,
    values: [ordered.map(([hash]) => hash), ordered.map(([, png]) => png)],
  })
}

/** @returns the number of listings that changed */
async function updateListings(db: Db, reports: readonly ServerReport[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'profiles-update',
    text: `
      with given as (
        select "serverId" as id, profile, "gamePort" as game_port
        from json_to_recordset($1) as report ("serverId" uuid, cycle bigint, profile jsonb, "gamePort" integer)
        join server_status as status on status.server_id = "serverId" and applied_cycle = report.cycle),
      due as (
        select id, profile, game_port from given
        where game_port is not null or not exists (
          select from server_profiles where server_id = id and changed_at >= now() - make_interval(secs => $2))),
      free as (
        select id from servers
        where id in (select id from due) and deleted_at is null
        order by id
        for no key update skip locked),
      stored as (
        insert into server_profiles (server_id, profile, icon_hash)
        select id, profile, profile ->> 'icon' from due join free using (id) where profile is not null
        on conflict (server_id) do update
          set profile = excluded.profile, icon_hash = excluded.icon_hash, changed_at = now()
          where server_profiles.changed_at < now() - make_interval(secs => $2)
            and server_profiles.profile is distinct from excluded.profile
        returning server_id as id, profile),
      changed as (
        update servers
        set game_port = case when game_port_given then servers.game_port else coalesce(due.game_port, servers.game_port) end,
          name = case when name_from_server then coalesce(stored.profile ->> 'name', name) else name end
        from due
        left join stored using (id)
        where servers.id = due.id and due.id in (select id from free)
          and (stored.id is not null or due.game_port is not null)
        returning servers.id)
      select count(*)::integer from changed`,
    values: [JSON.stringify(reports.map(({ icon: _icon, ...report }) => report)), MIN_SECONDS_BETWEEN_CHANGES],
  })
  return rows[0]?.count ?? 0
}

/** Deletes icons that no profile names and that were last used over a day ago. @returns how many */
export async function deleteUnusedIcons(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from icons
     where used_at < now() - interval '1 day' and not exists (select from server_profiles where icon_hash = hash)`,
  )
  return rowCount ?? 0
}

/** @returns undefined if no icon has this hash */
export async function findIcon(db: Sql, hash: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ png: Buffer }>({
    name: 'profiles-icon',
    text: 'select png from icons where hash = $1',
    values: [hash],
  })
  return rows[0]?.png
}
