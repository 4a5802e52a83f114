// Errors in the OpenAPI document: which there are, and what each operation may answer with.
import * as z from 'zod'
import type { ZodOpenApiResponseObject } from 'zod-openapi'
import { notFound } from './errors.ts'
import type { Operation } from './operation.ts'
import { ERROR_TYPE, errorBody, PROBLEM_TYPE, problemMembers } from './problem.ts'

/** Every error status with its meaning and its stable codes. */
const ERRORS = {
  400: { meaning: 'The request is not valid', codes: ['validation_failed', 'malformed_json', 'malformed_request'] },
  401: {
    meaning: 'Authentication is needed, or is not valid',
    codes: ['unauthenticated', 'invalid_credentials', 'invalid_api_key'],
  },
  403: {
    meaning: 'Not permitted; the second factor of the account is needed first',
    codes: ['forbidden', 'confirmation_needed', 'second_factor_required'],
  },
  404: { meaning: 'There is no such thing', codes: ['not_found'] },
  405: {
    meaning: 'The path exists, but not with this method; `Allow` names those it has',
    codes: ['method_not_allowed'],
  },
  408: { meaning: 'The request took too long to arrive', codes: ['request_timeout'] },
  413: { meaning: 'The body is larger than the operation allows (64 kB for JSON)', codes: ['payload_too_large'] },
  415: { meaning: 'The type, charset or encoding of the body is not accepted', codes: ['unsupported_media_type'] },
  417: { meaning: 'The header `Expect` has a value other than `100-continue`', codes: ['expectation_failed'] },
  429: { meaning: 'A request limit is reached; `Retry-After` gives the seconds to wait', codes: ['rate_limited'] },
  431: {
    meaning: 'Address and headers are larger than 16 kB, or there are more than about 1,000 headers',
    codes: ['headers_too_large'],
  },
  500: { meaning: 'Something went wrong on our side', codes: ['internal'] },
  503: { meaning: 'Not possible at the moment; `Retry-After` gives the seconds to wait', codes: ['unavailable'] },
} as const satisfies Record<number, { meaning: string; codes: readonly string[] }>

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

export const COMMON_CODES: Codes = Object.fromEntries(BEFORE_OPERATION.map((status) => [status, ERRORS[status].codes]))

const codeList = (codes: readonly string[]) => codes.map((code) => `\`${code}\``).join(', ')

const statusTable = Object.entries(ERRORS)
  .map(([status, { meaning, codes }]) => `| ${status} | ${codeList(codes)} | ${meaning} |`)
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
  NotFound: describeError(ERRORS[404].meaning),
})

/** @param statuses those of the operation */
export function describeErrors(operation: Operation, statuses: readonly ErrorStatus[]) {
  const own = Object.entries(operation.ownErrors ?? {}).map(([code, error]) => ({ code, ...error }))
  const ownCodes = (status: ErrorStatus) => [
    ...(status === 400 ? (operation.codes ?? []) : []),
    ...own.filter((error) => error.status === status).map(({ code }) => code),
  ]
  const codes: Codes = Object.fromEntries(
    statuses.map((status) => [status, [...ERRORS[status].codes, ...ownCodes(status)]]),
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
  `${ERRORS[status].meaning}. Codes of this operation: ${codeList(codes)}`

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
