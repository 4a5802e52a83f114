// SQL, because one statement decides which of several pictures for a server counts, and Prisma would read the pictures
// too.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { removeIcon } from '../profiles/index.ts'
import type { FaceAttempt, FaceKind, LockedKind } from './faces.jobs.ts'

/** The column of `servers` with the hash of the picture that is shown. */
const SHOWN = { logo: 'logo_hash', banner: 'banner_hash' } as const

interface ServerFaceKey {
  serverId: string
  kind: FaceKind
}

/** Icons are reported by game servers, and can be locked like what owners upload. */
export interface LockableFace {
  serverId: string
  kind: LockedKind
}

export interface FaceRow {
  kind: LockedKind
  state: 'none' | 'pending' | 'ready' | 'refused'
  /** Of the picture that was given last. */
  source: 'upload' | 'url' | null
  /** Of the picture that is shown. */
  shownSource: 'upload' | 'url' | null
  reason: string | null
  isLocked: boolean
  updatedAt: Date
}

export async function findFaces(db: Db, serverId: string): Promise<FaceRow[]> {
  const { rows } = await db.query<FaceRow>(
    `select kind, state, source, shown_source as "shownSource", reason, locked_at is not null as "isLocked", updated_at as "updatedAt"
     from server_faces where server_id = $1`,
    [serverId],
  )
  return rows
}

/** @returns hashes of the pictures that a server shows */
export async function findShown(db: Db, serverId: string): Promise<Record<FaceKind, string | null>> {
  const { rows } = await db.query<{ logo: string | null; banner: string | null }>(
    'select logo_hash as logo, banner_hash as banner from servers where id = $1',
    [serverId],
  )
  return rows[0] ?? { logo: null, banner: null }
}

/** Lets uploads count and write one after the other, so that no two of them pass a bound together. */
export async function lockUploads(db: Db): Promise<void> {
  await db.query(`select pg_advisory_xact_lock(hashtextextended('face uploads', 0))`)
}

/** Uploads that wait to be encoded, without the one that a new upload would replace. */
export async function countUploads(
  db: Db,
  { serverId, kind, userId }: ServerFaceKey & { userId: string },
): Promise<{ ofUser: number; bytes: number }> {
  const { rows } = await db.query<{ ofUser: number; bytes: number }>(
    `select count(*) filter (where uploaded_by = $3)::integer as "ofUser",
       coalesce(sum(octet_length(upload)), 0)::float8 as bytes
     from server_faces
     where state = 'pending' and upload is not null and (server_id, kind) <> ($1, $2)`,
    [serverId, kind, userId],
  )
  return rows[0] ?? { ofUser: 0, bytes: 0 }
}

/**
 * Writes that a picture was given, in place of the one before. Its server must be locked.
 * @param given.upload its bytes; without them a worker downloads it
 * @returns false if the face is locked
 */
