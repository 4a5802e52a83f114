// SQL, because of locks and sets: wipes, and the world fingerprints that show them.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { WipeRow } from './wipes.schema.ts'

const WIPE = `id, wiped_at as "wipedAt", kind, note, source`

/** Latest first. */
export async function findWipes(
  db: Db,
  serverId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<WipeRow[]> {
  const { rows } = await db.query<WipeRow>(
    `select ${WIPE} from wipes where server_id = $1 order by wiped_at desc, id desc limit $2 offset $3`,
    [serverId, limit, offset],
  )
  return rows
}

export async function countWipes(db: Db, serverId: string): Promise<number> {
  const { rows } = await db.query<{ wipes: number }>('select count(*) as wipes from wipes where server_id = $1', [
    serverId,
  ])
  return rows[0]?.wipes ?? 0
}

/** Wipes up to `hours` before or after a time, nearest first. */
export async function findWipesAround(db: Db, serverId: string, at: Date, hours: number): Promise<WipeRow[]> {
  const { rows } = await db.query<WipeRow>(
    `select ${WIPE} from wipes
     where server_id = $1
       and wiped_at between $2::timestamptz - make_interval(hours => $3) and $2::timestamptz + make_interval(hours => $3)
     order by abs(extract(epoch from wiped_at - $2::timestamptz)), id`,
    [serverId, at, hours],
  )
  return rows
}

/** Locks the server's row until the transaction ends, which serializes its wipes. */
export async function lockServer(db: Db, serverId: string): Promise<{ name: string; now: Date } | undefined> {
  const { rows } = await db.query<{ name: string; now: Date }>(
    `select name, clock_timestamp()::timestamptz(3) as now from servers where id = $1 and deleted_at is null for no key update`,
    [serverId],
  )
  return rows[0]
}

/** Adds a wipe, or replaces a detected one with the owner's report. */
export async function upsertWipe(
  db: Db,
  serverId: string,
  { id, wipedAt, kind, note, source, createdBy }: WipeRow & { createdBy: string | null },
): Promise<void> {
  await db.query(
    namedParameters({
      text: `
        insert into wipes (id, server_id, wiped_at, kind, note, source, created_by)
        values ($id, $serverId, $wipedAt, $kind, $note, $source, $createdBy)
        on conflict (id) do update set wiped_at = excluded.wiped_at, kind = excluded.kind, note = excluded.note,
          source = excluded.source, created_by = excluded.created_by`,
      values: { id, serverId, wipedAt, kind, note, source, createdBy },
    }),
  )
}

/** @returns the time of the deleted wipe; undefined if the server has no such wipe */
export async function deleteWipe(db: Db, serverId: string, wipeId: string): Promise<Date | undefined> {
  const { rows } = await db.query<{ wipedAt: Date }>(
    `delete from wipes where server_id = $1 and id = $2 returning wiped_at as "wipedAt"`,
    [serverId, wipeId],
  )
  return rows[0]?.wipedAt
}

/**
 * Updates the server's last wipe. A last wipe that was imported with the listing stays if it is later than all known
 * wipes.
 * @param instead the former time of a wipe that was changed or removed
 */
export async function updateLastWipe(db: Db, serverId: string, instead: Date | null): Promise<void> {
  await db.query(
    `update servers
     set last_wipe_at = greatest(
       (select max(wiped_at) from wipes where server_id = $1),
       case when last_wipe_at is distinct from $2::timestamptz then last_wipe_at end)
     where id = $1`,
    [serverId, instead],
  )
}

/** Fields that the server did not report are missing, or null where they are stored. */
export interface WorldFingerprint {
  /** Age of the world in in-game days. */
  day?: number | null
  /** When the world was created. */
  bornAt?: Date | null
  map?: string | null
  /** The seed that the world was generated from. */
  seed?: string | null
}

export interface PolledFingerprint {
  serverId: string
  fingerprint: WorldFingerprint
}

export interface FormerFingerprint extends WorldFingerprint {
  /** When the server first reported it. */
  changedAt: Date
}

/**
 * Stores the fingerprints of servers. Fields that are missing this time keep their values. Writes only rows that
 * change.
 * @param sightings in server id order
 * @returns the former fingerprints of known servers whose fingerprint changed
 */
export async function exchangeFingerprints(
  db: Db,
  sightings: readonly PolledFingerprint[],
): Promise<Map<string, FormerFingerprint>> {
  const { rows } = await db.query<FormerFingerprint & { serverId: string }>({
    name: 'wipes-exchange-fingerprints',
    text: `
      with seen as (
        select * from unnest($1::uuid[], $2::integer[], $3::timestamptz[], $4::text[], $5::text[])
          as seen (server_id, day, born_at, map, seed)),
      changed as (
        insert into server_wipe_signs as known (server_id, day, born_at, map, seed)
        select server_id, day, born_at, map, seed from seen
        on conflict (server_id) do update
        set day = coalesce(excluded.day, known.day), born_at = coalesce(excluded.born_at, known.born_at),
          map = coalesce(excluded.map, known.map), seed = coalesce(excluded.seed, known.seed), changed_at = now()
        where (coalesce(excluded.day, known.day), coalesce(excluded.born_at, known.born_at),
            coalesce(excluded.map, known.map), coalesce(excluded.seed, known.seed))
          is distinct from (known.day, known.born_at, known.map, known.seed)
        returning server_id)
      -- the rows as they were when the statement started
      select server_id as "serverId", day, born_at as "bornAt", map, seed, changed_at as "changedAt"
      from changed join server_wipe_signs using (server_id)`,
    values: [
      sightings.map(({ serverId }) => serverId),
      sightings.map(({ fingerprint }) => fingerprint.day ?? null),
      sightings.map(({ fingerprint }) => fingerprint.bornAt ?? null),
      sightings.map(({ fingerprint }) => fingerprint.map ?? null),
      sightings.map(({ fingerprint }) => fingerprint.seed ?? null),
    ],
  })
  return new Map(rows.map(({ serverId, ...fingerprint }) => [serverId, fingerprint]))
}

/** Deletes the fingerprint, so that the server's next poll shows no wipe. */
export async function deleteFingerprint(db: Db, serverId: string): Promise<void> {
  await db.query('delete from server_wipe_signs where server_id = $1', [serverId])
}

/**
 * Sets the next wipe of servers whose next wipe has come, as their schedules say. Leaves listings that are being
 * edited to the next run.
 * @returns how many
 */
export async function advanceNextWipes(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `with due as (select id from servers where next_wipe_at <= now() order by id for no key update skip locked)
     update servers set next_wipe_at = next_wipe_if_zone_known(wipe_schedule, now()) where id in (select id from due)`,
  )
  return rowCount ?? 0
}
