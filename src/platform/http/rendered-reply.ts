// Sends bytes that are rendered ahead of the request and sent many times, such as list pages. Their headers are made
// once, which keeps the list page fast (docs/decisions/0003).
import type { Request, Response } from 'express'
import { headerLines, writeHeadWith } from './fast-path/reply-head.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { acceptedCodings, matchesEtag } from './negotiation.ts'
import { endReply, JSON_TYPE } from './reply.ts'
import { commonHeaders, commonLines } from './reply-headers.ts'

/** Bytes rendered ahead; RenderedJson of reply-kinds.ts is one. */
export interface Rendered {
  bytes: Buffer
  etag: string
  maxAgeSeconds: number
  gzip: Buffer | undefined
  brotli?: Buffer | undefined
  /** Request headers besides `Accept-Encoding` that the reply depends on. */
  vary?: string
}

/**
 * Sends bytes rendered ahead: 304 if the client has them, compressed if the client accepts it and compressed bytes
 * exist.
 */
export function sendRendered(req: Request, res: Response, rendered: Rendered, contentType = JSON_TYPE): void {
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    // The reply to a POST can't be requested again by its URL, so it must not be stored.
    const { bytes } = rendered
    const own = ['Cache-Control', 'no-store', 'Content-Type', contentType, 'Content-Length', String(bytes.length)]
    res.writeHead(200, [...commonHeaders(res), ...own])
    endReply(req, res, bytes)
    return
  }
  const { coding, body } = encodingOf(rendered, req.headers)
  if (matchesEtag(req.headers['if-none-match'], rendered.etag)) {
    res.writeHead(304, [...commonHeaders(res), ...cacheHeaders(rendered, coding)])
    endReply(req, res, undefined)
    return
  }
  writeHeadWith(res, commonLines(res) + renderedLines(rendered, coding, contentType), body.length)
  endReply(req, res, body, rendered.bytes.length)
}

/** Cache lifetime of a file whose address changes with its content. */
export const IMMUTABLE_SECONDS = 31_536_000

type Coding = 'br' | 'gzip' | undefined

function cacheHeaders({ etag, maxAgeSeconds, vary }: Rendered, coding: Coding): FlatHeaders {
  return [
    'ETag',
    coding ? weak(etag) : etag, // compressed bytes are another representation
    'Cache-Control',
    maxAgeSeconds === IMMUTABLE_SECONDS
      ? `public, max-age=${IMMUTABLE_SECONDS}, immutable`
      : `public, max-age=${maxAgeSeconds}`,
    'Vary',
    vary === undefined ? 'Accept-Encoding' : `Accept-Encoding, ${vary}`,
  ]
}

const linesOfRendered = new WeakMap<Rendered, Map<Coding, string>>()

/** Lines of a head, made once for each coding. */
function renderedLines(rendered: Rendered, coding: Coding, contentType: string): string {
  const byCoding = linesOfRendered.get(rendered) ?? new Map<Coding, string>()
  const known = byCoding.get(coding)
  if (known !== undefined) return known
  const codingHeaders = coding ? ['Content-Encoding', coding] : []
  const lines = headerLines([...cacheHeaders(rendered, coding), 'Content-Type', contentType, ...codingHeaders])
  linesOfRendered.set(rendered, byCoding.set(coding, lines))
  return lines
}

function encodingOf({ bytes, gzip, brotli }: Rendered, headers: Request['headers']): { coding: Coding; body: Buffer } {
  if (gzip || brotli)
    for (const coding of acceptedCodings(headers)) {
      if (coding === 'identity') break
      const body = coding === 'br' ? brotli : gzip
      if (body) return { coding, body }
    }
  return { coding: undefined, body: bytes }
}

const weak = (etag: string) => (etag.startsWith('W/') ? etag : `W/${etag}`)
