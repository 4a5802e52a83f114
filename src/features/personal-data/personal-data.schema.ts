// The file with all that is stored about an account.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'

export const PersonalDataFile = z
  .object({
    exportedAt: Timestamp,
    incomplete: z
      .array(z.string())
      .describe('Parts with more entries than a file holds, of which the newest are here; mostly empty')
      .meta({ examples: [['auditLog']] }),
    parts: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('By what they are, for example `account`, `sessions`, `servers`; entries newest first')
      .meta({
        examples: [
          { favorites: [{ serverId: '5f2c0b7d-91ab-4e0f-8c3d-2a6b7c8d9e0f', createdAt: '2026-11-20T12:00:00.000Z' }] },
        ],
      }),
  })
  .meta({ id: 'PersonalData' })
