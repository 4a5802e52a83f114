// How a room declares an endpoint. Validation, the OpenAPI document and the types all come from this one declaration.
import type { Request, Response } from 'express'
import type * as z from 'zod'
import type { Actor, SessionActor } from './actor.ts'

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

/** A reply with headers of its own, or with another success status than the declared one. */
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

/** Bytes that are no JSON, served like `RenderedJson`; the declaration's `produces` says what they are. */
export class RenderedFile {
  readonly bytes: Buffer
  readonly etag: string
  readonly maxAgeSeconds: number
  readonly gzip = undefined

  constructor(bytes: Buffer, etag: string, options: { maxAgeSeconds: number }) {
    this.bytes = bytes
    this.etag = etag
    this.maxAgeSeconds = options.maxAgeSeconds
  }
}

/**
 * A reply without an end (`produces: 'text/event-stream'`): `admit` is called, the head is sent, then `open` has the connection
 * until it closes. Nothing runs between `admit` and `open`, so that what `admit` counted is still so; it throws to refuse.
 */
export class EventStream {
  readonly admit: () => void
  readonly open: (res: Response) => void

  constructor(stream: { admit(): void; open(res: Response): void }) {
    this.admit = stream.admit
    this.open = stream.open
  }
}

/** 302 to another page, for endpoints a browser is sent through. */
export class Redirect {
  readonly location: string
  readonly headers: readonly (readonly [name: string, value: string])[]

  constructor(location: string, headers: readonly (readonly [string, string])[] = []) {
    this.location = location
    this.headers = headers
  }
}

/**
 * Who may call (api-decisions.md "Accounts"): `public` anybody; `user` a session or an API key; `session` a session, since a key
 * must not reach accounts, keys or money; `admin` an administrator's session.
 */
export type Access = 'public' | 'user' | 'session' | 'admin'

/** With a key's larger limit, guessing passwords and tokens would be faster: operations of logging in accept none. */
export const acceptsKeys = ({ access = 'public', path }: Pick<Route, 'access' | 'path'>): boolean =>
  (access === 'public' || access === 'user') && !path.startsWith('/auth/')

/** Who is calling, as the access of the endpoint guarantees it. Public endpoints know a key's owner, and no session. */
export type ActorOf<A extends Access> = A extends 'public' ? Actor | undefined : A extends 'user' ? Actor : SessionActor

export interface RouteInput<Params, Query, Body, A extends Access = Access> {
  params: Params
  query: Query
  body: Body
  actor: ActorOf<A>
  /** Keyed hash of the caller's address. */
  visitor: string
  req: Request
  /** The body's bytes as they came, where the declaration has `rawBody`; empty elsewhere. */
  rawBody: Buffer
}

/** A body of an error that has fields besides `error` and `message`. */
export interface OwnError {
  status: 400 | 429
  fields: z.ZodObject
}

export interface Route<
  Params extends z.ZodObject = z.ZodObject,
  Query extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
  Returns extends z.ZodType = z.ZodType,
  A extends Access = Access,
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
  /** The body is handed over as bytes, for what is signed; this schema only describes it. */
  rawBody?: z.ZodType
  /** Success status, 200 unless said. */
  status?: 200 | 201
  /** Another success status the reply may have, by `Reply`. */
  alsoStatus?: 200 | 201
  returns: Returns
  /** What the success reply is when it is no JSON; then it is a `RenderedFile` or an `EventStream`. */
  produces?: 'image/svg+xml' | 'text/event-stream'
  /** Whether the endpoint answers with a `Redirect`. */
  redirects?: boolean
  /** `public` unless said. 401 and 403 need not be declared for others. */
  access?: A
  /** Error statuses of this operation, besides those every operation has (400, 429, 500, 503). */
  errors?: (401 | 403 | 404)[]
  /** Codes of 400 that only this operation has, besides those every operation has: `already_listed`. */
  codes?: readonly string[]
  /** Errors of this operation whose bodies have fields of their own, by code: `vote_cooldown`. */
  ownErrors?: Readonly<Record<string, OwnError>>
  /** Not counted against the caller's limits: for far ends that come often, from few addresses, and prove who they are. */
  unlimited?: boolean
  /** Whether pages of other origins may read it (`Access-Control-Allow-Origin: *`). */
  crossOrigin?: boolean
  handle(
    input: RouteInput<z.output<Params>, z.output<Query>, z.output<Body>, A>,
  ): Result<z.input<Returns>> | Promise<Result<z.input<Returns>>>
}

export type Result<Body> = Body | Reply<Body> | RenderedJson | RenderedFile | EventStream | Redirect

/** Types one declaration; rooms export a list of these from their `<room>.routes.ts`. */
export function route<
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Returns extends z.ZodType = z.ZodType,
  A extends Access = 'public',
>(declaration: Route<Params, Query, Body, Returns, A>): Route {
  return declaration as unknown as Route
}
