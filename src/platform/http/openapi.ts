// The OpenAPI 3.1 document, made from the declarations that validate the traffic; nothing is described twice.
import fs from 'node:fs'
import path from 'node:path'
import type * as z from 'zod'
import {
  createDocument,
  type ZodOpenApiObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi'
import { PRODUCT_NAME } from '../product.ts'
import { cookieName } from './cookies.ts'
import { addExamples, type FieldExamples } from './examples.ts'
import { Health, Readiness } from './health.ts'
import type { ImageDeclaration } from './images.ts'
import {
  COMMON_CODES,
  describeErrors,
  ERROR_TABLE,
  ErrorBody,
  type ErrorStatus,
  errorResponses,
} from './openapi-errors.ts'
import { acceptsKeys, idParamsOf, type Operation, paramsOf } from './operation.ts'
import { SCOPE_TABLE } from './scopes.ts'

/**
 * @param operations every feature's; paths in the document are relative to `/api` and `/api/v1`
 * @param options.publicBaseUrl where clients reach the service: the first of `servers`
 * @param options.images folders of images at the root
 * @param options.fieldExamples for fields whose schema has none
 * @param options.withOperatorPaths whether `/healthz`, `/readyz` and `/metrics` are served on the same port
 */
export function describeApi(
  operations: Operation[],
  options: {
    publicBaseUrl: string
    images: readonly ImageDeclaration[]
    fieldExamples?: FieldExamples
    withOperatorPaths: boolean
  },
) {
  const paths: ZodOpenApiPathsObject = {}
  for (const operation of operations)
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation) }
  const document: ZodOpenApiObject = {
    openapi: '3.1.1',
    info: {
      title: PRODUCT_NAME,
      version: productVersion(),
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [new URL('/api', options.publicBaseUrl).href, '/api', '/api/v1'].map((url) => ({ url })),
    tags: [...new Set([...operations.map(({ tag }) => tag), OPERATORS])].map((name) => ({ name })),
    security: [],
    paths: { ...paths, ...imagePaths(options.images), ...(options.withOperatorPaths ? operatorPaths : {}) },
    components: {
      schemas: { Error: ErrorBody },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName('session', options.publicBaseUrl.startsWith('https:')),
          description: 'The cookie that logging in sets',
        },
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: '`Authorization: Bearer <API_KEY>.<SECRET>`; the keys of an account share one limit',
        },
      },
      responses: errorResponses(),
    },
    'x-errors': COMMON_CODES,
  }
  const described = createDocument(document, {
    // The patterns that zod writes for dates repeat the format; generators make nothing of them.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format === 'date-time') delete jsonSchema.pattern
    },
  })
  addExamples(described, options.fieldExamples ?? {})
  return described
}

const ABOUT = `A public directory of game servers. Every path answers below \`/api\` and, the same, below \`/api/v1\`. Timestamps are ISO 8601 in UTC. Bodies have at most 50 levels of arrays and objects within each other, and at most 2,000 values. Unknown parameters and fields get 400 \`validation_failed\` with the closest known name, unless an operation says that it ignores them, also in \`x-unknown-parameters\`. A path may end with a slash.

## Headers

Every reply carries \`X-Request-Id\`, which names the request in our log. \`ETag\` of a reply to \`GET\`, sent back as \`If-None-Match\`, is answered with 304 while nothing changed. A list in pages has \`Link\` (RFC 8288) with the addresses of its \`first\`, \`prev\`, \`next\` and \`last\` page, by \`cursor\` those of \`first\` and \`next\`; a list that has only a cursor and the reply to an address of more than 1,500 characters have none.

## Changes and deprecation

New operations, new optional parameters, new codes of errors and new fields may come at any time where the interface does not fix the shape. Whatever would break a client is announced first: the operation is marked deprecated here, and its replies carry \`Deprecation\` (RFC 9745, since when), \`Sunset\` (RFC 8594, until when it is served, at least 180 days later) and \`Link\` with \`rel="deprecation"\` (what to use instead). Log these headers in your client. At present no operation is deprecated.

## Limits

Requests are limited by address: 100 a minute and 1000 an hour, unless the operator has set others. The API keys of an account share the limit of its tier: 10 requests a minute (free), 100 (standard), 1000 (premium) or 10000 (enterprise). A free key is for what only the account may do, such as reading the votes of your servers: its requests count against both limits, so public pages are read faster without it. Requests with a key of a paid tier count against the tier’s limit only. A request with an invalid key counts against the address.

\`RateLimit-Policy\` names the limits that counted, each as \`q\` requests in \`w\` seconds; \`RateLimit\` what is left: \`r\` requests, all again in \`t\` seconds.

A key has scopes, which are chosen when it is created: one that leaks does no more harm than its scopes allow.

${SCOPE_TABLE}

Without the scope of an operation a key gets 403, with the scope in the message and in \`WWW-Authenticate\`. Public operations that name no scope need none.

## Errors

${ERROR_TABLE}

The body is \`Error\`, with more fields where an operation says so. Programs decide by \`error\`; new codes may be added. It is a problem document of RFC 9457 too, except that of \`vote_cooldown\`: a request with \`Accept: application/problem+json\` gets it with that content type. 401 carries \`WWW-Authenticate\`. \`x-errors\` of each operation lists its codes by status, those of the operation’s own included.`

