// The reply of the directory's statistics.
import * as z from 'zod'
import { Timestamp } from '../../platform/http/timestamp.ts'

const count = z.int().min(0)
const totals = {
  servers: count.describe('Listed servers'),
  players: count.describe('Players on them now'),
  playersByHour: z
    .array(count.nullable())
    .describe('Mean number of players in each of `hours`; null where no server was polled, as after an outage'),
}

export const Statistics = z
  .object({
    hours: z
      .array(Timestamp)
      .length(24)
      .describe('Starts of 24 hours, oldest first; the last ended at least 15 minutes ago'),
    ...totals,
    onlineServers: count,
    games: z
      .array(
        z
          .object({ game: z.string().describe('gamedig type id'), gameName: z.string(), ...totals })
          .meta({ id: 'GameStatistics' }),
      )
      .describe(
        'Games with listed servers, most players first; a Minecraft server of both editions counts in both, but in `playersByHour` only in its own',
      ),
    countries: z
      .array(
        z.object({ country: z.string().describe('ISO 3166-1 alpha-2'), ...totals }).meta({ id: 'CountryStatistics' }),
      )
      .describe('Countries with listed servers, most players first; servers whose country is unknown are in none'),
  })
  .meta({ id: 'Statistics' })
