// Tracks each client's requests, unread replies and incoming bodies, and bounds them per client and per process.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from './errors.ts'
import { type CutOffReason, cutOffs, exposeHeldBytes } from './http.metrics.ts'

export type ClientLoad = ReturnType<typeof createClientLoad>

/** Bounds in bytes and milliseconds. */
export interface LoadBounds {
  /** Concurrent requests of one client; 0: no bound. */
  requests: number
  /**
   * One reply that is larger is cut off although its client reads it: operations answer in pages, or
   * send a `StreamedFile`.
   */
  clientBytes: number
  /** A client this close to its bound is refused, so that one more reply still fits. */
  replyBytes: number
  processBytes: number
  stalledMs: number
}

export const LOAD_BOUNDS: Omit<LoadBounds, 'requests'> = {
  clientBytes: 8_000_000,
  replyBytes: 1_000_000,
  processBytes: 64_000_000,
  stalledMs: 20_000,
}

/** How often replies are checked for progress. */
const PROGRESS_CHECK_MS = 1_000
const RETRY_AFTER_SECONDS = 5

interface Held {
  client: string
  bytes: number
  socket: Socket
  /** Undefined for a body, which the request timeout bounds. */
  reply: ServerResponse | undefined
  /** Bytes the kernel had accepted at the last check. */
  acceptedBytes: number
  progressAt: number
}

export function createClientLoad(bounds: LoadBounds) {
  const requests = new Map<string, number>()
  const bytesOf = new Map<string, number>()
  /** Ordered by last progress. */
  const held = new Set<Held>()
  let total = 0
  let progressChecks: NodeJS.Timeout | undefined
  exposeHeldBytes(() => total)

  function add(item: Held, bytes: number): void {
    item.bytes += bytes
    total += bytes
    const ofClient = (bytesOf.get(item.client) ?? 0) + bytes
    if (ofClient > 0) bytesOf.set(item.client, ofClient)
    else bytesOf.delete(item.client)
  }

  function hold({ socket }: IncomingMessage, client: string, reply?: ServerResponse): Held {
    const progressAt = performance.now()
    const item: Held = { client, bytes: 0, socket, reply, acceptedBytes: acceptedBytesOf(socket), progressAt }
    held.add(item)
    return item
  }

  function release(item: Held): void {
    if (held.delete(item)) add(item, -item.bytes)
  }

  /** Resets the connection, so that the kernel drops what it has buffered for the client too. */
  function cutOff(item: Held, reason: CutOffReason): void {
    cutOffs.inc({ reason })
    release(item)
    item.socket.resetAndDestroy()
  }

  function progressed(item: Held): void {
    item.progressAt = performance.now()
    held.delete(item)
    held.add(item)
  }

  function enforce(item: Held): void {
    if ((bytesOf.get(item.client) ?? 0) > bounds.clientBytes) cutOff(item, 'client_bytes')
    for (const stalest of held) {
      if (total <= bounds.processBytes) return
      cutOff(stalest, 'process_bytes')
    }
  }

  function checkProgress(): void {
    const now = performance.now()
    const replies = [...held].filter(({ reply }) => reply)
    if (replies.length === 0) {
      clearInterval(progressChecks)
      progressChecks = undefined
    }
    for (const item of replies) {
      const acceptedBytes = acceptedBytesOf(item.socket)
      const isAwaited = item.reply?.writableLength === 0 // the client waits for the next piece of a file
      if (acceptedBytes > item.acceptedBytes || isAwaited) {
        item.acceptedBytes = acceptedBytes
        progressed(item)
      } else if (now - item.progressAt >= bounds.stalledMs) cutOff(item, 'stalled')
    }
  }

  const refuse = (message: string) => {
    throw new ApiError(429, 'rate_limited', message, { headers: { 'Retry-After': String(RETRY_AFTER_SECONDS) } })
  }

  return {
    /** Counts a request until `end` is called. */
    begin(client: string): void {
      if (bounds.requests > 0) requests.set(client, (requests.get(client) ?? 0) + 1)
    },
    end(client: string): void {
      if (bounds.requests === 0) return
      const others = (requests.get(client) ?? 1) - 1
      if (others > 0) requests.set(client, others)
      else requests.delete(client)
    },
    /** Refuses a client that is at a bound, before any work. @throws ApiError 429 rate_limited */
    admit(client: string): void {
      if (bounds.requests > 0 && (requests.get(client) ?? 0) > bounds.requests)
        refuse(`Your address has ${bounds.requests} concurrent requests, the maximum. Wait for one of them to finish.`)
      if (total > 0 && (bytesOf.get(client) ?? 0) > bounds.clientBytes - bounds.replyBytes)
        refuse('Your address has too many bytes in replies that it has not read. Read them before you ask again.')
    },
    /**
     * Counts the bytes of a reply that the connection has not accepted yet, or of a file the bytes that wait at once.
     */
    holdReply(req: IncomingMessage, res: ServerResponse, client: string, bytes: number): void {
      if (res.destroyed) return // no `close` would release it
      const item = hold(req, client, res)
      add(item, bytes)
      res.once('close', () => release(item))
      enforce(item)
      progressChecks ??= setInterval(checkProgress, Math.min(PROGRESS_CHECK_MS, bounds.stalledMs / 4)).unref()
    },
    /** Counts the memory of an incoming body until `release` is called. Beyond a bound the connection is cut off. */
    holdBody(req: IncomingMessage, client: string) {
      const item = hold(req, client)
      return {
        add(bytes: number): void {
          if (!held.has(item)) return
          add(item, bytes)
          progressed(item)
          enforce(item)
        },
        release: () => release(item),
      }
    },
  }
}

/**
 * Bytes of a connection that the kernel has accepted, which only the handle knows: Node's `bytesWritten` includes what
 * the process still buffers.
 */
function acceptedBytesOf(socket: Socket): number {
  const { _handle: handle } = socket as unknown as { _handle?: { bytesWritten: number; writeQueueSize: number } | null }
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0
}
