// Errors in the OpenAPI document: which there are, and what each operation may answer with.
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import type { OwnError, Operation as Route } from './operation.ts'

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
  409: ['Conflict', 'It conflicts with something that exists', ['already_listed']],
  413: ['PayloadTooLarge', 'The body is larger than 64 kB', ['payload_too_large']],
  415: ['UnsupportedMediaType', 'The body is not JSON', ['unsupported_media_type']],
  429: ['TooManyRequests', 'A request limit is reached', ['rate_limited']],
  431: ['HeadersTooLarge', 'Address and headers are larger than 16 kB', ['headers_too_large']],
  500: ['Internal', 'Something went wrong on our side', ['internal']],
  503: ['Unavailable', 'Not possible at the moment; try again later', ['unavailable']],
} as const satisfies Record<number, readonly [component: string, description: string, codes: readonly string[]]>

export type ErrorStatus = keyof typeof ERRORS

export const ErrorBody = z
  .object({
    error: z.string().describe('Stable code, for programs; each status and operation says which it has'),
    message: z.string().describe('One sentence, for people'),
    details: z
      .array(z.object({ path: z.string().describe('`limit`, `body.name`'), message: z.string() }))
      .optional()
      .describe('What is wrong where; only with `validation_failed`'),
  })
  .meta({ id: 'Error', examples: [{ error: 'not_found', message: 'There is no such server.' }] })

export const REQUEST_ID = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

/** The document's components, by name. */
export const errorResponses = (): Record<string, ZodOpenApiResponseObject> =>
  Object.fromEntries(
    (Object.keys(ERRORS).map(Number) as ErrorStatus[]).map((status) => [ERRORS[status][0], describeError(status)]),
  )

/** @param statuses those of the operation; one with codes or bodies of its own is described whole, others by their component */
export function errorResponsesOf(route: Route, statuses: readonly ErrorStatus[]) {
  const ownErrors = Object.entries(route.ownErrors ?? {})
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = status === 400 ? (route.codes ?? []) : []
      const own = ownErrors.filter(([, error]) => error.status === status)
      const isOwn = codes.length > 0 || own.length > 0
      return [
        status,
        isOwn ? describeError(status, codes, own) : { $ref: `#/components/responses/${ERRORS[status][0]}` },
      ]
    }),
  )
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
