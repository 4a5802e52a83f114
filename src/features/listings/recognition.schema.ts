// Requests and replies of the operation that finds out which game server answers at an address.
import * as z from 'zod'
import { Port } from '../../platform/http/port.ts'
import { maxLength } from '../../platform/text.ts'
import { listingFields as field, ProbeResult } from '../servers/index.ts'
import { MAX_TYPED_LENGTH } from './typed-address.ts'

export const RecognizeServer = z.object({
  address: z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .check(maxLength(MAX_TYPED_LENGTH))
    .meta({
      examples: ['play.example.org', '203.0.113.5:27015', '[2001:db8::1]:27015', 'steam://connect/203.0.113.5:27015'],
    })
    .describe('As players type it, a link that joins the server, or a command of a game’s console'),
  game: field.game.optional().describe('gamedig type id, if the game is known: only this one is asked for'),
  queryPort: field.port.optional().describe('Port for queries, if it is known and `game` is given'),
})
export type RecognizeServer = z.output<typeof RecognizeServer>

export const ServerRecognition = z
  .object({
    ipAddress: z.string().describe('IPv4 address, IPv6 address or DNS name'),
    gamePort: Port.nullable().describe('Null: players connect without a port'),
    queryPort: Port.nullable().describe(
      'Where it answered, or where the given game was asked; null if nothing is known',
    ),
    game: z.string().nullable().describe('The one that answered, or that was given; null if nothing is known'),
    gameName: z.string().nullable(),
    connectAddress: z.string().describe('What players type'),
    hasPassword: z.boolean().nullable().describe('Null: not known'),
    listedId: z
      .uuid()
      .nullable()
      .describe(
        'The server that is listed with this address and query port, to claim it; null for none and for hidden ones',
      ),
    result: ProbeResult,
  })
  .meta({ id: 'ServerRecognition' })
export type ServerRecognition = z.output<typeof ServerRecognition>
