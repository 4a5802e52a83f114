// Statistics for administrators.
import * as z from 'zod'
import { count } from './admin-fields.ts'

export const Stats = z.object({
  users: z.object({
    total: count,
    verified: count.describe('With a verified e-mail address'),
    banned: count,
    admins: count,
    lastDay: count.describe('Registered in the last 24 hours'),
  }),
  sessions: z.object({ living: count }),
  apiKeys: z.object({ usable: count, usedLastDay: count }),
  servers: z.object({
    total: count,
    online: count,
    verified: count,
    featured: count,
    hidden: count,
    unowned: count,
    neverAnswered: count,
    polledLastHour: count,
  }),
  polling: z.object({
    overdue: count.describe('Servers that were due for a poll more than 30 seconds ago'),
    overdueSeconds: z
      .int()
      .nullable()
      .describe('Since when the most overdue server has been due; negative: none is due; null: none is listed'),
  }),
  claims: z.object({ pending: count }),
  polls: z
    // A string, because SQL writes it into a JSON value.
    .object({ hour: z.iso.datetime({ precision: 3 }), polls: count, answered: count })
    .nullable()
    .describe('Of the last hour in the history; null before the first'),
})
export type Stats = z.input<typeof Stats>
