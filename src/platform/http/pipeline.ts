// Runs a declared operation.
import type { Request, Response } from 'express'
import { retryDeadlocks } from '../db/deadlock.ts'
import { isMissingReference } from '../db/pg-errors.ts'
import { type Db, inTransaction, type Pool, type Sql } from '../db/pool.ts'
import { currentCause, withCause } from '../observability/cause.ts'
import type { Log } from '../observability/log.ts'
import type { Actor } from './actor.ts'
import { type Authorizer, isSafeMethod } from './authorize.ts'
import { MAX_SIGNED_BODY_BYTES, readBody, readFile, readRawBody, requireFileType } from './body.ts'
import { contextOf } from './context.ts'
import { ApiError } from './errors.ts'
import type { FlatHeaders } from './fast-path/security-headers.ts'
import { readBodyOrForm } from './form-body.ts'
import type { Limits } from './limits.ts'
import type { Deprecation, Operation, Resource } from './operation.ts'
import { Audited, RenderedJson, Reply } from './reply-kinds.ts'
import { addHeaders, createResultSender } from './send-result.ts'
import { createValidation, type RequestInput, type ValidInput } from './validate-input.ts'

/** What the pipeline gets from the process. */
export interface PipelineOptions {
  pool: Pool
  /** The database for operations that read from the standby. */
  readDb: Sql
  log: Log
  limits: Pick<Limits, 'consume'>
  authorizer: Authorizer
  /** What to do for each value of a declaration's `changes`. */
  changes: Record<NonNullable<Operation['changes']>, Change>
  /** Whether replies rendered ahead are checked against `returns`. */
  checkRendered: boolean
}

export interface Change {
  /** Runs in the operation's transaction. */
  announce(tx: Db): Promise<void>
  /** Runs after the commit and before the reply, so that callers read their own writes. */
  refresh(): Promise<void>
}

/** The input of an operation that a page calls. */
export interface CallInput {
  params: Record<string, string>
  query: Record<string, string>
  /** A value like those that JSON is parsed to, or the bytes of a file. */
  body?: unknown
}

/** A body may take half a minute, in which the caller can lose its session, its key or its rights. */
const AUTHORIZED_FOR_MS = 1_000

export type Pipeline = ReturnType<typeof createPipeline>

/**
 * The steps of every operation, as docs/ARCHITECTURE.md explains them:
 * 1. the caller's access; parameters, query and body; malformed ids
 * 2. the operation's limit and its file; access again if that took long; `before`
 * 3. in a transaction: load and check the resource, `handle`, the resource's `after`, announce the change
 * 4. after the commit: refresh, and reply
 *
 * `returns` encodes replies in production too, so that undeclared fields never leave. Hot operations avoid that
 * cost with RenderedJson.
 */
