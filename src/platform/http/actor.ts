// Who is calling. The platform asks an authenticator it is given; how sessions and keys are kept is a room's business.
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
  /** The tier's limits, which replace those of the address (interface.md §8). */
  policies: readonly LimitPolicy[]
}

export type Actor = SessionActor | KeyActor

export interface Authenticator {
  /**
   * @param authorization the header as it came
   * @throws ApiError 401 invalid_api_key for anything but an active, unexpired key with its secret
   */
  byKey(authorization: string): Promise<KeyActor>
  /** @param cookies the Cookie header; undefined when it holds no living session */
  bySession(cookies: string): Promise<SessionActor | undefined>
}
