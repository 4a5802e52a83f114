// Results that a handler may return besides the value that `returns` describes.
import type { Response } from 'express'
import type { PagePosition } from './paging.ts'

/** A reply rendered ahead of the request, with its entity tag. A matching `If-None-Match` gets 304. */
export class RenderedJson {
  readonly bytes: Buffer
  readonly etag: string
  readonly maxAgeSeconds: number
  /** The same bytes compressed, if the feature has them. */
  readonly gzip: Buffer | undefined
  /** Position of a page of a list; undefined for other replies. */
  readonly pagination: PagePosition | undefined
  /** The `Link` header that the address of the last request got. */
  links: { url: string; header: string[] } | undefined

  constructor(
    bytes: Buffer,
    etag: string,
    options: { maxAgeSeconds: number; gzip?: Buffer | undefined; pagination?: PagePosition | undefined },
  ) {
    this.bytes = bytes
    this.etag = etag
    this.maxAgeSeconds = options.maxAgeSeconds
    this.gzip = options.gzip
    this.pagination = options.pagination
  }

  /** The reply as a value, for pages of the site: parsed again, because features render each field in one way only. */
  parse(): unknown {
    return JSON.parse(this.bytes.toString())
  }
}

/** A reply with additional headers, or with the declared `alsoStatus`. */
export class Reply<Body> {
  readonly body: Body
  readonly status: 200 | 201 | undefined
  readonly headers: readonly (readonly [name: string, value: string])[]

  constructor(body: Body, options: { status?: 200 | 201; headers?: readonly (readonly [string, string])[] } = {}) {
    this.body = body
    this.status = options.status
    this.headers = options.headers ?? []
  }
}

/** Bytes that are not JSON, served like `RenderedJson`. The declaration's `produces` is their content type. */
export class RenderedFile {
  readonly bytes: Buffer
  readonly etag: string
  readonly maxAgeSeconds: number
  readonly gzip = undefined
  /** SHA-256 in base64 of its inline style, if it has one. */
  readonly styleHash: string | undefined

  constructor(bytes: Buffer, etag: string, options: { maxAgeSeconds: number; styleHash?: string }) {
    this.bytes = bytes
    this.etag = etag
    this.maxAgeSeconds = options.maxAgeSeconds
    this.styleHash = options.styleHash
  }
}

/**
 * A reply without an end (`produces: 'text/event-stream'`): the pipeline calls `admit`, sends the head, then hands the
 * connection to `open`. Nothing runs between `admit` and `open`, so what `admit` counted still holds. `admit` throws to
 * refuse.
 */
export class EventStream {
  readonly admit: () => void
  readonly open: (res: Response) => void

  constructor(stream: { admit(): void; open(res: Response): void }) {
    this.admit = stream.admit
    this.open = stream.open
  }
}

/** A file of any length, which is sent while it is made: pieces are asked for as fast as the client takes them. */
export class StreamedFile {
  readonly name: string
  readonly pieces: AsyncIterable<string>

  /** @param name under which browsers save it */
  constructor(name: string, pieces: AsyncIterable<string>) {
    this.name = name
    this.pieces = pieces
  }
}

/** 302 to another page, for endpoints that browsers navigate to. */
export class Redirect {
  readonly location: string
  readonly headers: readonly (readonly [name: string, value: string])[]

  constructor(location: string, headers: readonly (readonly [string, string])[] = []) {
    this.location = location
    this.headers = headers
  }
}

/** A reply with details for the resource's audit entry. Without details no entry is written. */
export class Audited<Body> {
  readonly reply: Body | Reply<Body>
  readonly details: object | undefined

  constructor(reply: Body | Reply<Body>, details: object | undefined) {
    this.reply = reply
    this.details = details
  }
}

export type Result<Body> =
  | Body
  | Reply<Body>
  | Audited<Body>
  | RenderedJson
  | RenderedFile
  | StreamedFile
  | EventStream
  | Redirect
