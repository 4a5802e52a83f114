// The OpenAPI 3.1 document, made from the declarations that validate the traffic; nothing is described twice.
import fs from 'node:fs'
import path from 'node:path'
import type * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { Health, Readiness } from './health.ts'
import { ErrorBody, type ErrorStatus, errorResponses, errorResponsesOf, REQUEST_ID } from './openapi-errors.ts'
import { type Access, acceptsKeys, idParamsOf, paramsOf, type Operation as Route } from './operation.ts'
import { takesBody } from './pipeline.ts'

/**
 * @param routes every feature's; paths in the document are relative to `/api` and `/api/v1`
 * @param withOperatorPaths whether `/healthz`, `/readyz` and `/metrics` are served on the same port
 */
export function describeApi(routes: Route[], withOperatorPaths: boolean) {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route) }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Server Directory',
      version: productVersion(),
      description:
        'A public directory of game servers. Every path answers below `/api` and, the same, below `/api/v1`. ' +
        'Timestamps are ISO 8601 in UTC; every reply carries `X-Request-Id`. Bodies have at most 50 levels of arrays and objects within each other. Before an operation is looked for, any request ' +
        'may be refused as the responses `MethodNotAllowed`, `RequestTimeout` and `HeadersTooLarge` say.\n\n' +
        'Requests are limited by address: 100 a minute and 1000 an hour, unless the operator has set others. The API keys of an ' +
        'account share the limit of its tier: 10 requests a minute (free), 100 (standard), 1000 (premium) or 10000 (enterprise). ' +
        'A free key is for what only the account may do, such as reading the votes of your servers: its requests count against ' +
        'both limits, so public pages are read faster without it. Requests with a key of a paid tier count against the tier’s ' +
        'limit only. A request with an invalid key counts against the address. `RateLimit-Policy` names the limits that counted.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }, { url: '/api/v1' }],
    tags: [...new Set([...routes.map(({ tag }) => tag), OPERATORS])].map((name) => ({ name })),
    security: [],
    paths: { ...paths, ...(withOperatorPaths ? operatorPaths : {}) },
    components: {
      schemas: { Error: ErrorBody },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The cookie that logging in sets' },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <API_KEY>.<SECRET>`; the keys of an account share one limit',
        },
      },
      headers: {
        RequestId: { description: 'Names this request in our log', schema: { type: 'string' }, required: true },
        RateLimitPolicy: {
          description: 'The limits that apply: `q` requests in `w` seconds',
          schema: { type: 'string' },
        },
        RateLimit: { description: 'What is left: `r` requests, all again in `t` seconds', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait', schema: { type: 'integer' }, required: true },
        Allow: { description: 'Methods the path has', schema: { type: 'string' }, required: true },
        ETag: {
          description: 'Send it as `If-None-Match` to get 304 while nothing changed',
          schema: { type: 'string' },
          required: true,
        },
      },
      responses: errorResponses(),
    },
  })
}

function describeRoute(route: Route): ZodOpenApiOperationObject {
  const path = paramsOf(route)
  const params = { ...(path ? { path } : {}), ...(route.query ? { query: route.query } : {}) }
  const requestBody = takesBody(route) ? route.body : route.rawBody
  const bodyErrors: ErrorStatus[] = requestBody ? [413, 415] : []
  const access = route.access ?? 'public'
  // A bad API key is refused on public operations too, and what a page of another origin writes on all that write.
  const mayForbid = access !== 'public' || route.method !== 'get' || !acceptsKeys(route)
  const accessErrors: ErrorStatus[] = mayForbid ? [401, 403] : [401]
  const resourceErrors: readonly ErrorStatus[] = [
    ...(route.resource?.errors ?? []),
    ...(idParamsOf(path).length ? [404 as const] : []),
  ]
  const ofRoute = [
    ...new Set<ErrorStatus>([
      400,
      429,
      500,
      503,
      ...accessErrors,
      ...bodyErrors,
      ...(route.errors ?? []),
      ...resourceErrors,
    ]),
  ]
  const headers = {
    ...REQUEST_ID,
    'RateLimit-Policy': { $ref: '#/components/headers/RateLimitPolicy' },
    RateLimit: { $ref: '#/components/headers/RateLimit' },
  }
  const etag = { ETag: { $ref: '#/components/headers/ETag' } }
  const isRead = route.method === 'get' && !route.redirects && route.produces !== 'text/event-stream'
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(route.description ? { description: route.description } : {}),
    tags: [route.tag],
    security: SECURITY[access].filter((way) => !('apiKey' in way) || acceptsKeys(route)),
    ...(Object.keys(params).length ? { requestParams: params } : {}),
    ...(requestBody
      ? {
          requestBody: {
            required: !requestBody.safeParse(undefined).success,
            content: { 'application/json': { schema: requestBody } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        successStatuses(route).map((status) => [
          status,
          {
            description: 'Success',
            headers: { ...headers, ...(isRead ? etag : {}) },
            content: { [route.produces ?? 'application/json']: { schema: route.returns } },
          },
        ]),
      ),
      ...(route.redirects
        ? { 302: { description: 'Go there', headers: { ...REQUEST_ID, Location: { schema: { type: 'string' } } } } }
        : {}),
      ...(isRead
        ? { 304: { description: 'Not changed since the given `If-None-Match`', headers: { ...headers, ...etag } } }
        : {}),
      ...errorResponsesOf(route, ofRoute),
    },
  } as ZodOpenApiOperationObject
}

const successStatuses = ({ status = 200, alsoStatus, redirects }: Route) =>
  redirects ? [] : [status, ...(alsoStatus ? [alsoStatus] : [])]

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [{}, { apiKey: [] }],
  user: [{ session: [] }, { apiKey: [] }],
  session: [{ session: [] }],
  admin: [{ session: [] }],
}

const OPERATORS = 'Operators'
const atRoot = (operation: ZodOpenApiOperationObject) => ({
  servers: [{ url: '/' }],
  get: { tags: [OPERATORS], ...operation },
})
const jsonReply = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
  headers: REQUEST_ID,
  content: { 'application/json': { schema } },
})

const operatorPaths: ZodOpenApiPathsObject = {
  '/healthz': atRoot({
    operationId: 'getHealth',
    summary: 'Whether the process is alive',
    responses: { 200: jsonReply('Alive', Health) },
  }),
  '/readyz': atRoot({
    operationId: 'getReadiness',
    summary: 'Whether the process can do its work',
    responses: { 200: jsonReply('Ready', Readiness), 503: jsonReply('Not ready', Readiness) },
  }),
  '/metrics': atRoot({
    operationId: 'getMetrics',
    summary: 'Metrics in the Prometheus text format',
    responses: {
      200: { description: 'Metrics', headers: REQUEST_ID, content: { 'text/plain': { schema: { type: 'string' } } } },
    },
  }),
}

function productVersion(): string {
  const file = path.resolve(import.meta.dirname, '../../../package.json')
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version
}
