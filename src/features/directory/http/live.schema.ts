// Requests and responses for clients that keep a copy: look-up, change feed and live stream.
import * as z from 'zod'
import { namedUnion } from '../../../platform/http/named-union.ts'
import { wholeNumberWithDefault } from '../../../platform/http/query.ts'
import { maxLength, splitList, text } from '../../../platform/text.ts'
import { MAX_AT_ADDRESS } from '../engine/lookup.ts'
import { CURSOR, readCursor } from '../feed/cursor.ts'
import { ServerItem } from './directory.schema.ts'

/** Maximum ids of a look-up and of a stream: as many as fit into a body and into a URL. */
const MAX_LOOKED_UP = 1_000
const MAX_STREAMED_IDS = 100
const MAX_PER_PAGE = 1_000

const ADDRESS = /^([^\s:]{1,253}|\[[^\s\]]{2,45}\]):\d{1,5}$/

export const LookupRequest = z
  .object({
    ids: z.array(text().check(maxLength(100)), 'must be a list of ids').optional(),
    addresses: z
      .array(text().check(maxLength(260)).regex(ADDRESS, 'must be address:port'), 'must be a list of addresses')
      .describe(
        '`address:port`, the server’s `ipAddress` (in brackets if it is IPv6), and its `gamePort` or `queryPort`',
      )
      .optional(),
  })
  .refine(({ ids = [], addresses = [] }) => ids.length + addresses.length <= MAX_LOOKED_UP, {
    error: `must name at most ${MAX_LOOKED_UP} servers`,
  })
  .refine(({ ids, addresses }) => ids !== undefined || addresses !== undefined, {
    error: 'must have ids or addresses',
  })
  .meta(namedUnion('LookupRequest', 'anyOf', { ids: 'LookupByIds', addresses: 'LookupByAddresses' }))
export const LookedUpServers = z.object({
  servers: z
    .array(ServerItem)
    .describe(`In the requested order, each once. At most ${MAX_AT_ADDRESS} per address and game port`),
  missing: z.array(z.string()).describe('Requested ids and addresses that no listed server has'),
  remaining: z
    .array(z.string())
    .describe('Requested ids and addresses that did not fit into a reply of 1 MB: request them again'),
})

const cursor = z
  .string('must be given once')
  .check(maxLength(4_000, 'is not a cursor'))
  .refine((given) => readCursor(given) !== undefined, 'is not a cursor')
  .meta({ pattern: CURSOR.source })

export const ChangesQuery = z.object({
  cursor: cursor.describe('From the previous page; without a cursor everything is listed').optional(),
  limit: wholeNumberWithDefault(1, MAX_PER_PAGE, 100).describe(
    'Maximum number of servers per page, including removed ones; pages are limited to 1 MB',
  ),
})
export const Changes = z.object({
  servers: z.array(ServerItem).describe('New or changed servers: store them by id'),
  removed: z.array(z.guid()).describe('Removed servers: delete them if you have them'),
  cursor: z.string().describe('Send it with the next request'),
  hasMore: z.boolean().describe('Whether more changes can be requested at once'),
})

const SERVER_ID = z.guid()

export const StreamQuery = z.object({
  cursor: cursor.describe('Like `Last-Event-ID`, for clients that can’t send the header').optional(),
  ids: text()
    .check(maxLength(MAX_STREAMED_IDS * 40))
    .transform((ids) => [...new Set(splitList(ids.toLowerCase()))])
    .refine((ids) => ids.length <= MAX_STREAMED_IDS, `must name at most ${MAX_STREAMED_IDS} servers`)
    .transform((ids) => ids.filter((id) => SERVER_ID.safeParse(id).success))
    .describe(
      'Comma-separated server ids; only their events are sent. A cursor of such a stream continues only one with the same ids',
    )
    .optional(),
})
export const StreamHeaders = z.object({
  'Last-Event-ID': z.string().describe('`id` of the last event received; the stream continues after it').optional(),
})
const eventId = z.string().describe('A cursor: send it as `Last-Event-ID` to continue after this event')
export const StreamEvent = z
  .union([
    z.object({ event: z.literal('server'), id: eventId, data: ServerItem }).meta({ id: 'ServerEvent' }),
    z
      .object({ event: z.literal('removed'), id: eventId, data: z.object({ id: z.guid() }) })
      .meta({ id: 'ServerRemovedEvent' }),
  ])
  .meta({
    id: 'StreamEvent',
    description: 'One Server-Sent Event; `data` is JSON. `server`: new or changed. `removed`: delete it.',
  })
