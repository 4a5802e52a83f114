// The file with all that is stored about an account.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'

export const PersonalDataFile = z
  .object({
    exportedAt: Timestamp,
    incomplete: z
      .array(z.string())
      .describe('Parts with more entries than a file holds, of which the newest are here; mostly empty'),
    parts: z
      .record(z.string(), z.array(z.record(z.string(), z.unknown())))
      .describe('By what they are, for example `account`, `sessions`, `servers`; entries newest first'),
  })
  .meta({ id: 'PersonalData' })
