// Requests and replies of the operations of logos and banners.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { line } from '../../platform/text.ts'
import { LOCKED_KINDS } from './faces.jobs.ts'

const Face = z
  .object({
    state: z
      .enum(['none', 'pending', 'ready', 'refused'])
      .describe(
        'Of the picture that was given last. `pending`: a worker will encode it within seconds. `refused`: see `reason`; the one before is still shown',
      ),
    source: z.enum(['upload', 'url']).nullable().describe('`url`: downloaded from `bannerUrl`'),
    reason: z.string().nullable().describe('Why the picture was refused, or the face is locked'),
    url: z.url().nullable().describe('The picture that is shown'),
    isLocked: z
      .boolean()
      .describe('Whether a moderator or an administrator has removed the picture, so that no other can be given'),
    updatedAt: Timestamp.nullable(),
  })
  .meta({ id: 'ServerFace' })

const Icon = Face.pick({ url: true, reason: true, isLocked: true })
  .meta({ id: 'ServerIcon' })
  .describe('What the game server reports, and stands in for a logo; it can’t be uploaded')

export const Faces = z.object({ logo: Face, banner: Face, icon: Icon }).meta({ id: 'ServerFaces' })

export const FaceKindParams = z.object({ kind: z.enum(LOCKED_KINDS, 'must be logo, banner or icon') })

export const LockFace = z.object({ reason: line(0, 200).default('').describe('The owner reads it') })
