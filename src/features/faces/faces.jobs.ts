// Jobs of logos and banners. They carry no picture: an uploaded one is in `server_faces` until it is encoded.
import * as z from 'zod'
import { defineJob, defineScheduledJob } from '../../platform/queue/contract.ts'

export const FACE_KINDS = ['logo', 'banner'] as const
export type FaceKind = (typeof FACE_KINDS)[number]

/** What administrators lock: these, and the icon that the game server reports. */
export const LOCKED_KINDS = [...FACE_KINDS, 'icon'] as const
export type LockedKind = (typeof LOCKED_KINDS)[number]

/** One picture that was given for a server. A later one makes its jobs do nothing. */
export const FaceAttempt = z.object({ serverId: z.uuid(), kind: z.enum(FACE_KINDS), attemptId: z.uuid() })
export type FaceAttempt = z.output<typeof FaceAttempt>

const OPTIONS = {
  // Eight jobs of a worker share one process at a time (workers/registry.ts): the last picture is encoded after 160 s
  // at the latest, 20 s for each. A download has 10 s.
  expireInSeconds: 300,
  // A picture that ends its process three times is refused by the upkeep.
  retryLimit: 2,
  retryDelay: 5,
  deleteAfterSeconds: 3600,
}

/** Encodes an uploaded picture. */
export const faceEncode = defineJob('face-encode', FaceAttempt, OPTIONS)

/** Downloads the picture of `bannerUrl`, and encodes it. */
export const faceFetch = defineJob('face-fetch', FaceAttempt, OPTIONS)

/** Hourly. */
export const facesUpkeep = defineScheduledJob('faces-upkeep', { cadence: 'hours', expireInSeconds: 600 })

export const jobs = { faceEncode, faceFetch, facesUpkeep }
