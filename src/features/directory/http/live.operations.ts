// The endpoints for clients that keep a copy: bulk look-up, change feed, live stream.

import * as z from 'zod'
import { ApiError, unavailable } from '../../../platform/http/errors.ts'
import { operation } from '../../../platform/http/operation.ts'
import { EventStream } from '../../../platform/http/reply-kinds.ts'
import type { ChangesService } from '../feed/changes.service.ts'
import { cursorAtPresent } from '../feed/changes.ts'
import type { LiveHub } from '../feed/live-hub.ts'
import {
  Changes,
  ChangesQuery,
  LookedUpServers,
  LookupRequest,
  StreamEvent,
  StreamHeaders,
  StreamQuery,
} from './live.schema.ts'

const common = { tag: 'Live data', crossOrigin: true } as const
const EXPIRED = ['cursor_expired']

/** Maximum open streams of a process; each takes about 20 kB. */
const MAX_STREAMS = 2_000
const RETRY_AFTER_SECONDS = 5

interface LiveOptions {
  changes: ChangesService
  hub: LiveHub
  /** Maximum open streams of an address or account; 0: no limit. */
  streamsPerAddress: number
}

export function liveOperations({ changes, hub, streamsPerAddress }: LiveOptions) {
  function requireCapacity(holders: readonly string[]): void {
    if (hub.isStopped() || hub.size() >= MAX_STREAMS)
      throw unavailable('No more streams can be opened here. Try again shortly.', RETRY_AFTER_SECONDS)
    if (streamsPerAddress > 0 && holders.some((holder) => hub.openOf(holder) >= streamsPerAddress))
      throw new ApiError(
        429,
        'too_many_streams',
        `You have ${streamsPerAddress} streams open. Close one of them first.`,
        { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } },
      )
  }

  return [
    operation({
      ...common,
      method: 'post',
      path: '/servers/lookup',
      transaction: false,
      operationId: 'lookUpServers',
      summary: 'Look up to 1000 servers by id or address',
      body: LookupRequest,
      returns: LookedUpServers,
      handle: ({ body }) => changes.lookup(body),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/changes',
      operationId: 'listServerChanges',
      summary: 'List changes since your last request',
      description:
        'Start without a cursor, then send the cursor of the last page. When `hasMore` is false you have what ' +
        '`GET /servers` lists, except `rank` and `score`. A server may be sent again unchanged. Cursors are valid at every process, ' +
        'also after restarts. `cursor_expired`: discard your copy and start again without a cursor.',
      query: ChangesQuery,
      returns: Changes,
      codes: EXPIRED,
      handle: ({ query }) => changes.changes(query),
    }),
    operation({
      ...common,
      method: 'get',
      path: '/servers/stream',
      operationId: 'streamServers',
      summary: 'Stream changes as they happen',
      description:
        'Server-Sent Events, from now on or from `Last-Event-ID` on. A comment every 15 s shows that the ' +
        'stream is alive. A client that stops reading is disconnected and can resume. `cursor_expired`: start again with `GET /servers/changes`; ' +
        'a stream with `ids` sends all of these servers instead, and those that are not listed as `removed`. ' +
        '`too_many_streams`: the address, or the account of the API key, has the maximum number of open streams.',
      query: StreamQuery,
      headers: StreamHeaders,
      returns: StreamEvent,
      produces: 'text/event-stream',
      codes: EXPIRED,
      ownErrors: { too_many_streams: { status: 429, fields: z.object({}) } },
      async handle({ query, headers, clientKey, actor }) {
        const holders = actor ? [clientKey, `account ${actor.userId}`] : [clientKey]
        requireCapacity(holders)
        const after = headers['Last-Event-ID'] ?? query.cursor
        const ids = query.ids && new Set(query.ids)
        const mayRestart = ids !== undefined // at most a hundred servers are sent again
        const cursor = after ? await changes.resume(after, { mayRestart }) : cursorAtPresent(changes.view())
        return new EventStream({
          admit: () => requireCapacity(holders),
          open: (res) => hub.open(res, { holders, cursor, ids }),
        })
      },
    }),
  ]
}
