// The transport of attempts: POST requests and TCP conversations with bounds on time and memory, to public addresses only.
import { Agent } from 'undici'
import type { Answer, Transport } from '../../src/features/webhooks/index.ts'
import type { ProcessSettings } from '../../src/platform/config/settings.ts'
import { createConverse } from './converse.ts'
import { createGuardedConnections, type GuardOptions } from './guarded-connection.ts'
import { isAddressError, reasonFor, textOf } from './reasons.ts'

export interface Sender extends Transport {
  /** Running attempts fail. */
  close(): Promise<void>
}

export interface SenderOptions extends GuardOptions {
  /** Whether only https may be used, as in production. */
  requireHttps: boolean
  /** Name look-up, connection, handshake, request and response in total. */
  timeoutMs?: number
}

const TIMEOUT_MS = 10_000
const KEPT_BYTES = 1_024
/** The connection is closed after this many bytes of the body. */
const MAX_BYTES = 4_096
/** The status decides; the body is only logged, so a slow body is cut off. */
const BODY_MS = 1_000
const MAX_HEADER_BYTES = 8_192
/** Shorter than receivers' keep-alive (Node.js and Apache: 5 s), so that they do not close connections in use. */
const IDLE_MS = 3_000
/** While more sockets than this are open, connections are closed after their response. */
const MAX_IDLE_SOCKETS = 1_000
const USER_AGENT = 'server-directory-webhooks/1'

/** Allows what the settings of the installation allow. */
export const createSenderFor = (settings: ProcessSettings): Sender =>
  createSender({
    allowPrivate: settings.ALLOW_PRIVATE_TARGETS,
    nameServers: settings.DNS_SERVERS,
    requireHttps: settings.NODE_ENV === 'production',
  })

export function createSender({ requireHttps, timeoutMs = TIMEOUT_MS, ...guarded }: SenderOptions): Sender {
  const closing = new AbortController()
  const connections = createGuardedConnections(guarded, timeoutMs)
  // A plain Agent ignores proxy settings of the environment. One request at a time per connection; the dispatcher's concurrent
  // attempts bound the number of connections.
  const agent = new Agent({
    connect: connections.connect,
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: 0, // timeoutMs bounds the whole attempt
    bodyTimeout: 0,
  })

  return {
    post({ method = 'POST', url, headers, body, signal, responseBytes = KEPT_BYTES }) {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const startedAt = performance.now()
      const kept: Buffer[] = []
      let bytes = 0
      let status: number | undefined
      let retryAfter: string | undefined
      let rateLimit: Record<string, string> | undefined
      let isUnsent = true
      let closeConnection: (() => void) | undefined
      let isFinished = false
      let bodyTimer: NodeJS.Timeout | undefined

      function finish(error?: string, latencyMs = Math.round(performance.now() - startedAt)): void {
        if (isFinished) return
        isFinished = true
        clearTimeout(timer)
        clearTimeout(bodyTimer)
        signal?.removeEventListener('abort', changed)
        resolve({
          // Once there is a status, it is the result, however the body ended.
          ...(status !== undefined ? { status } : { error: error ?? 'no answer' }),
          latencyMs,
          response: textOf(kept),
          ...(retryAfter !== undefined ? { retryAfter } : {}),
          ...(rateLimit && { rateLimit }),
          ...(isUnsent && { isUnsent }),
        })
      }
      function abort(error?: string): void {
        finish(error)
        closeConnection?.()
      }
      const timer = setTimeout(abort, timeoutMs, 'timeout')
      const changed = () => abort('the endpoint was changed')
      signal?.addEventListener('abort', changed)

      const target = parseTarget(url, requireHttps)
      if (typeof target === 'string') {
        finish(target)
        return promise
      }
      const request = {
        origin: target.origin,
        path: target.pathname + target.search,
        method,
        headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', ...headers },
        body,
        reset: connections.open > MAX_IDLE_SOCKETS,
      }
      agent.dispatch(request, {
        onRequestStart(controller) {
          closeConnection = () => controller.abort(new Error('attempt has ended'))
          if (isFinished) return closeConnection() // timed out before there was a connection
          isUnsent = false
        },
        onResponseStart(_, statusCode, { 'retry-after': asked, ...others }) {
          if (statusCode < 200) return
          status = statusCode
          retryAfter = Array.isArray(asked) ? asked[0] : asked
          const limits = Object.entries(others).filter(([name]) => name.startsWith('x-ratelimit-'))
          if (limits.length) rateLimit = Object.fromEntries(limits.map(([name, value]) => [name, String(value)]))
          bodyTimer = setTimeout(abort, BODY_MS)
        },
        onResponseData(_, chunk) {
          if (bytes < responseBytes) kept.push(Buffer.from(chunk.subarray(0, responseBytes - bytes)))
          bytes += chunk.length
          if (bytes > Math.max(MAX_BYTES, responseBytes)) abort()
        },
        // The connection is reusable two event loop iterations later, so that the endpoint's next delivery uses it again.
        onResponseEnd: () => setImmediate(() => setImmediate(() => finish())),
        // 0 without a connection: how long a look-up took would tell names of a private network from others.
        onResponseError: (_, error) => finish(reasonFor(error), isAddressError(error) ? 0 : undefined),
      })
      return promise
    },
    converse: createConverse(guarded, timeoutMs, closing.signal),
    close() {
      closing.abort()
      return agent.destroy()
    },
  }
}

/** @returns the URL, or why it is refused */
function parseTarget(url: string, requireHttps: boolean): URL | string {
  const target = URL.parse(url)
  if (target?.protocol === 'https:' || (target?.protocol === 'http:' && !requireHttps)) return target
  return requireHttps ? 'not an https address' : 'not an http address'
}
