// Assembles the HTTP app: the middleware that every request passes, in order.
import type { RequestListener } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type Request, type Response, type Router } from 'express'
import type { ProcessSettings } from '../config/settings.ts'
import type { Log } from '../observability/log.ts'
import type { Peer } from '../processes/peer.ts'
import { hasNul, NUL_MESSAGE } from '../text.ts'
import type { Authenticator } from './actor.ts'
import {
  type Api,
  type CallOperation,
  createApi,
  createRouteHandler,
  type RequestLimiter,
  type RouteHandler,
} from './api.ts'
import { createAuthorizer } from './authorize.ts'
import { createClientKeys } from './client-key.ts'
import { createClientLoad, LOAD_BOUNDS, type LoadBounds } from './client-load.ts'
import { contextOf, createContextMiddleware } from './context.ts'
import { createDescription } from './description.ts'
import { createErrorHandler, type SiteErrors } from './error-handler.ts'
import { type ApiError, methodNotAllowed, notFound, validationFailed } from './errors.ts'
import type { FieldExamples } from './examples.ts'
import { type MessageClasses, messageClasses } from './fast-path/message-classes.ts'
import { dataHeaders, pageHeaders } from './fast-path/security-headers.ts'
import { createHealth, type HealthPath, isHealthPath, type ReadinessCheck } from './health.ts'
import { createImagesRouter, type ImageRoute } from './images.ts'
import type { Limits } from './limits.ts'
import type { Operation } from './operation.ts'
import { createPagesRouter, type PageAppearance, type Pages } from './pages.ts'
import type { PipelineOptions } from './pipeline.ts'
import { endReply } from './reply.ts'
import { commonHeaders, setHeaders } from './reply-headers.ts'
import { headErrorOf } from './request-head.ts'
import { createFileLimiter, createRequestLimiter } from './request-limiter.ts'

export interface HttpAppOptions extends Pick<PipelineOptions, 'pool' | 'readDb' | 'changes'> {
  settings: ProcessSettings
  log: Log
  operations: Operation[]
  /** Routes of the features; the platform adds its own. */
  pages: Pages
  /** The current appearance of the pages. */
  appearance(): PageAppearance
  /** Examples of fields in the reference whose schema has none. */
  fieldExamples?: FieldExamples
  /** Images that features keep in the database. */
  images: ImageRoute[]
  /** Pages for visitors; undefined: the API alone. */
  site?: ((host: SiteHost) => Site) | undefined
  checks: ReadinessCheck[]
  primary?: Peer | undefined
  limits: Limits
  authenticator: Authenticator
  /** True once the process has been asked to stop. */
  isStopping: () => boolean
  /** Defaults to those of production. */
  loadBounds?: Partial<LoadBounds>
}

/** What the site gets from the app. */
export interface SiteHost {
  call: CallOperation
  limitRequest: RequestLimiter
  limitFile: RequestLimiter
  https: boolean
  /** @returns the OpenAPI document that the app serves */
  describe(): object
}

export interface Site extends SiteErrors {
  /** Mounted at the root. */
  router: Router
  /** GET handlers of paths without parameters: found without trying every route in turn. */
  handlersByPath: Map<string, RouteHandler>
}

export interface HttpApp {
  handler: RequestListener
  /** Classes that the server must create its requests and replies from. */
  classes: MessageClasses
  /** @returns the OpenAPI document that the app serves */
  describe(): object
}

/** The same endpoints at each. The longer comes first, because Express takes the first match. */
const BASES = ['/api/v1', '/api'] as const

export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { settings, log, operations, limits, authenticator, isStopping } = options
  const https = settings.PUBLIC_BASE_URL.startsWith('https:')
  const clientKeys = createClientKeys({ secret: settings.APP_SECRET, trustedProxies: settings.TRUST_PROXY })
  const limitRequest = createRequestLimiter({ limits, settings, authenticator })
  const limitFile = createFileLimiter({ settings, log })
  const withOperatorPaths = settings.OPERATOR_PORT === undefined
  const description = createDescription(operations, {
    publicBaseUrl: settings.PUBLIC_BASE_URL,
    images: options.images,
    ...(options.fieldExamples && { fieldExamples: options.fieldExamples }),
    withOperatorPaths,
  })
  const apiOptions = {
    pool: options.pool,
    readDb: options.readDb,
    log,
    limits,
    changes: options.changes,
    limitRequest,
    authorizer: createAuthorizer(authenticator, new URL(settings.PUBLIC_BASE_URL).origin),
    checkRendered: settings.NODE_ENV !== 'production',
  }
  const api = createApi([...operations, description.self], apiOptions)
  const atRoot = createApi(
    operations.flatMap((operation) => (operation.alsoAt ? [{ ...operation, path: operation.alsoAt }] : [])),
    apiOptions,
  )

  const site = options.site?.({
    call: api.call,
    limitRequest,
    limitFile,
    https,
    describe: description.describe,
  })

  const app = express()
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing').enable('strict routing')
  const load = createClientLoad({ ...LOAD_BOUNDS, requests: requestsPerClient(settings), ...options.loadBounds })
  const enter = createContextMiddleware({ log, clientKeys, load, securityHeaders: dataHeaders(https), isStopping })
  const inText = operations.filter(({ produces }) => produces === 'text/plain')
  for (const base of BASES) app.use(base, api.router)
  app.use(atRoot.router)
  app.use(createImagesRouter({ images: options.images, limitFile }))
  if (site) app.use(site.router)
  app.use(createPagesRouter({ ...options, limitRequest, limitFile, pageHeaders: pageHeaders(https) }))
  if (withOperatorPaths) mountHealth(app, options)
  app.use(
    createRouteHandler({ route: undefined, limitRequest }, () => {
      throw notFound('There is nothing at this address.')
    }),
  )
  const handleError = createErrorHandler(log, pageHeaders(https), site)
  app.use(handleError)
  return {
    handler: createListener({ app, enter, limitRequest, api, inText, pages: site?.handlersByPath, handleError }),
    classes: messageClasses(app),
    describe: description.describe,
  }
}

