// The transport of attempts: POST requests and TCP conversations with bounds on time and memory, to
// public addresses only.
import { Agent } from 'undici'
import type { Answer, OutgoingRequest, Transport } from '../../src/features/webhooks/index.ts'
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
  // A plain Agent ignores proxy settings of the environment. One request at a time per connection; the dispatcher's
  // concurrent attempts bound the number of connections.
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
    async post(request) {
      const target = parseTarget(request.url, requireHttps)
      if (typeof target === 'string') return { error: target, latencyMs: 0, response: '', isUnsent: true }
      return postTo(agent, target, request, { timeoutMs, reset: connections.open > MAX_IDLE_SOCKETS })
    },
    converse: createConverse(guarded, timeoutMs, closing.signal),
    close() {
      closing.abort()
      return agent.destroy()
    },
  }
}

interface PostOptions {
  timeoutMs: number
  /** Whether the connection is closed after the response. */
  reset: boolean
}

/** Never rejects. Resolves when the response is complete, too long or too slow, or the request has failed. */
function postTo(
  agent: Agent,
  target: URL,
  { method = 'POST', headers, body, signal, responseBytes = KEPT_BYTES }: OutgoingRequest,
  { timeoutMs, reset }: PostOptions,
): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const startedAt = performance.now()
  const response = createResponse(responseBytes)
  let isUnsent = true
  let closeConnection: (() => void) | undefined
  let isFinished = false
  let bodyTimer: NodeJS.Timeout | undefined

  function finish(error = 'no answer', latencyMs = Math.round(performance.now() - startedAt)): void {
    if (isFinished) return
    isFinished = true
    clearTimeout(timer)
    clearTimeout(bodyTimer)
    signal?.removeEventListener('abort', changed)
    resolve({ ...response.read(error), latencyMs, ...(isUnsent && { isUnsent }) })
  }
  function abort(error?: string): void {
    finish(error)
    closeConnection?.()
  }
  const timer = setTimeout(abort, timeoutMs, 'timeout')
  const changed = () => abort('the endpoint was changed')
  signal?.addEventListener('abort', changed)

  const request = {
    origin: target.origin,
    path: target.pathname + target.search,
    method,
    headers: { 'user-agent': USER_AGENT, 'content-type': 'application/json', ...headers },
    body,
    reset,
  }
  agent.dispatch(request, {
    onRequestStart(controller) {
      closeConnection = () => controller.abort(new Error('attempt has ended'))
      if (isFinished) return closeConnection() // timed out before there was a connection
      isUnsent = false
    },
    onResponseStart(_, status, responseHeaders) {
      if (status < 200) return
      response.begin(status, responseHeaders)
      bodyTimer = setTimeout(abort, BODY_MS)
    },
    onResponseData(_, chunk) {
      if (response.add(chunk) > Math.max(MAX_BYTES, responseBytes)) abort()
    },
    // The connection is reusable two event loop iterations later, so that the endpoint's next delivery uses it again.
    onResponseEnd: () => setImmediate(() => setImmediate(() => finish())),
    // 0 without a connection: how long a look-up took would tell names of a private network from others.
    onResponseError: (_, error) => finish(reasonFor(error), isAddressError(error) ? 0 : undefined),
  })
  return promise
}

/** What is kept of a response. */
function createResponse(keptBytes: number) {
  const kept: Buffer[] = []
  let bytes = 0
  let head: Pick<Answer, 'status' | 'retryAfter' | 'rateLimit'> | undefined
  return {
    begin(status: number, headers: Record<string, string | string[] | undefined>): void {
      const [retryAfter] = [headers['retry-after']].flat()
      const limits = Object.entries(headers).filter(([name]) => name.startsWith('x-ratelimit-'))
      head = {
        status,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(limits.length > 0 && {
          rateLimit: Object.fromEntries(limits.map(([name, value]) => [name, String(value)])),
        }),
      }
    },
    /** @returns bytes of the body so far */
    add(chunk: Buffer): number {
      if (bytes < keptBytes) kept.push(Buffer.from(chunk.subarray(0, keptBytes - bytes)))
      bytes += chunk.length
      return bytes
    },
    /** Once there is a status, it is the result, however the body ended. @param error the result without a status */
    read: (error: string) => ({ ...(head ?? { error }), response: textOf(kept) }),
  }
}

/** @returns the URL, or why it is refused */
function parseTarget(url: string, requireHttps: boolean): URL | string {
  const target = URL.parse(url)
  if (target?.protocol === 'https:' || (target?.protocol === 'http:' && !requireHttps)) return target
  return requireHttps ? 'not an https address' : 'not an http address'
}