export async function beginAttempt(
  db: Db,
  { serverId, kind, attemptId }: FaceAttempt,
  given: { upload: Buffer; userId: string } | undefined,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into server_faces (server_id, kind, state, source, attempt_id, upload, uploaded_by)
     values ($1, $2, 'pending', case when $4::bytea is null then 'url' else 'upload' end, $3, $4, $5)
     on conflict (server_id, kind) do update
       set state = excluded.state, source = excluded.source, reason = null, attempt_id = excluded.attempt_id,
         upload = excluded.upload, uploaded_by = excluded.uploaded_by, updated_at = now()
       where server_faces.locked_at is null`,
    [serverId, kind, attemptId, given?.upload ?? null, given?.userId ?? null],
  )
  return rowCount === 1
}

/** @returns undefined if the picture no longer counts */
export async function findUpload(db: Db, { serverId, kind, attemptId }: FaceAttempt): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ upload: Buffer | null }>(
    'select upload from server_faces where server_id = $1 and kind = $2 and attempt_id = $3',
    [serverId, kind, attemptId],
  )
  return rows[0]?.upload ?? undefined
}

/** @returns the address to download; undefined if the picture no longer counts */
export async function findBannerUrl(db: Db, { serverId, kind, attemptId }: FaceAttempt): Promise<string | undefined> {
  const { rows } = await db.query<{ bannerUrl: string }>(
    `select banner_url as "bannerUrl" from servers
     join server_faces on server_id = id
     where id = $1 and kind = $2 and attempt_id = $3 and deleted_at is null`,
    [serverId, kind, attemptId],
  )
  return rows[0]?.bannerUrl || undefined
}

/** Edits lock the server first, so whatever changes its faces does too. */
export async function lockServer(db: Db, serverId: string): Promise<void> {
  await db.query('select from servers where id = $1 for no key update', [serverId])
}

/** A picture as a worker encoded it. */
export interface EncodedImage {
  /** SHA-256 of `webp`, base64url. */
  hash: string
  webp: Buffer
  /** Smaller variant of a logo; null for a banner. */
  small: Buffer | null
  card: Buffer
}

/**
 * Shows a picture, if it still counts. The server must be locked.
 * @returns whether it does
 */
export async function showImage(
  db: Db,
  { serverId, kind, attemptId }: FaceAttempt,
  image: EncodedImage,
): Promise<boolean> {
  const { rows } = await db.query<{ id: string }>(
    namedParameters({
      text: `
        with decided as (
          update server_faces
          set state = 'ready', shown_source = source, reason = null, attempt_id = null, upload = null, uploaded_by = null,
            updated_at = now()
          where server_id = $serverId and kind = $kind and attempt_id = $attemptId
          returning server_id),
        stored as (
          insert into images (hash, webp, small, card)
          select $hash, $webp::bytea, $small::bytea, $card::bytea from decided
          on conflict (hash) do update set used_at = now())
        update servers set ${SHOWN[kind]} = $hash where id in (select server_id from decided)
        returning id`,
      values: { serverId, kind, attemptId, ...image },
    }),
  )
  return rows.length > 0
}

/** Stores a picture that is not a server's. The caller sets what shows it in the same transaction. */
export async function storeImage(db: Db, { hash, webp, small, card }: EncodedImage): Promise<void> {
  await db.query(
    `insert into images (hash, webp, small, card) values ($1, $2, $3, $4)
     on conflict (hash) do update set used_at = now()`,
    [hash, webp, small, card],
  )
}

/** Ends an attempt; the picture before it is still shown. @returns whether it still counted */
export async function refuseImage(
  db: Db,
  { serverId, kind, attemptId }: FaceAttempt,
  reason: string,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `update server_faces
     set state = 'refused', reason = $4, attempt_id = null, upload = null, uploaded_by = null, updated_at = now()
     where server_id = $1 and kind = $2 and attempt_id = $3`,
    [serverId, kind, attemptId, reason],
  )
  return rowCount === 1
}

/**
 * Forgets that another picture was given in place of the uploaded one, which is still shown. The server must be locked.
 */
export async function returnToUpload(db: Db, { serverId, kind }: ServerFaceKey): Promise<void> {
  await db.query(
    `update server_faces
     set state = 'ready', source = 'upload', reason = null, attempt_id = null, updated_at = now()
     where server_id = $1 and kind = $2 and shown_source = 'upload' and locked_at is null`,
    [serverId, kind],
  )
}

/** Shows no picture, and ends an attempt that is pending. A lock stays. The server must be locked. */
export async function removeFace(db: Db, { serverId, kind }: ServerFaceKey): Promise<void> {
  await db.query(
    `with ended as (delete from server_faces where server_id = $1 and kind = $2 and locked_at is null)
     update servers set ${SHOWN[kind]} = null where id = $1 and ${SHOWN[kind]} is not null`,
    [serverId, kind],
  )
}

/** Shows no picture, and leaves an upload that waits to be encoded. The server must be locked. */
export async function hideShown(db: Db, { serverId, kind }: ServerFaceKey): Promise<void> {
  await db.query(
    `with hidden as (update server_faces set shown_source = null where server_id = $1 and kind = $2)
     update servers set ${SHOWN[kind]} = null where id = $1 and ${SHOWN[kind]} is not null`,
    [serverId, kind],
  )
}

/** @returns who locked the face; undefined if it is not locked */
export async function findLocker(db: Db, { serverId, kind }: LockableFace): Promise<'admin' | 'moderator' | undefined> {
  const { rows } = await db.query<{ byModerator: boolean }>(
    `select locked_by_moderator as "byModerator" from server_faces
     where server_id = $1 and kind = $2 and locked_at is not null`,
    [serverId, kind],
  )
  return rows[0] && (rows[0].byModerator ? 'moderator' : 'admin')
}

/** Removes the picture, and lets no other be given. The server must be locked. */
export async function lockFace(
  db: Db,
  { serverId, kind }: LockableFace,
  { userId, reason, byModerator }: { userId: string; reason: string; byModerator: boolean },
): Promise<void> {
  if (kind === 'icon') await removeIcon(db, serverId)
  else await removeFace(db, { serverId, kind })
  await db.query(
    `insert into server_faces (server_id, kind, state, reason, locked_at, locked_by, locked_by_moderator)
     values ($1, $2, 'none', nullif($4, ''), now(), $3, $5)
     on conflict (server_id, kind) do update
       set reason = excluded.reason, locked_at = now(), locked_by = excluded.locked_by,
         locked_by_moderator = excluded.locked_by_moderator, updated_at = now()`,
    [serverId, kind, userId, reason, byModerator],
  )
}

/** A banner that has an address waits for its download. @returns whether it was locked */
export async function unlockFace(db: Db, { serverId, kind }: LockableFace): Promise<boolean> {
  const { rowCount: waiting } = await db.query(
    `update server_faces
     set source = 'url', reason = null, locked_at = null, locked_by = null, locked_by_moderator = false, updated_at = now()
     from servers
     where servers.id = server_id and server_id = $1 and kind = $2 and kind = 'banner' and banner_url <> ''
       and locked_at is not null`,
    [serverId, kind],
  )
  if (waiting === 1) return true
  const { rowCount } = await db.query(
    'delete from server_faces where server_id = $1 and kind = $2 and locked_at is not null',
    [serverId, kind],
  )
  return rowCount === 1
}

/** @param size of a logo: 64 pixels, else 128 @returns undefined if there is no such picture */
export async function findImage(db: Db, hash: string, size?: 64): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ bytes: Buffer | null }>({
    name: size === 64 ? 'faces-small-image' : 'faces-image',
    text: `select ${size === 64 ? 'small' : 'webp'} as bytes from images where hash = $1`,
    values: [hash],
  })
  return rows[0]?.bytes ?? undefined
}

/** The encoding for cards: PNG of a logo, JPEG of a banner. */
export async function findCardImage(db: Sql, hash: string): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ card: Buffer }>('select card from images where hash = $1', [hash])
  return rows[0]?.card
}
