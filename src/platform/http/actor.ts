// The caller of a request. A feature implements the authenticator; the platform does not know how sessions
// and keys are stored.
import type { IncomingMessage } from 'node:http'
import { ApiError } from './errors.ts'
import type { LimitPolicy } from './limit-policy.ts'
import type { Scope } from './scopes.ts'
import type { StaffAccess } from './staff-access.ts'

export interface SessionActor {
  via: 'session'
  userId: string
  /** Whether the account's rights as an administrator count in this session. */
  isAdmin: boolean
  /** Granted by an administrator. Administrators may do all that moderators may, with or without it. */
  isModerator: boolean
  /** Whether its rights don't count, because they need a second factor that it has not set up. */
  lacksSecondFactor: boolean
  /** Whether the second factor was confirmed in this session lately, or the account has none. */
  isConfirmed: boolean
  /** The stored hash of the session token, which logging out needs. */
  sessionId: Buffer
}

export interface KeyActor {
  via: 'key'
  userId: string
  /** An API key never acts as an administrator or a moderator. */
  isAdmin: false
  isModerator: false
  keyId: string
  scopes: readonly Scope[]
  /** The tier's limits, counted per account: all its keys together. */
  policies: readonly LimitPolicy[]
  /** Whether requests count against the client address too, as those of the free tier do. */
  countsForAddress: boolean
}

/**
 * What this process knows of a key without a look-up. `unknown`: malformed, or not found by a recent look-up. `free`,
 * `paid`: valid, and of that tier, at the last look-up, which may be outdated. `new`: never looked up.
 */
export type KeyStatus = 'new' | 'unknown' | 'free' | 'paid'

export type Actor = SessionActor | KeyActor

/** The rule for operations and pages. @throws ApiError 403 forbidden, second_factor_required */
export function requireStaff(
  { isAdmin, isModerator, lacksSecondFactor }: Pick<SessionActor, 'isAdmin' | 'isModerator' | 'lacksSecondFactor'>,
  access: StaffAccess,
): void {
  if (lacksSecondFactor)
    throw new ApiError(
      403,
      'second_factor_required',
      'Your rights need a second factor: add a passkey or set up one-time codes for your account first.',
    )
  if (isAdmin || (access === 'moderator' && isModerator)) return
  const who = access === 'admin' ? 'administrators' : 'administrators and moderators'
  throw new ApiError(403, 'forbidden', `Only ${who} may do this.`)
}

export interface Authenticator {
  /** Whether a text is, or begins with, the public half of an API key, valid or not. */
  looksLikeKey(text: string): boolean
  /** Reads from memory. @param authorization the header's value */
  getCachedKeyStatus(authorization: string): KeyStatus
  /**
   * Looks the key up, unless it is `unknown`.
   * @param authorization the header's value
   * @throws ApiError 401 invalid_api_key unless the key is active and has its secret; 503 unavailable
   */
  byKey(authorization: string): Promise<KeyActor>
  /**
   * Records the use of the session.
   * @param cookies the Cookie header of the request
   * @returns undefined if it holds no active session
   */
  bySession(cookies: string, req: IncomingMessage): Promise<SessionActor | undefined>
}
