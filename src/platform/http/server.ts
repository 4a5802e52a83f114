// The listening socket: time limits for slow clients, replies to invalid HTTP, and a graceful stop.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { Log } from '../observability/log.ts'
import { countedAddress } from './client-key.ts'
import { ApiError } from './errors.ts'
import { refusedConnections } from './http.metrics.ts'
import type { HttpApp } from './http-app.ts'
import { createServer, STATUS_CODES } from './node-http.ts'
import { ERROR_TYPE, errorBody } from './problem.ts'

export interface ServerOptions {
  log: Log
  host: string
  /** 0 picks a free port. */
  port: number
  /** A client that has not sent its headers by then gets 408. */
  headersTimeoutMs?: number
  /** The same for the whole request, body included. */
  requestTimeoutMs?: number
  /** Open connections per address; 0 or unset: no bound, as behind a proxy, where all have the proxy's address. */
  connectionsPerAddress?: number
}

export type HttpServer = Awaited<ReturnType<typeof startServer>>

/** @throws Error with code EADDRINUSE, EACCES … if it can't listen on the address */
export async function startServer(
  { handler, classes }: Pick<HttpApp, 'classes'> & { handler: RequestListener },
  options: ServerOptions,
) {
  const headersTimeout = options.headersTimeoutMs ?? 10_000
  const server = createServer(
    {
      ...classes,
      headersTimeout,
      requestTimeout: options.requestTimeoutMs ?? 30_000,
      keepAliveTimeout: 65_000, // longer than load balancers keep idle connections (usually 60 s)
      connectionsCheckingInterval: Math.min(headersTimeout / 2, 2_000),
      maxHeaderSize: 16_384,
      requireHostHeader: false, // the handler refuses such requests: Node's reply has no id and no log line
      optimizeEmptyRequests: true, // skips the stream of requests without a body: saves 1.5 µs each
    },
    handler,
  )
  server.maxConnections = 10_000
  refuseWithoutAddress(server)
  if (options.connectionsPerAddress) boundConnections(server, options.connectionsPerAddress)
  server.on('checkExpectation', handler) // refuses these too
  server.on('clientError', createRefusal())
  server.listen(options.port, options.host)
  await once(server, 'listening')
  keepUnsentReplies(server)
  // For example too many open files. Without a listener, an error event ends the process.
  server.on('error', (err) => options.log.error({ err }, 'a connection can’t be accepted'))
  return {
    port: (server.address() as AddressInfo).port,
    /**
     * Stops accepting connections, lets running requests finish, and cuts off those that take longer than `graceMs`.
     */
    async stop(graceMs: number): Promise<void> {
      await untilNoneWaits(server)
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      // A reply whose headers were sent before the stop keeps its connection open; it is closed once idle.
      const sweep = setInterval(() => server.closeIdleConnections(), 100)
      const cut = setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
    },
  }
}

/**
 * Node closes a connection as idle once its reply has ended, with what the client has not accepted yet. While there is
 * such a reply, none is closed; the bound on clients that do not read, and `graceMs`, end the wait.
 */
function keepUnsentReplies(server: Server): void {
  const open = new Set<Socket & { _httpMessage?: ServerResponse | null }>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const closeIdleConnections = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    const isSending = [...open].some((socket) => socket._httpMessage?.writableEnded && socket.writableLength > 0)
    if (!isSending) closeIdleConnections()
  }
}

/**
 * Closes a connection that its client has reset before it was accepted: it has no address any more, so its requests
 * would count for no client. Node keeps the address of the others from here on.
 */
function refuseWithoutAddress(server: Server): void {
  server.on('connection', (socket) => {
    if (socket.remoteAddress === undefined) socket.destroy()
  })
}

/** Closes a connection beyond the bound of its address before anything is read from it. */
function boundConnections(server: Server, max: number): void {
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = countedAddress(socket.remoteAddress ?? 'local')
    const others = open.get(address) ?? 0
    if (others >= max) {
      refusedConnections.inc()
      socket.resetAndDestroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}

/** How long a process under load waits for an iteration of the event loop in which no connection is accepted. */
const ACCEPT_MS = 1_000

/**
 * Closing the socket resets the connections that wait to be accepted, and a balancer never repeats a POST. So it is
 * closed right after an iteration of the event loop in which none waited.
 */
async function untilNoneWaits(server: Server): Promise<void> {
  let hasAccepted = true
  const note = () => {
    hasAccepted = true
  }
  server.on('connection', note)
  await setImmediate() // the rest of this iteration may no longer look for connections
  for (const deadline = performance.now() + ACCEPT_MS; hasAccepted && performance.now() < deadline; ) {
    hasAccepted = false
    await setImmediate()
  }
  server.off('connection', note)
}

type Reply = ServerResponse & { _headerSent?: boolean }
type RefusedSocket = Duplex & { _httpMessage?: Reply | null }

/** Whether the client gets the head. `headersSent` is also true of a reply that waits for others (`reply-batch.ts`). */
const hasBegun = (reply: Reply) => reply._headerSent === true

/**
 * Answers what the HTTP parser refused, in the format of every other error. Complete requests before it get their
 * replies first: they are being carried out.
 */
function createRefusal() {
  const refused = new WeakSet<RefusedSocket>()

  function refuseAfterReplies(error: NodeJS.ErrnoException, socket: RefusedSocket): void {
    const reply = socket._httpMessage
    if (reply?.req.complete && (reply.writableEnded || !hasBegun(reply)))
      reply.once('close', () => refuseAfterReplies(error, socket))
    else refuse(error, socket)
  }

  return (error: NodeJS.ErrnoException, socket: RefusedSocket): void => {
    // What arrives after the first error is an error too.
    if (refused.has(socket)) return
    refused.add(socket)
    refuseAfterReplies(error, socket)
  }
}

function refuse(error: NodeJS.ErrnoException, socket: RefusedSocket): void {
  // Writing into a reply that has begun would corrupt it.
  const isMidReply = socket._httpMessage ? hasBegun(socket._httpMessage) : false
  if (error.code === 'ECONNRESET' || !socket.writable || isMidReply) {
    socket.destroy()
    return
  }
  const [status, code, message] = REFUSALS[error.code ?? ''] ?? [
    400,
    'malformed_request',
    'The request is not valid HTTP.',
  ]
  const requestId = randomUUID()
  const body = JSON.stringify(errorBody(new ApiError(status, code, message), requestId))
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: ${ERROR_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nX-Content-Type-Options: nosniff\r\n` +
      `X-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const REFUSALS: Record<string, [status: number, code: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'There may be at most 16 kB of headers, and about 1,000 of them.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request took too long to arrive.'],
}
