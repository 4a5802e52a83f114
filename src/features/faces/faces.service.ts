// The rules of logos and banners: who may give one, how many wait at a time, and what becomes of them.
import { v4 as uuidv4 } from 'uuid'
import type * as z from 'zod'
import type { Deps } from '../../deps.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { ApiError, unavailable } from '../../platform/http/errors.ts'
import type { JobQueue } from '../../platform/queue/jobs.ts'
import { findIconHash, iconPath } from '../profiles/index.ts'
import { notifyDirectory } from '../servers/index.ts'
import { type FaceAttempt, type FaceKind, faceEncode, faceFetch } from './faces.jobs.ts'
import type { Faces } from './faces.schema.ts'
import {
  beginAttempt,
  countUploads,
  type EncodedImage,
  type FaceRow,
  findFaces,
  findShown,
  hideShown,
  lockServer,
  lockUploads,
  refuseImage,
  removeFace,
  returnToUpload,
  showImage,
} from './faces.sql.ts'
import { imagePath } from './image-path.ts'
import { IMAGE_TYPES_IN_WORDS, imageTypeOf } from './image-types.ts'
import { deleteUnusedImages, findWaitingBanners, refuseAbandoned } from './upkeep.sql.ts'

/** Uploads of an account that wait to be encoded, which takes seconds. */
export const MAX_WAITING_UPLOADS = 4
/** Maximum of all accounts together: what the database holds while no worker runs. */
export const MAX_WAITING_BYTES = 200 * 1024 * 1024
const RETRY_AFTER_SECONDS = 60

const faceLocked = () =>
  new ApiError(
    400,
    'face_locked',
    'This picture was removed by the people who run the directory, and no other can be set.',
  )

/**
 * Takes an uploaded picture of a server that the transaction has locked; a worker encodes it.
 * @throws ApiError 400 invalid_image, face_locked; 429 rate_limited; 503 unavailable
 */
export async function storeUpload(
  tx: Db,
  jobs: JobQueue,
  { serverId, kind, userId, bytes }: { serverId: string; kind: FaceKind; userId: string; bytes: Buffer },
): Promise<void> {
  if (!imageTypeOf(bytes)) throw new ApiError(400, 'invalid_image', `The file is not ${IMAGE_TYPES_IN_WORDS}.`)
  await lockUploads(tx)
  const waiting = await countUploads(tx, { serverId, kind, userId })
  if (waiting.ofUser >= MAX_WAITING_UPLOADS)
    throw new ApiError(429, 'rate_limited', 'Several of your pictures still wait to be processed.', {
      headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) },
    })
  if (waiting.bytes + bytes.length > MAX_WAITING_BYTES)
    throw unavailable('Too many pictures wait to be processed.', RETRY_AFTER_SECONDS)
  const attempt = { serverId, kind, attemptId: uuidv4() }
  if (!(await beginAttempt(tx, attempt, { upload: bytes, userId }))) throw faceLocked()
  await jobs.enqueue(tx, faceEncode, [attempt])
}

/**
 * Has the picture of a changed `bannerUrl` downloaded. Its server must be locked. An address that was removed takes its
 * picture with it, and leaves one that was uploaded before; one that failed is tried again whenever it is saved.
 */
export async function applyBannerUrl(
  tx: Db,
  jobs: JobQueue,
  { serverId, before, after }: { serverId: string; before: string; after: string },
): Promise<void> {
  const banner = (await findFaces(tx, serverId)).find(({ kind }) => kind === 'banner')
  const hasFailed = banner?.source === 'url' && banner.state === 'refused'
  if (after === before && !hasFailed) return
  if (after) await enqueueBannerDownload(tx, jobs, serverId)
  else if (banner) await removeDownloaded(tx, serverId, banner)
}

async function enqueueBannerDownload(tx: Db, jobs: JobQueue, serverId: string): Promise<void> {
  const attempt = { serverId, kind: 'banner' as const, attemptId: uuidv4() }
  if (await beginAttempt(tx, attempt, undefined)) await jobs.enqueue(tx, faceFetch, [attempt])
}

/** Removes the banner of an address, also one that is shown because an upload in its place waits or was refused. */
async function removeDownloaded(tx: Db, serverId: string, { source, shownSource, state }: FaceRow): Promise<void> {
  const face = { serverId, kind: 'banner' } as const
  if (source === 'url') {
    if (shownSource === 'upload') await returnToUpload(tx, face)
    else await removeFace(tx, face)
    return
  }
  if (shownSource !== 'url') return
  if (state === 'refused') await removeFace(tx, face)
  else await hideShown(tx, face)
}

/**
 * Ends an attempt with its result, if it still counts: neither replaced, removed nor locked since.
 * @returns whether it does
 */
export async function recordEncoding(
  { pool }: Pick<Deps, 'pool'>,
  attempt: FaceAttempt,
  result: EncodedImage | { refused: string },
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await lockServer(tx, attempt.serverId)
    if ('refused' in result) return refuseImage(tx, attempt, result.refused)
    const isShown = await showImage(tx, attempt, result)
    if (isShown) await notifyDirectory(tx)
    return isShown
  })
}

/** @param baseUrl of the service, for the addresses of pictures */
export async function readFaces(db: Db, serverId: string, baseUrl: string): Promise<z.output<typeof Faces>> {
  const rows = await findFaces(db, serverId)
  const shown = await findShown(db, serverId)
  const view = (kind: FaceKind) => {
    const { state, source, reason, isLocked, updatedAt }: Omit<FaceRow, 'updatedAt'> & { updatedAt: Date | null } =
      rows.find((row) => row.kind === kind) ?? nothingGiven(kind)
    const hash = shown[kind]
    return { state, source, reason, isLocked, updatedAt, url: hash === null ? null : baseUrl + imagePath(hash) }
  }
  const iconHash = await findIconHash(db, serverId)
  const { reason = null, isLocked = false } = rows.find(({ kind }) => kind === 'icon') ?? {}
  const icon = { reason, isLocked, url: iconHash === null ? null : baseUrl + iconPath(iconHash) }
  return { logo: view('logo'), banner: view('banner'), icon }
}

const nothingGiven = (kind: FaceKind) =>
  ({ kind, state: 'none', source: null, shownSource: null, reason: null, isLocked: false, updatedAt: null }) as const

/** A run: downloads and encodings of less than an hour, even if most addresses do not answer. */
const MAX_BANNERS = 500

/** Has the banners downloaded that wait for it. @returns how many */
async function fetchWaitingBanners({ pool, jobs }: Pick<Deps, 'pool' | 'jobs'>): Promise<number> {
  const serverIds = await findWaitingBanners(pool, MAX_BANNERS)
  for (const serverId of serverIds)
    await inTransaction(pool, async (tx) => {
      await lockServer(tx, serverId)
      const [banner] = (await findFaces(tx, serverId)).filter(({ kind }) => kind === 'banner')
      if (banner?.state !== 'none' || banner.isLocked) return // an owner was faster
      await enqueueBannerDownload(tx, jobs, serverId)
    })
  return serverIds.length
}

export async function runFacesUpkeep({ pool, jobs, log }: Pick<Deps, 'pool' | 'jobs' | 'log'>): Promise<void> {
  log.info({ banners: await fetchWaitingBanners({ pool, jobs }) }, 'waiting banners downloaded')
  const abandoned = await refuseAbandoned(pool, 'could not be processed; please try again')
  log.info({ images: await deleteUnusedImages(pool), abandoned }, 'pictures that no server shows deleted')
}
