// Runs one declared endpoint: validates what comes in, calls the room, checks and sends what goes out.
import { parse as parseQueryString } from 'node:querystring'
import type { Request, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod'
import type { Authorize } from './authorize.ts'
import { readBody, readRawBody } from './body.ts'
import { contextOf } from './context.ts'
import { type ErrorDetail, validationFailed } from './errors.ts'
import { sendJson, sendRedirect, sendRendered, sendStream } from './reply.ts'
import { EventStream, Redirect, RenderedFile, RenderedJson, Reply, type Route } from './route.ts'

/**
 * Replies are parsed by `returns` in production too: it keeps a field that was never declared from leaving, and the hot
 * endpoints don't pay, since they answer with RenderedJson. Those are checked outside production, each object once.
 */
export function createOperation(route: Route, options: { authorize: Authorize; checkRendered: boolean }) {
  const readQuery = route.query && createQueryReader(route.query)
  const checked = new WeakSet<RenderedJson>()

  return async function operate(req: Request, res: Response): Promise<void> {
    const asking = options.authorize(req, res, route)
    const actor = asking instanceof Promise ? await asking : asking
    const details: ErrorDetail[] = []
    const params = route.params ? take(route.params, idsInLowerCase(req.params), '', details) : {}
    const query = readQuery ? readQuery(req.url, details) : {}
    const body = takesBody(route) ? take(route.body, await readBody(req, res), 'body', details) : undefined
    if (details.length) throw validationFailed(details)
    const rawBody = route.rawBody ? await readRawBody(req, res) : NOTHING

    const { visitor } = contextOf(res)
    // The access of the endpoint says what `actor` is; `authorize` has seen to it.
    const input = { params: params ?? {}, query: query ?? {}, body, rawBody, actor, visitor, req } as Parameters<
      Route['handle']
    >[0]
    const answer = route.handle(input)
    const result = answer instanceof Promise ? await answer : answer
    if (result instanceof RenderedJson) {
      if (options.checkRendered && !checked.has(result)) {
        route.returns.parse(JSON.parse(result.bytes.toString()))
        checked.add(result)
      }
      sendRendered(req, res, result)
    } else if (result instanceof RenderedFile) sendRendered(req, res, result, route.produces)
    else if (result instanceof EventStream) sendStream(req, res, result)
    else if (result instanceof Redirect) sendRedirect(res, result.location, result.headers.flat())
    else if (result instanceof Reply)
      sendJson(req, res, result.status ?? route.status ?? 200, route.returns.parse(result.body), result.headers.flat())
    else sendJson(req, res, route.status ?? 200, route.returns.parse(result))
  }
}

const NOTHING = Buffer.alloc(0)

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The same id may be written in capitals. The rooms compare ids, put them into jobs and log them, so they get the form that is stored. */
function idsInLowerCase(params: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      typeof value === 'string' && UUID.test(value) ? value.toLowerCase() : value,
    ]),
  )
}

export const takesBody = (route: Route): route is Route & { body: z.ZodType } => route.body !== undefined

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
    // A strict object tells all its unknown keys in one issue; the client wants each named like any other field.
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) details.push({ path: `${at}.${key}`, message: 'may not be given here' })
    else details.push({ path: at, message: issue.message })
  }
  return undefined
}

/**
 * Reads and validates the query. Valid ones are remembered by their text: a popular page is asked for with the same few,
 * and validating costs more than the rest of its reply. So a query schema must depend on nothing but its input.
 */
function createQueryReader(schema: z.ZodObject) {
  const known = new LRUCache<string, z.output<z.ZodObject>>({ max: 1000 })
  return (url: string, details: ErrorDetail[]) => {
    const start = url.indexOf('?')
    const text = start === -1 ? '' : url.slice(start + 1)
    const before = known.get(text)
    if (before) return before
    const query = take(schema, parseQueryString(text), '', details)
    if (query && text.length <= 200) known.set(text, Object.freeze(query))
    return query
  }
}
