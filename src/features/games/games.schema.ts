// Requests and responses of the list of games.
import * as z from 'zod'
import { Port } from '../../platform/http/port.ts'
import { maxLength } from '../../platform/text.ts'

export const GamesQuery = z.object({
  search: z
    .string('must be given once')
    .check(maxLength(100))
    .describe('Part of the id or the name, or a usual short form; case and accents do not count; empty: all')
    .optional(),
})

export const Game = z
  .object({
    id: z
      .string()
      .meta({ examples: ['ase'] })
      .describe('gamedig type id, as `game` of servers and of filters'),
    name: z.string(),
    protocol: z.string().describe('The gamedig protocol that queries it'),
    gamePort: Port.nullable().describe('Where players usually connect; null if unknown'),
    queryPort: Port.nullable().describe('Where queries are usually answered; null if unknown'),
    servers: z.int().min(0).describe('Listed servers'),
    players: z.int().min(0).describe('Players on them now'),
  })
  .meta({ id: 'Game' })
export const Games = z.object({ games: z.array(Game).describe('Most players first, then most servers, then by name') })
