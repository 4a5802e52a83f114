// Runs a declared operation.
import { parse as parseQueryString } from 'node:querystring'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import { retryDeadlocks } from '../db/deadlock.ts'
import { isMissingReference } from '../db/missing-reference.ts'
import { type Db, inTransaction, type Pool, type Sql } from '../db/pool.ts'
import { causeNow, withCause } from '../observability/cause.ts'
import type { Log } from '../observability/log.ts'
import { createSeenOnce } from '../seen-once.ts'
import type { Actor } from './actor.ts'
import { type Authorize, isSafe } from './authorize.ts'
import { MAX_SIGNED_BODY_BYTES, readBody, readRawBody } from './body.ts'
import { contextOf } from './context.ts'
import { ApiError, type ErrorDetail, notFound, validationFailed } from './errors.ts'
import { allowStyle, type FlatHeaders } from './fast-path/security-headers.ts'
import type { Limits } from './limits.ts'
import { type Deprecation, idParamsOf, type Operation, paramsOf, type Resource } from './operation.ts'
import { linksOf, type PagePosition } from './paging.ts'
import { sendJson, sendRedirect, sendRendered, sendStream, sendText } from './reply.ts'
import { Audited, EventStream, Redirect, RenderedFile, RenderedJson, Reply } from './reply-kinds.ts'
import { unknownDetails } from './unknown-input.ts'

