// How the site looks, in the memory of a process: read at its start and whenever a change is announced.
import { createHash } from 'node:crypto'
import { v4 as uuidv4 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction, type Sql } from '../../platform/db/pool.ts'
import { ApiError } from '../../platform/http/errors.ts'
import type { PageAppearance } from '../../platform/http/pages.ts'
import { PRODUCT_NAME } from '../../platform/product.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import {
  type EncodedImage,
  IMAGE_TYPES_IN_WORDS,
  imageTypeOf,
  logoUrl,
  smallLogoPath,
  storeImage,
} from '../faces/index.ts'
import { accentColors, accentPath } from './accent.ts'
import { type LogoAttempt, logoEncode } from './appearance.jobs.ts'
import type { AppearanceReply } from './appearance.schema.ts'
import {
  type AppearanceFields,
  beginLogo,
  endLogo,
  findAppearance,
  findShownAppearance,
  lockAppearance,
  lockLogo,
  NOTHING_SET,
  notifyAppearance,
} from './appearance.sql.ts'

/** What pages and mails show. The name is never empty. */
export type Appearance = PageAppearance & AppearanceFields & { logoHash: string | null }

export type AppearanceService = ReturnType<typeof createAppearance>
/** What the feed calls when an announcement arrives. */
export type AppearanceListener = Pick<AppearanceService, 'readSoon' | 'retry'>

function toAppearance(row: AppearanceFields & { logoHash: string | null }): Appearance {
  const version = createHash('sha256').update(JSON.stringify(row)).digest('base64url').slice(0, 12)
  return {
    ...row,
    name: row.name || PRODUCT_NAME,
    logo: row.logoHash === null ? undefined : smallLogoPath(row.logoHash),
    style: row.accent === null ? undefined : accentPath(row.accent),
    version,
  }
}

export const readAppearance = async (db: Sql): Promise<Appearance> =>
  toAppearance((await findShownAppearance(db)) ?? { ...NOTHING_SET, logoHash: null })

/** Shows the product's look until `refresh` has read another. */
export function createAppearance({ pool, log }: Pick<Deps, 'pool' | 'log'>) {
  let shown = toAppearance({ ...NOTHING_SET, logoHash: null })
  let started = 0
  let applied = 0
  let isLate = false

  /** Resolves once everything committed before the call is shown. */
  async function refresh(): Promise<void> {
    const readNumber = ++started
    const read = await readAppearance(pool)
    if (readNumber < applied) return // a later read was faster
    applied = readNumber
    shown = read
    isLate = false
  }

  function readSoon(): void {
    refresh().catch((err: unknown) => {
      isLate = true
      log.warn({ err }, 'the appearance of the site can’t be read from the database; retrying each second')
    })
  }

  return {
    current: () => shown,
    refresh,
    /** Call it after an announcement, and after announcements may have been missed. */
    readSoon,
    /** Called each second while the database answers. */
    retry(): void {
      if (isLate) readSoon()
    },
  }
}

/** @param origin of the service, for the address of the logo */
export async function describeAppearance(db: Db, origin: string): Promise<z.output<typeof AppearanceReply>> {
  const row = await findAppearance(db)
  const { name, accent, introduction, imprintUrl, privacyUrl } = row ?? NOTHING_SET
  const { logoHash = null, logoReason = null, isLogoPending = false, updatedAt = null } = row ?? {}
  return {
    name,
    accent,
    colors: accent && accentColors(accent),
    introduction,
    imprintUrl,
    privacyUrl,
    logo: {
      state: logoStateOf({ isLogoPending, logoReason, logoHash }),
      reason: isLogoPending ? null : logoReason,
      url: logoHash === null ? null : logoUrl({ logoHash, profile: null }, origin),
    },
    updatedAt,
  }
}

interface LogoRow {
  isLogoPending: boolean
  logoReason: string | null
  logoHash: string | null
}

function logoStateOf({ isLogoPending, logoReason, logoHash }: LogoRow) {
  if (isLogoPending) return 'pending'
  if (logoReason !== null) return 'refused'
  return logoHash === null ? 'none' : 'ready'
}

/** Takes an uploaded logo; a worker encodes it. @throws ApiError 400 invalid_image */
export async function takeLogo(tx: Db, jobs: JobQueue, bytes: Buffer): Promise<void> {
  if (!imageTypeOf(bytes)) throw new ApiError(400, 'invalid_image', `The file is not ${IMAGE_TYPES_IN_WORDS}.`)
  const attempt = { attemptId: uuidv4() }
  await lockAppearance(tx)
  await beginLogo(tx, attempt, bytes)
  await jobs.enqueue(tx, logoEncode, [attempt])
}

/** Ends an attempt with its result, if it still counts: neither replaced nor removed since. @returns whether it does */
export async function finishLogo(
  { pool }: Pick<Deps, 'pool'>,
  attempt: LogoAttempt,
  result: EncodedImage | { refused: string },
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    if (!(await lockLogo(tx, attempt))) return false
    if ('hash' in result) await storeImage(tx, result)
    await endLogo(tx, result)
    await notifyAppearance(tx)
    return true
  })
}
