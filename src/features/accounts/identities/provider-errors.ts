// Errors of logging in through a provider.
import { ApiError, unavailable } from '../../../platform/http/errors.ts'

/** @param reason stable, for readers of error reports */
export const loginFailed = (reason: string, message: string, cause?: unknown) =>
  new ApiError(400, 'provider_login_failed', `Logging in was not completed (${reason}). ${message}`, { cause })

/** Of the cause only the texts are kept: what the library throws carries the response, and that may carry a token. */
export const providerDown = (name: string, cause: unknown) =>
  unavailable(`${name} does not answer as it should at the moment. Try again later.`, 30, new Error(textsOf(cause)))

const textsOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause instanceof Error ? `: ${textsOf(error.cause)}` : ''}`
    : 'unknown'
