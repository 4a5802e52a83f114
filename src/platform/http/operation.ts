// How a feature declares an endpoint. Validation, the OpenAPI document, the types and the steps of pipeline.ts come
// from this declaration.
import type { Request, Response } from 'express'
import * as z from 'zod'
import type { Db, Sql } from '../db/pool.ts'
import type { Actor, SessionActor } from './actor.ts'
import type { LimitPolicy } from './limit-policy.ts'
import type { Result } from './reply-kinds.ts'
import type { Scope } from './scopes.ts'
import type { StaffAccess } from './staff-access.ts'
import { rejectUnknownKeys } from './unknown-input.ts'

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/**
 * Who may call: `public` every caller; `user` a session or an API key; `session` a session only, because a key must
 * not reach accounts, keys or money; `moderator` a session of a moderator or an administrator; `admin` an
 * administrator's session.
 */
export type Access = 'public' | 'user' | 'session' | StaffAccess

/**
 * Operations below `/auth` accept no API key: with a key's larger limit, guessing passwords and tokens would be faster.
 */
export const acceptsKeys = ({ access = 'public', path }: Pick<OperationDescription, 'access' | 'path'>): boolean =>
  (access === 'public' || access === 'user') && !path.startsWith('/auth/')

/** The caller, as the access guarantees it. Public operations know the owner of an API key, but no session. */
export type ActorOf<A extends Access> = A extends 'public' ? Actor | undefined : A extends 'user' ? Actor : SessionActor

/**
 * The object that a path's `{id}` names. The pipeline loads it before the handler runs, in the handler's transaction.
 * The type parameters are the key and the value that the handler gets.
 */
export interface Resource<Name extends string = string, Value = unknown> {
  name: Name
  params: z.ZodObject
  /** Error statuses that `load` answers with. */
  errors: readonly (403 | 404)[]
  /** @param id a UUID in lower case. @throws ApiError 404 or 403 */
  load(db: Db, id: string, actor: Actor | undefined): Promise<Value>
  /**
   * Runs after the handler in the same transaction, for example to write an audit entry.
   * @param done.details what `Audited` says; an empty object for other replies
   */
  after?(
    tx: Db,
    done: { id: string; value: Value; actor: Actor | undefined; details: object | undefined },
  ): Promise<void>
}

/** A request limit of one operation, counted before its transaction begins. */
export interface OperationLimit extends LimitPolicy {
  /** Whether requests of one client address or of one user are counted together. */
  per: 'client' | 'user'
}

/** Arguments of `handle` besides the loaded resource. */
export interface Input<Params, Query, Body, A extends Access, Headers = unknown> {
  params: Params
  query: Query
  headers: Headers
  body: Body
  actor: ActorOf<A>
  /** Keyed hash of the client's address. */
  clientKey: string
  req: Request
  /** The body's bytes where the declaration has `rawBody` or `file`; empty elsewhere. */
  rawBody: Buffer
}

type Loaded<R> = R extends Resource<infer Name, infer Value> ? { [Key in Name]: Value } : unknown
type Handle<T extends boolean, Reads> = T extends true ? { tx: Db } : { db: Reads extends 'standby' ? Sql : Db }

/** An error whose body has fields besides `error` and `message`. */
export interface OwnError {
  status: 400 | 401 | 403 | 429 | 503
  fields: z.ZodObject
  /** False where the interface fixes the keys of the body: it has no members of RFC 9457. */
  isProblem?: boolean
}

/** Which files an operation takes. */
export interface FileRule {
  /** Content types. The handler checks the bytes. */
  types: readonly string[]
  maxBytes: number
}

/** Announces that an operation will be removed. */
export interface Deprecation {
  /** Days as `2026-11-20`. */
  since: string
  sunset: string
  /** Page that says what to use instead. */
  link: string
}

