// Requests and replies of player history.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'
import { RANGES } from './points.ts'

export const HistoryQuery = z.object({
  range: z
    .enum(RANGES, `must be one of ${RANGES.join(', ')}`)
    .default('24h')
    .describe('Time range; its points are 5 minutes, 1, 2 or 6 hours apart; more if servers are polled less often'),
})

const count = z.int().min(0)

export const PlayerHistory = z
  .object({
    points: z
      .array(
        z.object({
          at: Timestamp.describe('Start of the point’s interval'),
          players: count.nullable().describe('Mean of its answered polls; null if there is none'),
          maxPlayers: count,
        }),
      )
      .max(500)
      .describe('Evenly spaced, oldest first; the last interval has not ended'),
    peak: count.nullable().describe('Most players at once'),
    average: z.number().min(0).nullable().describe('Mean of all answered polls'),
    uptime: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Mean of each hour’s share of answered polls: a server that is down is polled less often'),
  })
  .meta({ id: 'PlayerHistory' })
