// SQL, because it selects and changes sets: pictures that wait, were abandoned, or are not used any more.
import type { Db } from '../../platform/db/pool.ts'
import { faceEncode, faceFetch } from './faces.jobs.ts'

/**
 * Banners whose address waits for its download: of imported servers, after they were unlocked, and
 * since migration 0059.
 * @returns their servers
 */
export async function findWaitingBanners(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select server_id as id from server_faces
     where kind = 'banner' and state = 'none' and source = 'url' and locked_at is null
     order by server_id limit $1`,
    [limit],
  )
  return rows.map(({ id }) => id)
}

/**
 * Whose jobs have failed or were lost. A job may wait for hours: while no worker runs, and on a restored copy
 * until it is adopted.
 * @returns how many
 */
export async function refuseAbandoned(db: Db, reason: string): Promise<number> {
  const { rowCount } = await db.query(
    `update server_faces
     set state = 'refused', reason = $1, attempt_id = null, upload = null, uploaded_by = null, updated_at = now()
     where state = 'pending' and updated_at < now() - interval '30 minutes'
       and not exists (
         select from pgboss.job
         where name = any($2) and job.state <= 'active' and data ->> 'attemptId' = attempt_id::text)`,
    [reason, [faceEncode.queue, faceFetch.queue]],
  )
  return rowCount ?? 0
}

/**
 * Deletes pictures that neither a server nor the site shows and that were last used over a day ago.
 * @returns how many
 */
export async function deleteUnusedImages(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    `delete from images
     where used_at < now() - interval '1 day'
       and not exists (select from servers where logo_hash = hash)
       and not exists (select from servers where banner_hash = hash)
       and not exists (select from site_appearance where logo_hash = hash)`,
  )
  return rowCount ?? 0
}