/** The parts of a declaration that the OpenAPI document is generated from. */
export interface OperationDescription {
  method: Method
  /** Below `/api`, with parameters in braces: `/servers/{id}`. Served below `/api/v1` too. */
  path: `/${string}`
  /**
   * A second path, at the root of the origin, for third-party programs that can't call another. Not in
   * the OpenAPI document.
   */
  alsoAt?: `/${string}`
  /** Name of the operation in the reference, in generated clients and in tests: `addFavorite`. */
  operationId: string
  /** Group of the operation in the reference. */
  tag: string
  /** Announced in the reference and by the headers `Deprecation` (RFC 9745) and `Sunset` (RFC 8594). */
  deprecated?: Deprecation
  summary: string
  description?: string
  /** Path parameters besides those of the `resource`. */
  params?: z.ZodObject
  query?: z.ZodObject
  /** Request headers that the handler reads, by the name as it is written: `Last-Event-ID`. */
  headers?: z.ZodObject
  body?: z.ZodType
  /** The body may also be a form, whose field of this name is the JSON, as third-party programs send it. */
  formField?: string
  /**
   * `ignored` for third-party programs, which may add parameters. Everywhere else unknown
   * parameters and fields are refused: a mistyped filter would answer the unfiltered list.
   */
  unknownInput?: 'ignored'
  /** The handler gets the body as bytes, because its signature is checked; this schema only describes it. */
  rawBody?: z.ZodType
  /** The handler gets the body as bytes: a file. A page of the site passes the bytes as the body. */
  file?: FileRule
  /** Success status; 200 by default. 202: a worker completes what was asked. */
  status?: 200 | 201 | 202
  /** Another success status, sent with `Reply`. */
  alsoStatus?: 200 | 201
  returns: z.ZodType
  /**
   * Content type of a success reply that is not JSON: a `RenderedFile`, an `EventStream`, or the text that
   * `returns` describes. With `text/plain` errors are a line of text too: `code: message`. `application/json`:
   * of a `StreamedFile`.
   */
  produces?: 'image/svg+xml' | 'image/png' | 'text/event-stream' | 'text/plain' | 'text/csv' | 'application/json'
  /** Whether the operation answers with a `Redirect`. */
  redirects?: boolean
  /** `public` by default. 401 and 403 need not be declared for others. */
  access?: Access
  /**
   * For actions that can't be undone: a session of an account with a second factor must have confirmed it in the last
   * ten minutes, or gets 403 `confirmation_needed`. API keys and other accounts are not affected.
   */
  stepUp?: boolean
  /** The scope that an API key needs here; required where `access` is `user`. Public operations mostly need none. */
  scope?: Scope
  /** Error statuses besides those of every operation (400, 429, 500, 503), of its access and of its resource. */
  errors?: readonly (401 | 403 | 404)[]
  /** Codes of 400 that only this operation has, for example `already_listed`. */
  codes?: readonly string[]
  /** Errors whose bodies have fields of their own, by code: `vote_cooldown`. */
  ownErrors?: Readonly<Record<string, OwnError>>
  /** Not counted against the caller's limits, for senders that call often and prove who they are. */
  unlimited?: boolean
  /** Counts the request instead of the caller's limits, where something other than an API key identifies the caller. */
  limitRequest?: (req: Request, res: Response) => void | Promise<void>
  /** Whether pages of other origins may read it (`Access-Control-Allow-Origin: *`). */
  crossOrigin?: boolean
  /** What the path's `{id}` names. Its path parameter and its errors need no declaration here. */
  resource?: Resource
  /** Counts besides the caller's limits. */
  limit?: OperationLimit
  /** What the handler changes: it is refreshed after the commit, so that the reply's reader sees the change. */
  changes?: 'directory' | 'appearance'
  /** Whether `handle` runs in a transaction. By default everything but GET does. */
  transaction?: boolean
  /**
   * `standby`: `db` is the standby of DATABASE_READ_URL, if there is one. For what is written by workers alone and
   * shown with the directory, because it is as late as the directory; a caller would not see its own writes.
   */
  reads?: 'standby'
}

/** A declaration whose types the pipeline no longer needs. */
export interface Operation extends OperationDescription {
  before?(input: Input<unknown, unknown, unknown, Access>): Promise<void>
  handle(input: Input<unknown, unknown, unknown, Access>): unknown
}

/**
 * What `operation` infers. The description must not type these too: the compiler would compare each schema twice, and
 * spend two thirds of the type check on it.
 */
type InferredKey =
  | 'method'
  | 'params'
  | 'query'
  | 'headers'
  | 'body'
  | 'returns'
  | 'access'
  | 'resource'
  | 'transaction'
  | 'reads'

/** Declares an operation and infers the types of its handler from the declaration. */
export function operation<
  M extends Method,
  Params extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Query extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Body extends z.ZodType = z.ZodUndefined,
  Returns extends z.ZodType = z.ZodType,
  A extends Access = 'public',
  R extends Resource | undefined = undefined,
  T extends boolean = M extends 'get' ? false : true,
  Headers extends z.ZodObject = z.ZodObject<Record<never, never>>,
  Reads extends 'standby' | undefined = undefined,
>(
  declaration: Omit<OperationDescription, InferredKey> & {
    method: M
    params?: Params
    query?: Query
    headers?: Headers
    body?: Body
    returns: Returns
    access?: A
    resource?: R
    transaction?: T
    reads?: Reads
    /** Runs before the transaction begins, for what must not hold one open, such as comparing a password. */
    before?(input: Input<z.output<Params>, z.output<Query>, z.output<Body>, A, z.output<Headers>>): Promise<void>
    handle(
      input: Input<z.output<Params>, z.output<Query>, z.output<Body>, A, z.output<Headers>> &
        Handle<T, Reads> &
        Loaded<R>,
    ): Result<z.output<Returns>> | Promise<Result<z.output<Returns>>>
  },
): Operation {
  const { query = z.object({}), body, unknownInput } = declaration
  if (unknownInput === 'ignored') return declaration as unknown as Operation
  return {
    ...declaration,
    query: rejectUnknownKeys<z.ZodType>(query),
    ...(body ? { body: rejectUnknownKeys<z.ZodType>(body) } : {}),
  } as unknown as Operation
}

/** Messages of the 404 that a malformed id gets, by the parameter's schema. */
const unknownIds = z.registry<{ message: string }>()

/** A path parameter that is an id. A malformed id is an unknown one: 404 with `message`. */
export const idParam = (description: string, message: string) =>
  z.string().describe(description).register(unknownIds, { message })

/** Path parameters by name whose malformed values are answered with 404, and with which message. */
export const idParamsOf = (params: z.ZodObject | undefined): [name: string, message: string][] =>
  Object.entries(params?.shape ?? {}).flatMap(([name, schema]) => {
    const message = unknownIds.get(schema as z.ZodType)?.message
    return message === undefined ? [] : [[name, message] as [string, string]]
  })

/** Path parameters of the resource and of the declaration. */
export const paramsOf = ({ params, resource }: OperationDescription): z.ZodObject | undefined =>
  resource && params ? resource.params.extend(params.shape) : (resource?.params ?? params)
