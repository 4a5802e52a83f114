// SQL, because the row is created by its first change, and one statement decides which of several pictures counts.
import { namedParameters } from '../../platform/db/named-parameters.ts'
import type { Db, Sql } from '../../platform/db/pool.ts'
import { DIRECTORY_CHANGED } from '../servers/index.ts'
import type { LogoAttempt } from './appearance.jobs.ts'
import type { Color } from './colors.ts'

/** What administrators set. */
export interface AppearanceFields {
  name: string
  accent: Color | null
  introduction: string
  imprintUrl: string
  privacyUrl: string
}

export const NOTHING_SET: AppearanceFields = {
  name: '',
  accent: null,
  introduction: '',
  imprintUrl: '',
  privacyUrl: '',
}

const FIELDS = `name, accent, introduction, imprint_url as "imprintUrl", privacy_url as "privacyUrl"`

/** What pages and mails show. */
export async function findShownAppearance(
  db: Sql,
): Promise<(AppearanceFields & { logoHash: string | null }) | undefined> {
  const { rows } = await db.query<AppearanceFields & { logoHash: string | null }>(
    `select ${FIELDS}, logo_hash as "logoHash" from site_appearance`,
  )
  return rows[0]
}

export interface AppearanceRow extends AppearanceFields {
  logoHash: string | null
  logoReason: string | null
  isLogoPending: boolean
  updatedAt: Date
}

/** A logo that no worker has encoded for half an hour has failed: a job is retried within minutes. */
export async function findAppearance(db: Db): Promise<AppearanceRow | undefined> {
  const { rows } = await db.query<AppearanceRow>(
    `select ${FIELDS}, logo_hash as "logoHash", updated_at as "updatedAt",
       logo_attempt_id is not null and logo_given_at > now() - interval '30 minutes' as "isLogoPending",
       case when logo_attempt_id is null then logo_reason else 'could not be processed; please try again' end as "logoReason"
     from site_appearance`,
  )
  return rows[0]
}

/** Creates the row if it is missing, and locks it until the transaction ends. */
export async function lockAppearance(db: Db): Promise<AppearanceFields> {
  await db.query('insert into site_appearance (id) values (1) on conflict (id) do nothing')
  const { rows } = await db.query<AppearanceFields>(`select ${FIELDS} from site_appearance for no key update`)
  return rows[0] ?? NOTHING_SET
}

export async function updateAppearance(db: Db, fields: AppearanceFields): Promise<void> {
  await db.query(
    namedParameters({
      text: `
        update site_appearance
        set name = $name, accent = $accent, introduction = $introduction, imprint_url = $imprintUrl,
          privacy_url = $privacyUrl, updated_at = now()`,
      values: { ...fields },
    }),
  )
}

/** The row must be locked. */
export async function beginLogo(db: Db, { attemptId }: LogoAttempt, upload: Buffer): Promise<void> {
  await db.query(
    `update site_appearance
     set logo_attempt_id = $1, logo_upload = $2, logo_reason = null, logo_given_at = now(), updated_at = now()`,
    [attemptId, upload],
  )
}

/**
 * Shows no logo, and ends an attempt that is pending. The row must be locked.
 * @returns whether there was something to remove
 */
export async function removeLogo(db: Db): Promise<boolean> {
  const { rowCount } = await db.query(
    `update site_appearance
     set logo_hash = null, logo_attempt_id = null, logo_upload = null, logo_reason = null, updated_at = now()
     where logo_hash is not null or logo_attempt_id is not null or logo_reason is not null`,
  )
  return rowCount === 1
}

/** @returns undefined if the picture no longer counts */
export async function findLogoUpload(db: Db, { attemptId }: LogoAttempt): Promise<Buffer | undefined> {
  const { rows } = await db.query<{ upload: Buffer | null }>(
    'select logo_upload as upload from site_appearance where logo_attempt_id = $1',
    [attemptId],
  )
  return rows[0]?.upload ?? undefined
}

/** @returns whether the picture still counts, locked until the transaction ends */
export async function lockLogo(db: Db, { attemptId }: LogoAttempt): Promise<boolean> {
  const { rowCount } = await db.query('select from site_appearance where logo_attempt_id = $1 for no key update', [
    attemptId,
  ])
  return rowCount === 1
}

/** Ends the attempt, whose row is locked. @param result the hash of a stored picture, or why there is none */
export async function endLogo(db: Db, result: { hash: string } | { refused: string }): Promise<void> {
  const [hash, reason] = 'hash' in result ? [result.hash, null] : [null, result.refused]
  await db.query(
    `update site_appearance
     set logo_hash = coalesce($1, logo_hash), logo_reason = $2, logo_attempt_id = null, logo_upload = null, updated_at = now()`,
    [hash, reason],
  )
}

/** What the feed's channel says of a change here: an announcement of the directory says nothing. */
export const APPEARANCE = 'appearance'

/** Has every API process read the row again, after the commit. */
export async function notifyAppearance(db: Sql): Promise<void> {
  await db.query(`select pg_notify('${DIRECTORY_CHANGED}', '${APPEARANCE}')`)
}
