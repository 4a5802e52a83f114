// Who is calling. The platform asks an authenticator it is given; how sessions and keys are kept is a feature's business.
import type { LimitPolicy } from './limit-policy.ts'

export interface SessionActor {
  via: 'session'
  userId: string
  isAdmin: boolean
  /** What the session is stored under, so that it can be ended. */
  sessionId: Buffer
}

export interface KeyActor {
  via: 'key'
  userId: string
  /** A key never acts as an administrator. */
  isAdmin: false
  keyId: string
  /** The tier's limits, counted for the account: all its keys together. */
  policies: readonly LimitPolicy[]
  /** Whether its requests count against their address too: those of the free tier. */
  countsForAddress: boolean
}

/**
 * What this process knows of a credential without a look-up. `unknown`: malformed, or no such key when it was looked up a moment
 * ago; `free` and `paid`: a valid key of that tier at its last look-up, which proves nothing about now; `new`: nothing.
 */
export type KeyStanding = 'new' | 'unknown' | 'free' | 'paid'

export type Actor = SessionActor | KeyActor

export interface Authenticator {
  /** From memory. @param authorization the header as it came */
  recallKey(authorization: string): KeyStanding
  /**
   * Looks the key up, unless it is `unknown`.
   * @param authorization the header as it came
   * @throws ApiError 401 invalid_api_key for anything but an active, unexpired key with its secret; 503 unavailable
   */
  byKey(authorization: string): Promise<KeyActor>
  /** @param cookies the Cookie header; undefined when it holds no living session */
  bySession(cookies: string): Promise<SessionActor | undefined>
}
