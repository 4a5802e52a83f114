// One attempt: a POST to somebody else's server that can neither last, nor fill memory, nor lead anywhere else.
import { Agent, errors } from 'undici'
import { AddressError, createGuardedConnections } from './guarded-connection.ts'

export interface OutgoingRequest {
  url: string
  headers: Record<string, string>
  body: string
}

export interface Answer {
  /** Undefined: there was no answer, and `error` says why. */
  status?: number
  /** Short and always the same for the same cause; names nothing secret. */
  error?: string
  /** Until the answer was read as far as it is kept. */
  latencyMs: number
  /** First kilobyte of the answer's body, as text that can be stored. */
  response: string
  retryAfter?: string
}

export interface Sender {
  /** Never throws. No redirect is followed: a 3xx is an answer like any other. */
  send(request: OutgoingRequest): Promise<Answer>
  /** Attempts under way fail. */
  close(): Promise<void>
}

export interface SenderOptions {
  allowPrivate: boolean
  /** Whether only https may be used, as in production. */
  requireHttps: boolean
  /** Name, connection, handshake, request and answer together. */
  timeoutMs?: number
  nameServers?: string[]
}

const TIMEOUT_MS = 10_000
const KEPT_BYTES = 1_024
/** More than this is not even read: the connection is closed instead. */
const MOST_BYTES = 4_096
/** The status is the answer; the body is only for the log, so a slow one is not waited for. */
const BODY_MS = 1_000
const MOST_HEADER_BYTES = 8_192
/** Shorter than receivers keep theirs (Node.js and Apache: 5 s), so that none closes while a request is on its way. */
const IDLE_MS = 3_000
/** With more sockets open than this, those in use are closed after their answer instead of being kept. */
const MOST_KEPT_SOCKETS = 1_000
const USER_AGENT = 'server-directory-webhooks/1'

export function createSender(options: SenderOptions): Sender {
  const { allowPrivate, requireHttps, timeoutMs = TIMEOUT_MS, nameServers } = options
  const connections = createGuardedConnections({ allowPrivate, timeoutMs, nameServers })
  // A plain Agent: it knows no proxies, whatever the environment says. One request at a time on a connection; how many
  // connections there are is bounded by how many attempts the dispatcher runs.
  const agent = new Agent({
    connect: connections.connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: MOST_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: 0, // the attempt's own deadline ends all of it
    bodyTimeout: 0,
  })

  return {
    send({ url, headers, body }) {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const startedAt = performance.now()
      const kept: Buffer[] = []
      let bytes = 0
      let status: number | undefined
      let retryAfter: string | undefined
      let hangUp: (() => void) | undefined
      let isSettled = false
      let bodyTimer: NodeJS.Timeout | undefined

      function settle(error?: string): void {
        if (isSettled) return
        isSettled = true
        clearTimeout(timer)
        clearTimeout(bodyTimer)
        resolve({
          // A status that came is the answer, however its body ended.
          ...(status !== undefined ? { status } : { error: error ?? 'no answer' }),
          latencyMs: Math.round(performance.now() - startedAt),
          response: textOf(kept),
          ...(retryAfter !== undefined ? { retryAfter } : {}),
        })
      }
      function cut(error?: string): void {
        settle(error)
        hangUp?.()
      }
      const timer = setTimeout(cut, timeoutMs, 'timeout')

      const target = parseTarget(url, requireHttps)
      if (typeof target === 'string') {
        settle(target)
        return promise
      }
      const request = {
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'POST' as const,
        headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', ...headers },
        body,
        reset: connections.open > MOST_KEPT_SOCKETS,
      }
      agent.dispatch(request, {
        onRequestStart(controller) {
          hangUp = () => controller.abort(new Error('attempt is over'))
          if (isSettled) hangUp() // the time was up before there was a connection
        },
        onResponseStart(_, statusCode, { 'retry-after': asked }) {
          if (statusCode < 200) return
          status = statusCode
          retryAfter = Array.isArray(asked) ? asked[0] : asked
          bodyTimer = setTimeout(cut, BODY_MS)
        },
        onResponseData(_, chunk) {
          if (bytes < KEPT_BYTES) kept.push(Buffer.from(chunk.subarray(0, KEPT_BYTES - bytes)))
          bytes += chunk.length
          if (bytes > MOST_BYTES) cut()
        },
        // Two turns of the event loop later the connection can be used again: the endpoint's next delivery needs no other.
        onResponseEnd: () => setImmediate(() => setImmediate(() => settle())),
        onResponseError: (_, error) => settle(wordFor(error)),
      })
      return promise
    },
    close: () => agent.destroy(),
  }
}

/** @returns the URL, or why it can't be one */
function parseTarget(url: string, requireHttps: boolean): URL | string {
  const target = URL.parse(url)
  if (target?.protocol === 'https:' || (target?.protocol === 'http:' && !requireHttps)) return target
  return requireHttps ? 'not an https address' : 'not an http address'
}

/** What PostgreSQL's text takes: valid, and without NUL. A character cut in two at the end is left out. */
function textOf(chunks: Buffer[]): string {
  if (!chunks.length) return ''
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true }).replaceAll('\0', '\uFFFD')
}

const WORDS: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection closed',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  UND_ERR_HEADERS_OVERFLOW: 'response headers too long',
  EPROTO: 'tls failed',
}

/** An error's own message may name addresses and say more than its cause. */
function wordFor(error: Error & { code?: unknown; errors?: unknown[] }): string {
  if (error instanceof AddressError) return error.message
  const cause = error.errors?.[0] ?? error // one of several addresses
  if (cause instanceof AddressError) return cause.message
  const code = String((cause as NodeJS.ErrnoException).code ?? '')
  if (WORDS[code]) return WORDS[code]
  if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return 'tls failed'
  if (cause instanceof errors.HTTPParserError) return 'malformed response'
  return 'request failed'
}
