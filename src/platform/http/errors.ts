// Errors the API answers with. Code throws them typed; error-handler.ts turns them into replies.
import { PRODUCT_NAME } from '../product.ts'

export interface ErrorDetail {
  /** The field: `limit`, `body.name`. */
  path: string
  message: string
}

/** An error that the client sees. Anything else that is thrown becomes a 500 whose message stays in the log. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  /** Stable, snake_case, for programs; `message` is for people. */
  readonly code: string
  readonly headers: Record<string, string>
  /** Body fields besides `error` and `message`. */
  readonly fields: Record<string, unknown>
  /** Whether the body has the members of RFC 9457 too: not where the interface fixes its keys. */
  readonly isProblem: boolean

  constructor(
    status: number,
    code: string,
    message: string,
    options: {
      headers?: Record<string, string>
      fields?: Record<string, unknown>
      isProblem?: boolean
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.status = status
    this.code = code
    this.headers = options.headers ?? {}
    this.fields = options.fields ?? {}
    this.isProblem = options.isProblem ?? true
  }
}

/** RFC 6750 §3 */
export const BEARER_CHALLENGE = `Bearer realm="${PRODUCT_NAME}"`

/** More than a person reads; a body of 64 kB can have thousands of mistakes. */
const MAX_DETAILS = 50

/** @param details the first 50 are sent */
export function validationFailed(details: ErrorDetail[]): ApiError {
  const sent = details.slice(0, MAX_DETAILS)
  const more = details.length > MAX_DETAILS ? [`and ${details.length - MAX_DETAILS} more`] : []
  const message = [...sent.map(({ path, message }) => `${path}: ${message}`), ...more].join('; ')
  return new ApiError(400, 'validation_failed', message, { fields: { details: sent } })
}

/** @param allow the methods of the path, as in the `Allow` header */
export const methodNotAllowed = (method: string, allow: string) =>
  new ApiError(405, 'method_not_allowed', `${method} is not allowed on this path.`, { headers: { Allow: allow } })

export const notFound = (message: string) => new ApiError(404, 'not_found', message)

/** @param retryAfterSeconds sent as `Retry-After` */
export const unavailable = (message: string, retryAfterSeconds: number, cause?: unknown) =>
  new ApiError(503, 'unavailable', message, { headers: { 'Retry-After': String(retryAfterSeconds) }, cause })
