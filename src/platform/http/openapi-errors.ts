// Errors in the OpenAPI document: which there are, and what each operation may answer with.
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { notFound } from './errors.ts'
import type { Operation } from './operation.ts'
import { ERROR_TYPE, errorBody, PROBLEM_TYPE, problemMembers } from './problem.ts'

/** Every error status with its meaning and its stable codes. */
const ERRORS = {
  400: ['The request is not valid', ['validation_failed', 'malformed_json', 'malformed_request']],
  401: ['Authentication is needed, or is not valid', ['unauthenticated', 'invalid_credentials', 'invalid_api_key']],
  403: [
    'Not permitted; the second factor of the account is needed first',
    ['forbidden', 'confirmation_needed', 'second_factor_required'],
  ],
  404: ['There is no such thing', ['not_found']],
  405: ['The path exists, but not with this method; `Allow` names those it has', ['method_not_allowed']],
  408: ['The request took too long to arrive', ['request_timeout']],
  413: ['The body is larger than the operation allows (64 kB for JSON)', ['payload_too_large']],
  415: ['The type, charset or encoding of the body is not accepted', ['unsupported_media_type']],
  417: ['The header `Expect` has a value other than `100-continue`', ['expectation_failed']],
  429: ['A request limit is reached; `Retry-After` gives the seconds to wait', ['rate_limited']],
  431: ['Address and headers are larger than 16 kB', ['headers_too_large']],
  500: ['Something went wrong on our side', ['internal']],
  503: ['Not possible at the moment; `Retry-After` gives the seconds to wait', ['unavailable']],
} as const satisfies Record<number, readonly [description: string, codes: readonly string[]]>

export type ErrorStatus = keyof typeof ERRORS

/** What any request may be answered with before an operation is found. */
const BEFORE_OPERATION = [400, 401, 404, 405, 408, 417, 429, 431, 503] as const

/** Statuses that depend on the operation: only these are described for each operation. */
const SHARED: Partial<Record<ErrorStatus, string>> = { 404: 'NotFound' }

export const ErrorBody = z
  .object({
    error: z.string().describe('Stable code, for programs; each operation lists its own in `x-errors`'),
    message: z.string().describe('One sentence, for people'),
    details: z
      .array(z.object({ path: z.string().describe('`limit`, `body.name`'), message: z.string() }))
      .optional()
      .describe('What is wrong where, at most 50; only with `validation_failed`'),
    ...problemMembers,
  })
  .meta({
    id: 'Error',
    examples: [errorBody(notFound('There is no such server.'), '019a5f0c-5a77-7bbd-b1c5-6a4f6f6b2f0e')],
  })

/** Codes by status. */
type Codes = Partial<Record<ErrorStatus, readonly string[]>>

export const COMMON_CODES: Codes = Object.fromEntries(BEFORE_OPERATION.map((status) => [status, ERRORS[status][1]]))

const statusTable = (Object.keys(ERRORS).map(Number) as ErrorStatus[])
  .map(
    (status) => `| ${status} | ${ERRORS[status][1].map((code) => `\`${code}\``).join(', ')} | ${ERRORS[status][0]} |`,
  )
  .join('\n')

/** A table of all statuses and their general codes, in Markdown. */
export const ERROR_TABLE = `| Status | Codes | Meaning |\n|---|---|---|\n${statusTable}`

/**
 * The responses that errors share. Only what an operation answers of its own is a response of its own; the rest is
 * `default`, with its statuses and codes in `x-errors`. Generators make types, parsers and accessors for each response
 * of each operation: with nine errors in each of 119 operations a Go client had 79,300 lines.
 */
export const errorResponses = (): Record<string, ZodOpenApiResponseObject> => ({
  ErrorLine: {
    description: 'Any error, as one line of text: its code, a colon and its message; see `x-errors` of the operation',
    content: { 'text/plain': { schema: z.string().regex(/^[a-z_]+: [^\n]+\n$/) } },
  },
  Error: describeError('Any other error: see “Errors” for the statuses, and `x-errors` of the operation for its codes'),
  NotFound: describeError(ERRORS[404][0]),
})

/** @param statuses those of the operation */
export function describeErrors(operation: Operation, statuses: readonly ErrorStatus[]) {
  const own = Object.entries(operation.ownErrors ?? {}).map(([code, error]) => ({ code, ...error }))
  const ownCodes = (status: ErrorStatus) => [
    ...(status === 400 ? (operation.codes ?? []) : []),
    ...own.filter((error) => error.status === status).map(({ code }) => code),
  ]
  const codes: Codes = Object.fromEntries(
    statuses.map((status) => [status, [...ERRORS[status][1], ...ownCodes(status)]]),
  )
  if (operation.produces === 'text/plain')
    return { codes, responses: { default: { $ref: '#/components/responses/ErrorLine' } } }
  const responses = statuses.flatMap((status) => {
    const bodies = own.filter((error) => error.status === status && Object.keys(error.fields.shape).length > 0)
    if (ownCodes(status).length) return [[status, describeError(describeCodes(status, ownCodes(status)), bodies)]]
    const shared = SHARED[status]
    return shared ? [[status, { $ref: `#/components/responses/${shared}` }]] : []
  })
  return {
    codes,
    responses: { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Error' } },
  }
}

const describeCodes = (status: ErrorStatus, codes: string[]) =>
  `${ERRORS[status][0]}. Codes of this operation: ${codes.map((code) => `\`${code}\``).join(', ')}`

/** @param bodies those with fields of their own; a generated client tries them first */
function describeError(
  description: string,
  bodies: { code: string; fields: z.ZodObject; isProblem?: boolean }[] = [],
): ZodOpenApiResponseObject {
  const own = bodies.map(({ code, fields, isProblem = true }) =>
    z
      .strictObject({
        error: z.literal(code),
        ...fields.shape,
        message: z.string(),
        ...(isProblem ? problemMembers : {}),
      })
      .meta({ id: code.replace(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase()) }),
  )
  const schema = own.length ? z.union([...own, ErrorBody]) : ErrorBody
  return { description, content: { [ERROR_TYPE]: { schema }, [PROBLEM_TYPE]: { schema } } }
}