/** Bounds concurrent requests behind a proxy, where connections do not identify clients (docs/decisions/0014). */
const requestsPerClient = (settings: ProcessSettings) =>
  settings.TRUST_PROXY > 0 ? settings.CONNECTIONS_PER_ADDRESS : 0

/** Bounds open connections per address where no proxy is in front. */
export const connectionsPerClient = (settings: ProcessSettings) =>
  settings.TRUST_PROXY > 0 ? 0 : settings.CONNECTIONS_PER_ADDRESS

/**
 * What the server calls. It gives the request its context and passes a GET of a fixed path straight to its handler; all
 * others go to Express, which tries routes in turn (docs/decisions/0003). It refuses a head that HTTP does not allow,
 * and a path that can't be decoded or that holds a NUL, which PostgreSQL's text can't store, except on probe paths,
 * which are answered whatever their query and `Host`.
 */
function createListener(parts: {
  app: Express
  enter: ReturnType<typeof createContextMiddleware>
  limitRequest: RequestLimiter
  api: Api
  /** Operations whose errors are text. */
  inText: Operation[]
  pages: Map<string, RouteHandler> | undefined
  handleError: ErrorRequestHandler
}): RequestListener {
  const { app, enter, limitRequest, api, inText, pages = [], handleError } = parts
  const answeredInText = new Set(
    inText.flatMap(({ method, path }) => BASES.map((base) => `${method.toUpperCase()} ${base}${path}`)),
  )
  const direct = new Map([
    ...[...api.handlersByPath].flatMap(([path, handle]) => BASES.map((base) => [base + path, handle] as const)),
    ...pages,
  ])
  const listen = (req: Request, res: Response) => {
    if (!req.url.startsWith('/')) req.url = withoutOrigin(req.url)
    req.url = withoutTrailingSlash(req.url)
    const { path } = enter(req, res)
    const fail = (error: unknown) => handleError(error, req, res, noNext)
    const refusal = isHealthPath(path) ? undefined : (headErrorOf(req) ?? urlErrorOf(req.url))
    if (refusal) {
      if (answeredInText.has(`${req.method === 'HEAD' ? 'GET' : req.method} ${path}`)) contextOf(res).errorsAs = 'text'
      Promise.try(limitRequest, req, res).then(() => fail(refusal), fail)
      return
    }
    const handle = req.method === 'GET' ? direct.get(path) : undefined
    if (!handle) {
      app(req, res)
      return
    }
    req.originalUrl = req.url // as Express does
    try {
      handle(req, res)?.catch(fail)
    } catch (error) {
      fail(error)
    }
  }
  return listen as unknown as RequestListener // the server's messages are of `classes`, which are Express'
}

/**
 * RFC 9112 §3.2.2: a request may name the whole address. Its origin must not get into links of pages that others see.
 */
const withoutOrigin = (target: string) => `/${target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*\/?/i, '')}`

/** Many clients build addresses with one. A redirect would cost them a request, and some drop the body on the way. */
function withoutTrailingSlash(url: string): string {
  const query = url.indexOf('?')
  const last = (query === -1 ? url.length : query) - 1
  return last > 0 && url[last] === '/' && url[last - 1] !== '/' ? url.slice(0, last) + url.slice(last + 1) : url
}

/** The handler of errors is the last. */
const noNext = () => {
  throw new Error('there is no next handler')
}

function urlErrorOf(url: string): ApiError | undefined {
  if (!url.includes('%')) return undefined
  try {
    if (!hasNul(decodeURIComponent(url))) return undefined
  } catch {
    return validationFailed([{ path: 'url', message: 'is not valid percent-encoded text' }])
  }
  return validationFailed([{ path: parameterWithNul(url) ?? 'url', message: NUL_MESSAGE }])
}

function parameterWithNul(url: string): string | undefined {
  const query = new URLSearchParams(url.split('?').slice(1).join('?'))
  return [...query].find(([name, value]) => hasNul(value) && !hasNul(name))?.[0]
}

/** Outside the limits: probes and scrapers call often, from few addresses. */
function mountHealth(app: Express, { checks, log, primary }: HttpAppOptions): void {
  const health = createHealth({ checks, log, primary })
  for (const path of Object.keys(health) as HealthPath[]) {
    app.all(path, async (req, res) => {
      contextOf(res).route = path
      if (req.method !== 'GET' && req.method !== 'HEAD') throw methodNotAllowed(req.method, 'GET, HEAD')
      // Probes are always answered; the series are large.
      if (path === '/metrics') contextOf(res).load.admit(contextOf(res).clientKey)
      const reply = await health[path]()
      const body = Buffer.from(reply.body)
      setHeaders(res, [...commonHeaders(res), 'Cache-Control', 'no-store'])
      res.writeHead(reply.status, { 'Content-Type': reply.contentType, 'Content-Length': body.length })
      endReply(req, res, body)
    })
  }
}
