// Errors of logging in through a provider.
import { ApiError, unavailable } from '../../../platform/http/errors.ts'
import { PLATFORM_NAMES, type Provider } from './identities.store.ts'

/** @param reason stable, for error reports */
export const loginFailed = (reason: string, message: string, cause?: unknown) =>
  new ApiError(400, 'provider_login_failed', `The login failed (${reason}). ${message}`, { cause })

/** Keeps only the messages of the cause: the library's errors carry the response, which may contain a token. */
export const providerUnavailable = (provider: Provider, cause: unknown) =>
  unavailable(
    `The ${PLATFORM_NAMES[provider]} does not respond correctly at the moment. Try again later.`,
    30,
    new Error(textsOf(cause)),
  )

const textsOf = (error: unknown): string =>
  error instanceof Error
    ? `${error.message}${error.cause instanceof Error ? `: ${textsOf(error.cause)}` : ''}`
    : 'unknown'