/** What the pipeline gets from the process. */
export interface PipelineOptions {
  pool: Pool
  /** For operations that read from the standby. */
  readDb: Sql
  log: Log
  limits: Pick<Limits, 'take'>
  authorize: Authorize
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

/** What a request gives to an operation. */
interface RequestInput {
  params: Record<string, unknown>
  /** With the query. */
  url: string
  readBody(): unknown
}

/** The input of an operation that a page calls. */
export interface CallInput {
  params: Record<string, string>
  query: Record<string, string>
  /** As JSON would be parsed. */
  body?: unknown
}

export type Pipeline = ReturnType<typeof createPipeline>

/**
 * The steps of every operation: caller → parameters, query and body → malformed ids → the operation's limit → `before` →
 * begin → load and check the resource → handle → the resource's `after` → announce → commit → refresh → reply. `returns`
 * encodes replies in production too, so that undeclared fields never leave. Hot operations avoid that cost with
 * RenderedJson.
 */
export function createPipeline(operation: Operation, options: PipelineOptions) {
  const { pool, limits, authorize, checkRendered } = options
  const { resource, returns, status = 200, produces, limit, rawBody } = operation
  const { headers: headerSchema, body: bodySchema, transaction = operation.method !== 'get' } = operation
  const db = operation.reads === 'standby' ? options.readDb : pool
  const params = paramsOf(operation)
  const idParams = idParamsOf(params)
  const ownPolicies = limit ? [limit] : []
  const change = operation.changes && options.changes[operation.changes]
  const createReader = Object.keys(operation.query?.shape ?? {}).length ? createQueryReader : createEmptyQueryReader
  const readQuery = operation.query && createReader(operation.query)
  const checked = new WeakSet<RenderedJson>()

  type Input = ReturnType<typeof validate>
  /** Synchronous: a promise for each request shows in the cost of a list page. */
  function validate(req: Request, res: Response, given: RequestInput, actor: Actor | undefined, body: unknown) {
    const details: ErrorDetail[] = []
    const path = params ? idsInLowerCase(given.params) : {}
    const input = {
      params: (params && take(params, path, '', details)) ?? {},
      query: (readQuery ? readQuery(given.url, details) : undefined) ?? {},
      headers: headerSchema ? take(headerSchema, givenHeaders(req, headerSchema), 'headers', details) : {},
      body: bodySchema && take(bodySchema, body, 'body', details),
      rawBody: NOTHING as Buffer,
      db,
      actor,
      clientKey: contextOf(res).clientKey,
      req,
    }
    if (details.length) throw validationFailed(details)
    for (const [name, message] of idParams) if (!UUID.test(String(path[name]))) throw notFound(message)
    return input
  }

  /** @param input with `tx` if the operation is a transaction */
  const work = (db: Db, input: Input): unknown =>
    resource ? workOn(resource, db, input) : operation.handle(input as never)

  async function workOn({ name, load, after }: Resource, db: Db, input: Input): Promise<unknown> {
    const { actor } = input
    const { id } = input.params as { id: string }
    const value = await load(db, id, actor)
    const result = await operation.handle({ ...input, [name]: value } as never)
    const audited = result instanceof Audited
    await after?.(db, { id, value, actor, details: audited ? result.details : {} })
    return audited ? result.reply : result
  }

  async function workInTransaction(input: Input): Promise<unknown> {
    const result = await retryDeadlocks(() =>
      inTransaction(pool, async (tx) => {
        const done = await work(tx, { ...input, tx } as Input)
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
  const isPaged = operation.query !== undefined && 'page' in operation.query.shape

  function send(req: Request, res: Response, result: unknown): void {
    const links = isPaged ? linkHeader(req.originalUrl ?? req.url, result) : undefined
    if (links) addHeaders(res, links)
    if (result instanceof RenderedJson) {
      if (checkRendered && !checked.has(result)) {
        returns.decode(result.parse() as never)
        checked.add(result)
      }
      sendRendered(req, res, result)
    } else if (result instanceof RenderedFile) {
      const context = contextOf(res)
      if (result.styleHash) context.securityHeaders = allowStyle(context.securityHeaders, result.styleHash)
      sendRendered(req, res, result, produces)
    } else if (result instanceof EventStream) sendStream(req, res, result)
    else if (result instanceof Redirect) sendRedirect(res, result.location, result.headers.flat())
    else if (result instanceof Reply)
      sendJson(req, res, result.status ?? status, returns.encode(result.body), result.headers.flat())
    else if (produces === 'text/plain') sendText(req, res, status, 'plain', String(returns.encode(result)))
    else sendJson(req, res, status, returns.encode(result))
  }

  async function execute(req: Request, res: Response, given: RequestInput): Promise<unknown> {
    const asking = authorize(req, res, operation)
    const actor = asking instanceof Promise ? await asking : asking
    const body = bodySchema && (await given.readBody())
    const input = validate(req, res, given, actor, body)
    if (rawBody) input.rawBody = await readRawBody(req, res, MAX_SIGNED_BODY_BYTES)
    if (limit) {
      const key = limit.per === 'user' && actor ? actor.userId : input.clientKey
      await limits.take({ key, policies: ownPolicies }, false)
    }
    if (operation.before) await operation.before(input as never)
    try {
      return await (transaction ? workInTransaction(input) : work(pool, input))
    } catch (error) {
      if (actor && isMissingReference(error, actor.userId))
        throw new ApiError(401, 'unauthenticated', 'This account was deleted.', { cause: error })
      throw error
    }
  }

  /** Jobs that a write enqueues carry its id. */
  const resultOf: typeof execute =
    operation.method === 'get'
      ? execute
      : (req, res, given) => withCause({ ...causeNow(), requestId: contextOf(res).id }, () => execute(req, res, given))

  return {
    async run(req: Request, res: Response): Promise<void> {
      if (deprecation) addHeaders(res, deprecation)
      const { params, url } = req
      send(req, res, await resultOf(req, res, { params, url, readBody: () => readBody(req, res) }))
    },
    /**
     * Runs the operation for a page in this process, as its visitor: with the access, validation, limit and transaction of a
     * request. Headers of the reply, such as cookies, are added to the page's.
     * @param req of the page
     * @returns the JSON of the reply's body
     * @throws ApiError as the operation answers it
     */
    async call(req: Request, res: Response, { params, query, body }: CallInput): Promise<unknown> {
      // The check of the origin goes by the method of the page's request.
      if (!isSafe(operation.method.toUpperCase()) && isSafe(req.method))
        throw new Error(`a page that is read may not call ${operation.operationId}`)
      const url = `?${new URLSearchParams(query)}`
      const result = await resultOf(req, res, { params, url, readBody: () => body })
      if (result instanceof RenderedJson) return result.parse()
      if (!(result instanceof Reply)) return operation.returns.encode(result)
      addHeaders(res, result.headers.flat())
      return operation.returns.encode(result.body)
    },
  }
}

export function addHeaders(res: Response, headers: FlatHeaders): void {
  const context = contextOf(res)
  context.operationHeaders = context.operationHeaders.length ? [...context.operationHeaders, ...headers] : headers
}

/** The header of a longer address is not kept: the caches of pages do not count its bytes. */
const KEPT_URL_CHARACTERS = 200

/** The header repeats the address up to four times, and clients and proxies refuse headers of more than 8 or 16 kB. */
const MAX_LINKED_URL_CHARACTERS = 1500

/** The header of a page. A page rendered ahead keeps it, because many clients ask for it by the same address. */
function linkHeader(url: string, result: unknown): FlatHeaders | undefined {
  const { pagination } = result as { pagination?: PagePosition }
  if (!pagination || url.length > MAX_LINKED_URL_CHARACTERS) return undefined
  if (!(result instanceof RenderedJson) || url.length > KEPT_URL_CHARACTERS) return ['Link', linksOf(url, pagination)]
  if (result.links?.url !== url) result.links = { url, header: ['Link', linksOf(url, pagination)] }
  return result.links.header
}

const deprecationHeaders = ({ since, sunset, link }: Deprecation): FlatHeaders => [
  ...['Deprecation', `@${Date.parse(since) / 1000}`],
  ...['Sunset', new Date(sunset).toUTCString()],
  ...['Link', `<${link}>; rel="deprecation"; type="text/html"`],
]

const NOTHING = Buffer.alloc(0)

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** UUIDs may be written in upper case. Features compare, enqueue and log ids, so they get the stored form. */
function idsInLowerCase(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : value,
    ]),
  )
}

/** By their declared names; Node's are in lower case. */
const givenHeaders = (req: Request, { shape }: z.ZodObject) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, req.headers[name.toLowerCase()]]))

function take<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix: string,
  details: ErrorDetail[],
): z.output<Schema> | undefined {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const at = [...(prefix ? [prefix] : []), ...issue.path].map(String).join('.')
    if (issue.code === 'unrecognized_keys') details.push(...unknownDetails(schema, issue, at))
    else details.push({ path: at, message: issue.message })
  }
  return undefined
}

/**
 * Reads and validates the query. Valid queries that come again are cached by their text, because popular pages repeat a few
 * and validation costs more than the rest of the reply. So a query schema must depend on nothing but its input.
 */
function createQueryReader(schema: z.ZodObject) {
  const known = new LRUCache<string, z.output<z.ZodObject>>({ max: 1000 })
  const seenOnce = createSeenOnce()
  return (url: string, details: ErrorDetail[]) => {
    const text = queryOf(url)
    const before = known.get(text)
    if (before) return before
    const query = take(schema, parseQueryString(text), '', details)
    if (query && text.length <= 200 && seenOnce(text)) known.set(text, Object.freeze(query))
    return query
  }
}

/** For operations without parameters: refuses any, and needs no cache. */
const createEmptyQueryReader = (schema: z.ZodObject) => (url: string, details: ErrorDetail[]) => {
  const text = queryOf(url)
  return text === '' ? undefined : take(schema, parseQueryString(text), '', details)
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
