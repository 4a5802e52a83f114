// What the endpoints for clients that keep a copy take and return: look-up, change feed and live stream (api-decisions:
// "Directory").
import * as z from 'zod'
import { alternatives } from '../../platform/http/alternatives.ts'
import { integer } from '../../platform/http/query.ts'
import { atMost } from '../../platform/text.ts'
import { readCursor } from './cursor.ts'
import { ServerItem } from './directory.schema.ts'
import { MOST_AT_ADDRESS } from './lookup.ts'

/** Of a look-up, and of what a stream is narrowed to: as many as fit into a body and a URL. */
export const MOST_LOOKED_UP = 1_000
const MOST_STREAMED_IDS = 100
const MOST_PER_PAGE = 1_000

const text = (max: number) =>
  z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') }).check(atMost(max))

const ADDRESS = /^[^\s:]{1,253}:\d{1,5}$/

export const LookupRequest = z
  .object({
    ids: z.array(text(100), 'must be a list of ids').optional(),
    addresses: z
      .array(text(260).regex(ADDRESS, 'must be address:port'), 'must be a list of addresses')
      .describe('`address:port`, as the server shows its `ipAddress`; the port is its `gamePort` or its `queryPort`')
      .optional(),
  })
  .refine(({ ids = [], addresses = [] }) => ids.length + addresses.length <= MOST_LOOKED_UP, {
    error: `must ask for at most ${MOST_LOOKED_UP} servers`,
  })
  .refine(({ ids, addresses }) => ids !== undefined || addresses !== undefined, {
    error: 'must have ids or addresses',
  })
  .meta(alternatives('LookupRequest', 'anyOf', { ids: 'LookupByIds', addresses: 'LookupByAddresses' }))
export const LookedUpServers = z.object({
  servers: z
    .array(ServerItem)
    .describe(`In the order asked for, each once. At most ${MOST_AT_ADDRESS} share a game port at one address`),
  missing: z.array(z.string()).describe('The ids and addresses that no listed server has, as they were asked for'),
  remaining: z
    .array(z.string())
    .describe('The ids and addresses that are listed, but did not fit into a reply of 1 MB: ask again for these'),
})

const cursor = z
  .string('must be given once')
  .check(atMost(4_000, 'is no cursor'))
  .refine((given) => readCursor(given) !== undefined, 'is no cursor')

export const ChangesQuery = z.object({
  cursor: cursor.describe('From the page before; without one, everything is told').optional(),
  limit: integer(1, MOST_PER_PAGE, 100).describe(
    'Most servers a page, those that left included; a page of 1 MB has fewer',
  ),
})
export const Changes = z.object({
  servers: z.array(ServerItem).describe('New or changed: put them in the place of what you have under the same id'),
  removed: z.array(z.guid()).describe('Gone: forget them, also those you never had'),
  cursor: z.string().describe('To be sent with the next request'),
  hasMore: z.boolean().describe('Whether to go on at once'),
})

export const StreamQuery = z.object({
  cursor: cursor.describe('As `Last-Event-ID`, for clients that can’t send the header').optional(),
  ids: text(MOST_STREAMED_IDS * 40)
    .transform((ids) => [...new Set(ids.toLowerCase().split(','))])
    .refine((ids) => ids.length <= MOST_STREAMED_IDS, `must name at most ${MOST_STREAMED_IDS} servers`)
    .describe('Comma-separated server ids: only these')
    .optional(),
})
export const StreamHeaders = z.object({
  'Last-Event-ID': z.string().describe('`id` of the last event you had: the stream goes on right after it').optional(),
})
const eventId = z.string().describe('A cursor: sent as `Last-Event-ID`, the stream goes on right after this event')
export const StreamEvent = z
  .union([
    z.object({ event: z.literal('server'), id: eventId, data: ServerItem }).meta({ id: 'ServerEvent' }),
    z
      .object({ event: z.literal('removed'), id: eventId, data: z.object({ id: z.guid() }) })
      .meta({ id: 'ServerRemovedEvent' }),
  ])
  .meta({
    id: 'StreamEvent',
    description: 'One Server-Sent Event; `data` is JSON. `server`: new or changed. `removed`: gone, forget it.',
  })
