// Mounts declared endpoints on an Express router: each path with its methods, OPTIONS, and 405 for all others.
import express, { type Request, type Response } from 'express'
import { contextOf, type ErrorFormat } from './context.ts'
import { methodNotAllowed, notFound } from './errors.ts'
import type { Operation } from './operation.ts'
import { type CallInput, createPipeline, type Pipeline, type PipelineOptions } from './pipeline.ts'
import { sendNoContent } from './reply.ts'

/** Counts the request against the caller's limits; throws 429 or 503. */
export type RequestLimiter = (req: Request, res: Response) => void | Promise<void>

/** Handles the requests of a path; passes none on. */
export type RouteHandler = (req: Request, res: Response) => void | Promise<void>

// The same for all requests: caches would have to know if they depended on `Origin`.
const CROSS_ORIGIN_HEADERS = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Deprecation, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Sunset, WWW-Authenticate, X-Request-Id',
]

export type Api = ReturnType<typeof createApi>
export type CallOperation = Api['call']

/** One router for all features. */
export function createApi(operations: Operation[], options: PipelineOptions & { limitRequest: RequestLimiter }) {
  const handlersByPath = new Map<string, RouteHandler>()
  const pipelines = new Map<string, Pipeline>()
  const router = express.Router({ caseSensitive: true, strict: true })
  for (const [path, ofPath] of groupByPath(operations)) {
    const mounted = router.route(path.replace(/\{(\w+)\}/g, ':$1'))
    for (const operation of ofPath) {
      const limitRequest = operation.unlimited ? uncounted : (operation.limitRequest ?? options.limitRequest)
      const pipeline = createPipeline(operation, options)
      pipelines.set(`${operation.method} ${path}`, pipeline)
      const ofOperation = {
        route: path,
        limitRequest,
        isCrossOrigin: operation.crossOrigin,
        errorsAs: errorFormatOf(operation),
      }
      const handle = createRouteHandler(ofOperation, pipeline.run)
      mounted[operation.method](handle)
      if (operation.method === 'get' && !path.includes('{')) handlersByPath.set(path, handle)
    }
    const crossOrigin = ofPath.filter((operation) => operation.crossOrigin)
    const isCrossOrigin = crossOrigin.length > 0
    const ofAnyMethod = { route: path, limitRequest: options.limitRequest, isCrossOrigin }
    const allow = allowed(ofPath)
    mounted.options(
      createRouteHandler(ofAnyMethod, (req, res) => {
        const preflight = isCrossOrigin && req.headers['access-control-request-method'] !== undefined
        sendNoContent(res, ['Allow', allow, ...(preflight ? preflightHeaders(crossOrigin) : [])])
      }),
    )
    mounted.all(
      createRouteHandler(ofAnyMethod, (req) => {
        throw methodNotAllowed(req.method, allow)
      }),
    )
  }
  return {
    /** Mounted at `/api` and `/api/v1`. */
    router,
    /** GET handlers of paths without parameters, by path below the mount: found without trying every route in turn. */
    handlersByPath,
    /** Runs an operation for a page in this process (see `Pipeline.call`). Its path is as declared: `/servers/{id}`. */
    call(
      req: Request,
      res: Response,
      { method, path }: { method: Operation['method']; path: string },
      input: CallInput,
    ): Promise<unknown> {
      const pipeline = pipelines.get(`${method} ${path}`)
      if (!pipeline) throw notFound('This is not offered here.') // as billing, where it is off
      return pipeline.call(req, res, input)
    },
  }
}

function errorFormatOf({ produces, redirects }: Operation): ErrorFormat {
  if (produces === 'text/plain') return 'text'
  // Only browsers follow redirects to and from another site, such as that of a login.
  return redirects ? 'negotiated' : 'json'
}

const uncounted: RequestLimiter = () => undefined

interface RouteHandlerOptions {
  /** The route in logs and metrics; undefined: the request matches no path. */
  route: string | undefined
  limitRequest: RequestLimiter
  /** Whether browsers may read the replies on pages of other sites. */
  isCrossOrigin?: boolean | undefined
  errorsAs?: ErrorFormat
}

/**
 * The handler of a path: it knows its pattern and its cross-origin rule, and admits and counts a request before it
 * handles it.
 */
export function createRouteHandler(
  { route, limitRequest, isCrossOrigin = false, errorsAs = 'json' }: RouteHandlerOptions,
  handle: RouteHandler,
): RouteHandler {
  return (req, res) => {
    const context = contextOf(res)
    context.route = route
    context.errorsAs = errorsAs
    if (isCrossOrigin) context.corsHeaders = CROSS_ORIGIN_HEADERS
    context.load.admit(context.clientKey)
    const counting = limitRequest(req, res)
    return counting ? counting.then(() => handle(req, res)) : handle(req, res)
  }
}

/** @throws Error when two declarations share a method and path */
function groupByPath(operations: Operation[]): [string, Operation[]][] {
  const paths = new Map<string, Operation[]>()
  for (const operation of operations) {
    const ofPath = paths.get(operation.path) ?? []
    if (ofPath.some(({ method }) => method === operation.method))
      throw new Error(`${operation.method} ${operation.path} is declared twice`)
    paths.set(operation.path, [...ofPath, operation])
  }
  return [...paths].sort(([a], [b]) => compareSpecificity(a, b))
}

/** Sorts fixed segments before parameters, so that `/servers/stats` is not read as a server id. */
function compareSpecificity(a: string, b: string): number {
  const rank = (path: string) =>
    path
      .split('/')
      .map((segment) => (segment.startsWith('{') ? '1' : '0'))
      .join('')
  return rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0
}

function allowed(operations: Operation[]): string {
  const methods = operations.map(({ method }) => method.toUpperCase())
  return [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
}

const preflightHeaders = (crossOrigin: Operation[]) => [
  'Access-Control-Allow-Methods',
  crossOrigin.map(({ method }) => method.toUpperCase()).join(', '),
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, If-None-Match, Last-Event-ID, X-Request-Id',
  'Access-Control-Max-Age',
  '86400',
]
