// The OpenAPI 3.1 document, made from the declarations that validate the traffic; nothing is described twice.
import fs from 'node:fs'
import path from 'node:path'
import * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { Health, Readiness } from './health.ts'
import { takesBody } from './operation.ts'
import type { Access, OwnError, Route } from './route.ts'

/** Every error status with its stable codes (api-decisions.md "General") and the name of its component. */
const ERRORS = {
  400: ['BadRequest', 'The request is not valid', ['validation_failed', 'malformed_json']],
  401: [
    'Unauthenticated',
    'Authentication is needed, or is not valid',
    ['unauthenticated', 'invalid_credentials', 'invalid_api_key'],
  ],
  403: ['Forbidden', 'Not permitted', ['forbidden']],
  404: ['NotFound', 'There is no such thing', ['not_found']],
  405: ['MethodNotAllowed', 'The path exists, but not with this method', ['method_not_allowed']],
  408: ['RequestTimeout', 'The request took too long to arrive', ['request_timeout']],
  413: ['PayloadTooLarge', 'The body is larger than 64 kB', ['payload_too_large']],
  415: ['UnsupportedMediaType', 'The body is not JSON', ['unsupported_media_type']],
  429: ['TooManyRequests', 'A request limit is reached', ['rate_limited']],
  431: ['HeadersTooLarge', 'Address and headers are larger than 16 kB', ['headers_too_large']],
  500: ['Internal', 'Something went wrong on our side', ['internal']],
  503: ['Unavailable', 'Not possible at the moment; try again later', ['unavailable']],
} as const satisfies Record<number, readonly [component: string, description: string, codes: readonly string[]]>

type ErrorStatus = keyof typeof ERRORS
const errorStatuses = Object.keys(ERRORS).map(Number) as ErrorStatus[]

const ErrorBody = z
  .object({
    error: z.string().describe('Stable code, for programs; each status and operation says which it has'),
    message: z.string().describe('One sentence, for people'),
    details: z
      .array(z.object({ path: z.string().describe('`limit`, `body.name`'), message: z.string() }))
      .optional()
      .describe('What is wrong where; only with `validation_failed`'),
  })
  .meta({ id: 'Error', examples: [{ error: 'not_found', message: 'There is no such server.' }] })

const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

/** @param routes every room's; paths in the document are relative to `/api` and `/api/v1` */
export function describeApi(routes: Route[]) {
  const paths: ZodOpenApiPathsObject = {}
  for (const route of routes) paths[route.path] = { ...paths[route.path], [route.method]: describeRoute(route) }
  return createDocument({
    openapi: '3.1.1',
    info: {
      title: 'Server Directory',
      version: productVersion(),
      description:
        'A public directory of game servers. Every path answers below `/api` and, the same, below `/api/v1`. ' +
        'Timestamps are ISO 8601 in UTC; every reply carries `X-Request-Id`. Before an operation is looked for, any request ' +
        'may be refused as the responses `MethodNotAllowed`, `RequestTimeout` and `HeadersTooLarge` say.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api' }, { url: '/api/v1' }],
    tags: [...new Set([...routes.map(({ tag }) => tag), OPERATORS])].map((name) => ({ name })),
    security: [],
    paths: { ...paths, ...operatorPaths },
    components: {
      schemas: { Error: ErrorBody },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'session', description: 'The cookie that logging in sets' },
        apiKey: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer <API_KEY>.<SECRET>`' },
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
      responses: Object.fromEntries(errorStatuses.map((status) => [ERRORS[status][0], describeError(status)])),
    },
  })
}

function describeRoute(route: Route): ZodOpenApiOperationObject {
  const params = { ...(route.params ? { path: route.params } : {}), ...(route.query ? { query: route.query } : {}) }
  const requestBody = takesBody(route) ? route.body : route.rawBody
  const bodyErrors: ErrorStatus[] = requestBody ? [413, 415] : []
  const ownErrors = Object.entries(route.ownErrors ?? {})
  const access = route.access ?? 'public'
  // A bad API key is refused on public endpoints too; a page of another origin may write nowhere but there.
  const accessErrors: ErrorStatus[] = access === 'public' ? [401] : [401, 403]
  const ofRoute = [
    ...new Set<ErrorStatus>([400, 429, 500, 503, ...accessErrors, ...bodyErrors, ...(route.errors ?? [])]),
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
    security: SECURITY[access],
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
      ...Object.fromEntries(ofRoute.map((status) => [status, { $ref: `#/components/responses/${ERRORS[status][0]}` }])),
      ...(route.codes ? { 400: describeError(400, route.codes) } : {}),
      ...Object.fromEntries(
        [...new Set(ownErrors.map(([, { status }]) => status))].map((status) => [
          status,
          describeError(
            status,
            status === 400 ? route.codes : [],
            ownErrors.filter(([, own]) => own.status === status),
          ),
        ]),
      ),
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

/**
 * @param ownCodes codes of one operation, besides those of the status
 * @param ownErrors its errors whose bodies have fields of their own
 */
function describeError(
  status: ErrorStatus,
  ownCodes: readonly string[] = [],
  ownErrors: readonly (readonly [code: string, error: OwnError])[] = [],
): ZodOpenApiResponseObject {
  const [, description, codes] = ERRORS[status]
  const common = {
    allOf: [
      { $ref: '#/components/schemas/Error' },
      { type: 'object', properties: { error: { type: 'string', enum: [...codes, ...ownCodes] } } },
    ],
  }
  const own = ownErrors.map(([code, { fields }]) =>
    z.toJSONSchema(z.strictObject({ error: z.literal(code), ...fields.shape, message: z.string() }), { io: 'output' }),
  )
  return {
    description,
    headers: {
      ...REQUEST_ID,
      ...(status === 429 || status === 503 ? { 'Retry-After': { $ref: '#/components/headers/RetryAfter' } } : {}),
      ...(status === 405 ? { Allow: { $ref: '#/components/headers/Allow' } } : {}),
    },
    content: {
      'application/json': {
        schema: own.length ? { anyOf: [common, ...own.map(({ $schema: _dialect, ...schema }) => schema)] } : common,
      },
    },
  } as ZodOpenApiResponseObject
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
