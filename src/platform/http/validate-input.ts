// Validates the parameters, query, headers and body of a request by an operation's declaration.
import { parse as parseQueryString } from 'node:querystring'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { validate as isUuid } from 'uuid'
import type * as z from 'zod'
import type { Sql } from '../db/pool.ts'
import { createSeenOnce } from '../seen-once.ts'
import type { Actor } from './actor.ts'
import { contextOf } from './context.ts'
import { type ErrorDetail, notFound, validationFailed } from './errors.ts'
import { type FileRule, idParamsOf, type Operation, paramsOf } from './operation.ts'
import { unknownKeyDetails } from './unknown-input.ts'

/** What a request, or a page, gives to an operation. */
export interface RequestInput {
  params: Record<string, unknown>
  /** Path and query. */
  url: string
  readBody(): unknown
  /** @throws ApiError 415 */
  requireFileType(rule: FileRule): void
  readFile(rule: FileRule): Buffer | Promise<Buffer>
}

/** What `handle` and `before` get, without the resource and the transaction. */
export type ValidInput = ReturnType<ReturnType<typeof createValidation>>

/** @param db what the operation reads outside a transaction */
export function createValidation(operation: Operation, db: Sql) {
  const { headers: headerSchema, body: bodySchema } = operation
  const params = paramsOf(operation)
  const idParams = idParamsOf(params)
  const createReader = Object.keys(operation.query?.shape ?? {}).length ? createQueryReader : createEmptyQueryReader
  const readQuery = operation.query && createReader(operation.query)

  /**
   * Synchronous: a promise for each request shows in the cost of a list page.
   * @throws ApiError 400 validation_failed; 404 for a malformed id
   */
  return function validate(
    req: Request,
    res: Response,
    source: Pick<RequestInput, 'params' | 'url'>,
    actor: Actor | undefined,
    body: unknown,
  ) {
    const details: ErrorDetail[] = []
    const path = params ? idsInLowerCase(source.params) : {}
    const input = {
      params: (params && parse(params, path, '', details)) ?? {},
      query: (readQuery ? readQuery(source.url, details) : undefined) ?? {},
      headers: headerSchema ? parse(headerSchema, givenHeaders(req, headerSchema), 'headers', details) : {},
      body: bodySchema && parse(bodySchema, body, 'body', details),
      rawBody: NO_BYTES as Buffer,
      db,
      actor,
      clientKey: contextOf(res).clientKey,
      req,
    }
    if (details.length) throw validationFailed(details)
    for (const [name, message] of idParams) if (!isUuid(String(path[name]))) throw notFound(message)
    return input
  }
}

const NO_BYTES = Buffer.alloc(0)

/** UUIDs may be written in upper case. Features compare, enqueue and log ids, so they get the stored form. */
function idsInLowerCase(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && isUuid(value) ? value.toLowerCase() : value,
    ]),
  )
}

/** Headers by their declared names; Node's are in lower case. */
const givenHeaders = (req: Request, { shape }: z.ZodObject) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, req.headers[name.toLowerCase()]]))

/** @param details gets what is invalid, with its path. @returns undefined if the value is invalid */
function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  prefix: string,
  details: ErrorDetail[],
): z.output<Schema> | undefined {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  for (const issue of parsed.error.issues) {
    const at = [...(prefix ? [prefix] : []), ...issue.path].map(String).join('.')
    if (issue.code === 'unrecognized_keys') details.push(...unknownKeyDetails(schema, issue, at))
    else details.push({ path: at, message: issue.message })
  }
  return undefined
}

/**
 * Reads and validates the query. Valid queries that come again are cached by their text, because popular pages repeat a
 * few and validation costs more than the rest of the reply. So a query schema must depend on nothing but its input.
 */
function createQueryReader(schema: z.ZodObject) {
  const known = new LRUCache<string, z.output<z.ZodObject>>({ max: 1000 })
  const seenOnce = createSeenOnce()
  return (url: string, details: ErrorDetail[]) => {
    const text = queryOf(url)
    const before = known.get(text)
    if (before) return before
    const query = parse(schema, parseQueryString(text), '', details)
    if (query && text.length <= 200 && seenOnce(text)) known.set(text, Object.freeze(query))
    return query
  }
}

/** Reader for operations without parameters: refuses any, and needs no cache. */
const createEmptyQueryReader = (schema: z.ZodObject) => (url: string, details: ErrorDetail[]) => {
  const text = queryOf(url)
  return text === '' ? undefined : parse(schema, parseQueryString(text), '', details)
}

function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}
