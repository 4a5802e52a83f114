// What error bodies have besides `error` and `message`: the members of a problem document (RFC 9457).
import * as z from 'zod'
import type { ApiError } from './errors.ts'

/**
 * The two types of errors in the OpenAPI document. Without a charset, which JSON does not have (RFC 8259 §11): clients
 * by oapi-codegen compare the whole header with them.
 */
export const ERROR_TYPE = 'application/json'
export const PROBLEM_TYPE = 'application/problem+json'

/** The same on every installation, so that a client of several recognizes it. */
const TYPE = 'urn:problem-type:server-directory'

/** The members' schemas for the OpenAPI document. */
export const problemMembers = {
  type: z.string().describe(`RFC 9457: \`${TYPE}:\` and the code`),
  title: z.string().describe('RFC 9457: the code in words'),
  status: z.int().min(400).max(599).describe('RFC 9457: the status of the reply'),
  detail: z.string().describe('RFC 9457: the same as `message`'),
  instance: z.string().describe('RFC 9457: `#` and the `X-Request-Id` of the reply'),
}

/** @returns the body of an error */
export function errorBody(
  { status, code, message, fields, isProblem }: Pick<ApiError, 'status' | 'code' | 'message' | 'fields' | 'isProblem'>,
  requestId: string,
): object {
  const own = { error: code, message, ...fields }
  if (!isProblem) return own
  const title = code.replaceAll('_', ' ').replace(/^./, (letter) => letter.toUpperCase())
  return { ...own, type: `${TYPE}:${code}`, title, status, detail: message, instance: `#${requestId}` }
}
