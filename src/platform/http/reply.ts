// Sends replies that are made for one request: JSON, pages, files, streams, redirects.
import { pipeline } from 'node:stream/promises'
import compression from 'compression'
import type { Request, Response } from 'express'
import { contextOf } from './context.ts'
import { weakEtag } from './etag.ts'
import { createReplyBatch } from './fast-path/reply-batch.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { acceptEncodingOf, matchesEtag } from './negotiation.ts'
import { commonHeaders, setHeaders } from './reply-headers.ts'
import type { EventStream, StreamedFile } from './reply-kinds.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
// Below about one network packet, compression only costs time.
const compressLarge = compression({ threshold: 1400 })

function compress(req: Request, res: Response, send: () => void): void {
  req.headers['accept-encoding'] = acceptEncodingOf(req.headers)
  compressLarge(req, res, send)
}

/** Enough for ten list pages. A cold query takes longer, so it ends at once. */
const MAX_WAIT_MS = 0.25

const batch = createReplyBatch({
  maxWaitMs: MAX_WAIT_MS,
  /** Bytes that the connection does not accept at once count for its client. */
  onEnded({ res, body }) {
    // A reply that is not ended yet is still being compressed.
    if (!body || (res.writableEnded && res.writableLength === 0)) return
    const context = contextOf(res)
    context.load.holdReply(res.req, res, context.clientKey, body.length)
  },
})

/**
 * Ends a reply whose headers are set, and counts what the client does not read.
 * @param uncompressedBytes of a body that is compressed
 */
export function endReply(
  req: Request,
  res: Response,
  body: Buffer | undefined,
  uncompressedBytes = body?.length ?? 0,
): void {
  const context = contextOf(res)
  context.bytes = uncompressedBytes
  batch.end({ res, body: req.method === 'HEAD' ? undefined : body, startedAt: context.startedAt })
}

interface JsonReply {
  status: number
  value: unknown
  headers?: FlatHeaders
  contentType?: string
}

/**
 * Sends a value as JSON, compressed where it pays. A 200 reply to GET gets an entity tag, and clients revalidate it;
 * other replies must not be stored.
 */
export function sendJson(
  req: Request,
  res: Response,
  { status, value, headers = [], contentType = JSON_TYPE }: JsonReply,
): void {
  const body = Buffer.from(JSON.stringify(value))
  const reusable = status === 200 && (req.method === 'GET' || req.method === 'HEAD')
  setHeaders(res, [...commonHeaders(res), 'Cache-Control', reusable ? 'private, no-cache' : 'no-store', ...headers])
  if (reusable) {
    const etag = weakEtag(body)
    res.setHeader('ETag', etag)
    if (matchesEtag(req.headers['if-none-match'], etag)) {
      res.writeHead(304)
      endReply(req, res, undefined)
      return
    }
  }
  compress(req, res, () => {
    res.writeHead(status, { 'Content-Type': contentType, 'Content-Length': body.length })
    endReply(req, res, body)
  })
}

interface TextReply {
  status: number
  type: 'html' | 'plain' | 'csv'
  text: string
  headers?: FlatHeaders
}

/**
 * Sends a generated page, such as an error page, or a line of text, with `no-store`. After 413 the rest of the body is
 * not read.
 */
export function sendText(req: Request, res: Response, { status, type, text, headers = [] }: TextReply): void {
  const contentType = `text/${type}; charset=utf-8`
  if (status === 413) {
    sendAndClose(req, res, { status, contentType, text })
    return
  }
  const body = Buffer.from(text)
  const own = ['Cache-Control', 'no-store', 'Content-Type', contentType, 'Content-Length', String(body.length)]
  res.writeHead(status, [...commonHeaders(res), ...own, ...headers])
  endReply(req, res, body)
}

/** A page of one visitor, compressed where it pays: not stored. */
export function sendPage(req: Request, res: Response, status: number, html: string): void {
  const body = Buffer.from(html)
  setHeaders(res, [...commonHeaders(res), 'Cache-Control', 'private, no-store'])
  compress(req, res, () => {
    res.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length })
    endReply(req, res, body)
  })
}

/**
 * How long a client may continue to send after its last reply. A close under unread bytes would reset the connection,
 * and the reply with it.
 */
const LINGER_MS = 1_000

/** Replies before the request body was read, stops reading it, and closes the connection. */
export function sendAndClose(
  req: Request,
  res: Response,
  { status, contentType, text }: { status: number; contentType: string; text: string },
): void {
  const body = Buffer.from(text)
  const context = contextOf(res)
  context.bytes = body.length
  context.headMs = performance.now() - context.startedAt
  setHeaders(res, [...commonHeaders(res), 'Cache-Control', 'no-store', 'Connection', 'close'])
  res.writeHead(status, { 'Content-Type': contentType, 'Content-Length': body.length })
  res.write(body)
  const close = () => res.end()
  const late = setTimeout(close, LINGER_MS)
  req.once('end', close).resume()
  res.once('close', () => clearTimeout(late))
  if (req.complete) close()
}

/**
 * Sends the head of a Server-Sent Events stream and hands the connection over; HEAD gets only the head.
 * @throws what `admit` throws
 */
export function sendStream(req: Request, res: Response, stream: EventStream): void {
  stream.admit()
  setHeaders(res, [...commonHeaders(res), 'Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'])
  res.writeHead(200, { 'Content-Type': 'text/event-stream; charset=utf-8' })
  // No `close` would end the stream of a client that has already left.
  if (req.method === 'HEAD' || res.destroyed) res.end()
  else {
    res.flushHeaders()
    contextOf(res).headMs = performance.now() - contextOf(res).startedAt
    stream.open(res)
  }
}

/**
 * Sends a file while it is made, which is never stored. A client that leaves, or that reads nothing
 * for too long, ends it.
 * @param type of text
 * @throws what prevents the next piece. The connection must then be cut, so that the file does not look complete
 */
export async function sendFile(
  req: Request,
  res: Response,
  { name, pieces }: StreamedFile,
  type = 'text/plain',
): Promise<void> {
  const own = ['Cache-Control', 'no-store', 'Content-Disposition', `attachment; filename="${name}"`]
  setHeaders(res, [...commonHeaders(res), ...own])
  res.writeHead(200, { 'Content-Type': `${type}; charset=utf-8` })
  if (req.method === 'HEAD') {
    res.end()
    return
  }
  const context = contextOf(res)
  context.load.holdReply(req, res, context.clientKey, res.writableHighWaterMark)
  await pipeline(counted(pieces, res), res).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
  })
}

async function* counted(pieces: AsyncIterable<string>, res: Response): AsyncGenerator<string> {
  const context = contextOf(res)
  context.bytes = 0
  try {
    for await (const piece of pieces) {
      context.bytes += Buffer.byteLength(piece)
      yield piece
    }
  } catch (error) {
    // A reset, because to a client of HTTP/1.0 a file ends where its connection is closed.
    res.socket?.resetAndDestroy()
    throw error
  }
}

/** Never stored, since it may carry a cookie. @param options.status 303 after a form: browsers read the next page */
export function sendRedirect(
  res: Response,
  location: string,
  { status = 302, headers = [] }: { status?: 301 | 302 | 303; headers?: FlatHeaders } = {},
): void {
  setHeaders(res, [...commonHeaders(res), 'Cache-Control', 'no-store', 'Location', location, ...headers])
  res.writeHead(status, { 'Content-Length': 0 })
  res.end()
}

/** Sends 204 without a body. */
export function sendNoContent(res: Response, extra: FlatHeaders): void {
  res.writeHead(204, [...commonHeaders(res), ...extra])
  res.end()
}
