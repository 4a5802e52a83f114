// Requests and replies of the counts of servers by day.
import * as z from 'zod'
import { wholeNumberWithDefault } from '../../platform/http/query.ts'
import { Timestamp } from '../../platform/http/timestamp.ts'

/** A year and its month of comparison. */
export const KEPT_DAYS = 400
const MAX_DAYS = 366

export const ActivityQuery = z.object({
  days: wholeNumberWithDefault(1, MAX_DAYS, 30).describe('How many days, today included'),
})

const count = z.int().min(0)

export const ServerActivity = z
  .object({
    days: z
      .array(
        z.object({
          day: z.iso.date().describe('In UTC'),
          views: count.describe('Of the server’s page on the site, without crawlers'),
          crawlerViews: count,
          copies: count.describe('Of its address'),
          joins: count.describe('Clicks on the link that starts the game'),
          votes: count,
          favorites: count.describe('Accounts that made it a favorite on that day and still have it'),
        }),
      )
      .describe('The oldest first; the last day has not ended'),
    placements: z
      .array(
        z.object({
          placementId: z.uuid(),
          location: z.string(),
          startsAt: Timestamp,
          endsAt: Timestamp,
          priceCents: count,
          currency: z.string(),
          days: count.describe('Days that it has run, begun ones included'),
          views: count.describe('Of these days'),
          viewsBefore: count.describe('Of as many days before'),
        }),
      )
      .describe('The last 20 placements of the server that have begun, the last first'),
  })
  .meta({ id: 'ServerActivity' })

export const PlacementReach = z
  .object({
    places: z.array(
      z.object({
        location: z.string(),
        servers: count.describe('Servers that had a place there in the last seven full days'),
        viewsPerDay: count.describe('Views of the page of such a server on a day with the place'),
        viewsPerDayBefore: count.describe('The same in the seven days before its placement began'),
      }),
    ),
  })
  .meta({ id: 'PlacementReach' })

export const CountAction = z.object({
  action: z
    .enum(['copy', 'join'], 'must be copy or join')
    .describe('`copy`: of the address; `join`: a click on the link that starts the game'),
})