export function createPipeline(operation: Operation, options: PipelineOptions) {
  const { pool, limits } = options
  const { authorize, authorizeAgain } = options.authorizer
  const { resource, limit, rawBody, file, formField, transaction = operation.method !== 'get' } = operation
  const ownPolicies = limit ? [limit] : []
  const change = operation.changes && options.changes[operation.changes]
  const validate = createValidation(operation, operation.reads === 'standby' ? options.readDb : pool)
  const send = createResultSender(operation, options)

  /** @param input with `tx` if the operation is a transaction */
  const work = (db: Db, input: ValidInput): unknown =>
    resource ? workOn(resource, db, input) : operation.handle(input as never)

  async function workOn({ name, load, after }: Resource, db: Db, input: ValidInput): Promise<unknown> {
    const { actor } = input
    const { id } = input.params as { id: string }
    const value = await load(db, id, actor)
    const result = await operation.handle({ ...input, [name]: value } as never)
    const audited = result instanceof Audited
    await after?.(db, { id, value, actor, details: audited ? result.details : {} })
    return audited ? result.reply : result
  }

  async function workInTransaction(input: ValidInput): Promise<unknown> {
    const result = await retryDeadlocks(() =>
      inTransaction(pool, async (tx) => {
        const done = await work(tx, { ...input, tx } as ValidInput)
        await change?.announce(tx)
        return done
      }),
    )
    // The write is committed even if the refresh fails.
    await change
      ?.refresh()
      .catch((err: unknown) => options.log.warn({ err }, 'a change is committed but not shown yet'))
    return result
  }

  const deprecation = operation.deprecated ? deprecationHeaders(operation.deprecated) : undefined

  async function execute(req: Request, res: Response, source: RequestInput): Promise<unknown> {
    const actor = await authorize(req, res, operation)
    const authorizedAt = performance.now()
    const body = operation.body && (await source.readBody())
    if (file) source.requireFileType(file)
    const input = validate(req, res, source, actor, body)
    if (limit) {
      const key = limit.per === 'user' && actor ? actor.userId : input.clientKey
      await limits.consume({ key, policies: ownPolicies })
    }
    if (rawBody) input.rawBody = await readRawBody(req, res, MAX_SIGNED_BODY_BYTES)
    if (file) input.rawBody = await source.readFile(file)
    if (performance.now() - authorizedAt > AUTHORIZED_FOR_MS) input.actor = await authorizeAgain(req, res, operation)
    if (operation.before) await operation.before(input as never)
    try {
      return await (transaction ? workInTransaction(input) : work(pool, input))
    } catch (error) {
      if (actor && isMissingReference(error, actor.userId))
        throw new ApiError(401, 'unauthenticated', 'This account was deleted.', { cause: error })
      throw error
    }
  }

  /**
   * `execute` of a public read, for which its other steps do nothing: without a promise unless a step has one
   * (docs/decisions/0003).
   */
  function readPublic(req: Request, res: Response, source: RequestInput): unknown {
    const handle = (actor: Actor | undefined) => work(pool, validate(req, res, source, actor, undefined))
    return continueWith(authorize(req, res, operation), handle)
  }

  /** Jobs that a request enqueues carry its id: also those of a GET, as of a login at another site. */
  const executeTraced: typeof execute = (req, res, source) =>
    withCause({ ...currentCause(), requestId: contextOf(res).id }, () => execute(req, res, source))

  const isPublicRead =
    operation.method === 'get' &&
    (operation.access ?? 'public') === 'public' &&
    !(limit || operation.body || rawBody || file || operation.before || transaction || operation.redirects)
  const resultOf = isPublicRead ? readPublic : executeTraced

  return {
    run(req: Request, res: Response): void | Promise<void> {
      if (deprecation) addHeaders(res, deprecation)
      const { params, url } = req
      const source: RequestInput = {
        params,
        url,
        readBody: () => (formField ? readBodyOrForm(req, res, formField) : readBody(req, res)),
        requireFileType: (rule) => requireFileType(req, rule),
        readFile: (rule) => readFile(req, res, rule),
      }
      return continueWith(resultOf(req, res, source), (result) => send(req, res, result))
    },
    /**
     * Runs the operation for a page in this process, as its visitor: with the access, validation, limit and transaction
     * of a request. Headers of the reply, such as cookies, are added to the page's.
     * @param req of the page
     * @returns the JSON of the reply's body
     * @throws ApiError as the operation answers it
     */
    async call(req: Request, res: Response, { params, query, body }: CallInput): Promise<unknown> {
      // The check of the origin goes by the method of the page's request.
      if (!isSafeMethod(operation.method.toUpperCase()) && isSafeMethod(req.method))
        throw new Error(`a page that is read may not call ${operation.operationId}`)
      const url = `?${new URLSearchParams(query)}`
      const source = {
        params,
        url,
        readBody: () => body,
        requireFileType: () => undefined,
        readFile: () => body as Buffer,
      }
      const result = await Promise.try(resultOf, req, res, source).catch((error: unknown) => {
        const cookie = error instanceof ApiError && error.headers['Set-Cookie']
        if (cookie) addHeaders(res, ['Set-Cookie', cookie])
        throw error
      })
      if (result instanceof RenderedJson) return result.parse()
      if (!(result instanceof Reply)) return operation.returns.encode(result)
      addHeaders(res, result.headers.flat())
      return operation.returns.encode(result.body)
    },
  }
}

/** Continues at once with a value, and later with that of a promise, also one of Prisma's. */
function continueWith<Value, Result>(
  value: Value | PromiseLike<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromiseLike(value) ? Promise.resolve(value).then(next) : next(value)
}

const isPromiseLike = <Value>(value: Value | PromiseLike<Value>): value is PromiseLike<Value> =>
  typeof (value as Partial<PromiseLike<Value>> | null | undefined)?.then === 'function'

const deprecationHeaders = ({ since, sunset, link }: Deprecation): FlatHeaders =>
  [
    ['Deprecation', `@${Date.parse(since) / 1000}`],
    ['Sunset', new Date(sunset).toUTCString()],
    ['Link', `<${link}>; rel="deprecation"; type="text/html"`],
  ].flat()