function describeOperation(operation: Operation): ZodOpenApiOperationObject {
  const path = paramsOf(operation)
  const description = descriptionOf(operation)
  const params = {
    ...(path ? { path } : {}),
    ...(Object.keys(operation.query?.shape ?? {}).length ? { query: operation.query } : {}),
    ...(operation.headers ? { header: operation.headers } : {}),
  }
  const requestBody = bodyOf(operation)
  const { codes, responses } = describeErrors(operation, errorStatuses(operation))
  return {
    operationId: operation.operationId,
    summary: operation.summary,
    ...(description ? { description } : {}),
    tags: [operation.tag],
    ...(operation.deprecated ? { deprecated: true } : {}),
    security: securityOf(operation),
    ...(Object.keys(params).length ? { requestParams: params } : {}),
    ...(requestBody ? { requestBody } : {}),
    responses: {
      ...Object.fromEntries(
        successStatuses(operation).map((status) => [
          status,
          {
            description: 'Success',
            content: { [operation.produces ?? 'application/json']: { schema: operation.returns } },
          },
        ]),
      ),
      ...(operation.redirects
        ? { 302: { description: 'Redirect', headers: { Location: { schema: { type: 'string' } } } } }
        : {}),
      ...(hasEtag(operation) ? { 304: { description: 'Not changed since the given `If-None-Match`' } } : {}),
      ...responses,
    },
    'x-errors': codes,
    ...(operation.unknownInput ? { 'x-unknown-parameters': operation.unknownInput } : {}),
  } as ZodOpenApiOperationObject
}

/** Whether the success reply has an entity tag: JSON that is made at once, and images. */
const hasEtag = ({ method, redirects, produces }: Operation): boolean =>
  method === 'get' && !redirects && (produces === undefined || produces.startsWith('image/'))

function bodyOf({ body, rawBody, file, formField }: Operation) {
  if (file) return { required: true, content: Object.fromEntries(file.types.map((type) => [type, { schema: BINARY }])) }
  const schema = body ?? rawBody
  if (!schema) return undefined
  const form = formField && { type: 'object', properties: { [formField]: { type: 'string' } }, required: [formField] }
  const content = { 'application/json': { schema }, ...(form && { 'multipart/form-data': { schema: form } }) }
  return { required: !schema.safeParse(undefined).success, content }
}

const BINARY = { type: 'string', format: 'binary' } as const

function descriptionOf({ description = '', scope, unknownInput, deprecated }: Operation): string {
  const paragraphs = [
    description,
    ...(scope ? [`An API key needs the scope \`${scope}\`.`] : []),
    ...(unknownInput === 'ignored' ? ['Unknown parameters are ignored.'] : []),
    ...(deprecated
      ? [
          `Deprecated since ${deprecated.since}, ends on ${deprecated.sunset}: see [what to use instead](${deprecated.link}).`,
        ]
      : []),
  ]
  return paragraphs.filter(Boolean).join('\n\n')
}

function errorStatuses(operation: Operation): ErrorStatus[] {
  const access = operation.access ?? 'public'
  // A bad API key is refused on public operations too, and what a page of another origin writes on all that write.
  const mayForbid = access !== 'public' || operation.method !== 'get' || !acceptsKeys(operation)
  const statuses: ErrorStatus[] = [
    ...([400, 401, 429, 500, 503] as const),
    ...(mayForbid ? [403 as const] : []),
    ...(operation.body || operation.rawBody || operation.file ? ([413, 415] as const) : []),
    ...(operation.errors ?? []),
    ...(operation.resource?.errors ?? []),
    ...(idParamsOf(paramsOf(operation)).length ? [404 as const] : []),
  ]
  return [...new Set(statuses)].sort((a, b) => a - b)
}

const successStatuses = ({ status = 200, alsoStatus, redirects }: Operation) =>
  redirects ? [] : [status, ...(alsoStatus ? [alsoStatus] : [])]

/**
 * An API key's scope stands as the role that its security scheme needs here (OpenAPI 3.1, “Security
 * Requirement Object”).
 */
function securityOf({ access = 'public', path, scope }: Operation): Record<string, string[]>[] {
  // Since OpenAPI 3.1, names of roles may be listed for such a scheme.
  const roles = access === 'moderator' || access === 'admin' ? [access] : []
  const withoutKey = access === 'public' ? {} : { session: roles }
  return acceptsKeys({ access, path }) ? [withoutKey, { apiKey: scope ? [scope] : [] }] : [withoutKey]
}

const imagePaths = (images: readonly ImageDeclaration[]): ZodOpenApiPathsObject =>
  Object.fromEntries(
    images.map(({ folder, type, sizes = [], operationId, summary }) => [
      `${folder}/{file}`,
      {
        servers: [{ url: '/' }],
        get: {
          tags: ['Directory'],
          operationId,
          summary,
          parameters: [
            {
              name: 'file',
              in: 'path',
              required: true,
              description: `The SHA-256 of the image in base64url, ${sizes.map((size) => `or that and \`-${size}\` for ${size} pixels, `).join('')}and \`.${type}\``,
              schema: {
                type: 'string',
                pattern: `^[A-Za-z0-9_-]{43}${sizes.length ? `(-(${sizes.join('|')}))?` : ''}\\.${type}$`,
              },
            },
          ],
          responses: {
            200: {
              description: 'The image. It never changes.',
              content: { [`image/${type}`]: { schema: { type: 'string' } } },
            },
            304: { description: 'The client has the image' },
            default: { $ref: '#/components/responses/Error' },
          },
          'x-errors': COMMON_CODES,
        },
      },
    ]),
  )

const OPERATORS = 'Operators'
const atRoot = (operation: ZodOpenApiOperationObject) => ({
  servers: [{ url: '/' }],
  get: { tags: [OPERATORS], ...operation },
})
const jsonReply = (description: string, schema: z.ZodType): ZodOpenApiResponseObject => ({
  description,
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
      200: { description: 'Metrics', content: { 'text/plain': { schema: { type: 'string' } } } },
    },
  }),
}

function productVersion(): string {
  const file = path.resolve(import.meta.dirname, '../../../package.json')
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version
}
