// How a room declares an endpoint. Validation, the OpenAPI document and the types all come from this one declaration.
import type { Request } from 'express'
import type * as z from 'zod'

/** A reply rendered to bytes ahead of the request, with its entity tag; served as it is, 304 on a matching `If-None-Match`. */
export class RenderedJson {
  readonly bytes: Buffer
  readonly etag: string
  readonly maxAgeSeconds: number
  /** The same bytes compressed, when the room has them at hand. */
  readonly gzip: Buffer | undefined

  constructor(bytes: Buffer, etag: string, options: { maxAgeSeconds: number; gzip?: Buffer | undefined }) {
    this.bytes = bytes
    this.etag = etag
    this.maxAgeSeconds = options.maxAgeSeconds
    this.gzip = options.gzip
  }
}

export interface RouteInput<Params, Query, Body> {
  params: Params
  query: Query
  body: Body
  req: Request
}

export interface Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Returns extends z.ZodType = z.ZodType,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below `/api`, parameters in braces: `/servers/{id}`. Served below `/api/v1` too. */
  path: `/${string}`
  operationId: string
  tag: string
  summary: string
  description?: string
  params?: Params
  query?: Query
  body?: Body
  /** Success status, 200 unless said. */
  status?: 200 | 201
  returns: Returns
  /** Error statuses of this operation, besides those every operation has (400, 429, 500). */
  errors?: (401 | 403 | 404 | 503)[]
  /** Whether pages of other origins may read it (`Access-Control-Allow-Origin: *`). */
  crossOrigin?: boolean
  handle(
    input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): z.input<Returns> | RenderedJson | Promise<z.input<Returns> | RenderedJson>
}

/** Types one declaration; rooms export a list of these from their `<room>.routes.ts`. */
export function route<
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Returns extends z.ZodType = z.ZodType,
>(declaration: Route<Params, Query, Body, Returns>): Route {
  return declaration as unknown as Route
}
