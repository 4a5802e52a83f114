// The context of a request, from its first byte to its log line: id, client, route, and the headers of its reply.
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Log } from '../observability/log.ts'
import type { KeyActor } from './actor.ts'
import type { ClientKeys } from './client-key.ts'
import type { ClientLoad } from './client-load.ts'
import { createAccessLog } from './fast-path/access-log.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { observeRequest } from './http.metrics.ts'
import type { LimitCount } from './limit-policy.ts'

/** How a request's error is answered. Negotiated: as a page if the client accepts HTML, as JSON otherwise. */
export type ErrorFormat = 'json' | 'text' | 'page' | 'negotiated'

export interface RequestContext {
  id: string
  startedAt: number
  clientKey: string
  method: string
  path: string
  /** Declared path of the endpoint, for example `/servers/{id}`; undefined until one matches. */
  route: string | undefined
  errorsAs: ErrorFormat
  /** Owner of the request's API key. */
  keyActor: KeyActor | undefined
  securityHeaders: FlatHeaders
  /** What the request was counted for, for the `RateLimit` headers. */
  limitCounts: LimitCount[]
  corsHeaders: FlatHeaders
  /** What the operation adds to its replies: the links of a page, its deprecation. */
  operationHeaders: FlatHeaders
  /** Bytes of the reply's body before compression. */
  bytes: number
  /** When the head of a reply without an end was sent. The time until then is its latency. */
  headMs: number | undefined
  load: ClientLoad
  /** Whether the connection closes after this reply, because the process is stopping. */
  isLast(): boolean
}

const CONTEXT = Symbol('request context')
type WithContext = { [CONTEXT]?: RequestContext }

/** @throws Error if the request did not pass `createContextMiddleware`, which is a bug */
export function contextOf(res: ServerResponse): RequestContext {
  const context = (res as WithContext)[CONTEXT]
  if (!context) throw new Error('the request has no context')
  return context
}

/** Request ids accepted from outside: short, and harmless in a log or a shell. */
const SANE_REQUEST_ID = /^[\w.:=+/@-]{1,128}$/

function requestId(req: IncomingMessage): string {
  const header = req.headers['x-request-id']
  return typeof header === 'string' && SANE_REQUEST_ID.test(header) ? header : randomUUID()
}

const NO_HEADERS: FlatHeaders = []

/** @returns middleware that gives a request its context and, at its end, one log line and one latency observation */
export function createContextMiddleware(options: {
  log: Log
  clientKeys: ClientKeys
  load: ClientLoad
  securityHeaders: FlatHeaders
  isStopping: () => boolean
}): (req: IncomingMessage, res: ServerResponse) => RequestContext {
  const { log, clientKeys, load, securityHeaders, isStopping } = options

  const writeLine = createAccessLog(log)

  function finish(this: ServerResponse): void {
    const { id, clientKey, method, route, path, bytes, startedAt, headMs } = contextOf(this)
    const status = this.statusCode
    const ms = performance.now() - startedAt
    load.end(clientKey)
    observeRequest(method, route, status, (headMs ?? ms) / 1000)
    writeLine({
      requestId: id,
      client: clientKey,
      method,
      route: route ?? path.slice(0, 200),
      status,
      ms,
      bytes,
      message: this.writableFinished ? 'request handled' : 'request aborted by the client',
    })
  }

  return (req, res) => {
    const context: RequestContext = {
      id: requestId(req),
      startedAt: performance.now(),
      clientKey: clientKeys.keyOf(req),
      method: req.method ?? '',
      path: pathOf(req.url ?? ''),
      route: undefined,
      errorsAs: 'json',
      keyActor: undefined,
      securityHeaders,
      limitCounts: [],
      corsHeaders: NO_HEADERS,
      operationHeaders: NO_HEADERS,
      bytes: 0,
      headMs: undefined,
      load,
      isLast: isStopping,
    }
    ;(res as WithContext)[CONTEXT] = context
    load.begin(context.clientKey)
    res.on('close', finish) // also emitted after a complete reply
    return context
  }
}

/** The path without the query, which may hold what a visitor typed. */
function pathOf(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
