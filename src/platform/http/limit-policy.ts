// What a request limit is, and what a store of counts must do.

/** `limit` requests in `windowSeconds`. A window begins with a caller's first request. */
export interface LimitPolicy {
  /** Names the counter in the store and in the `RateLimit` headers. */
  name: string
  limit: number
  windowSeconds: number
}

/** The state of a window after a request was counted. */
export interface Hit {
  remaining: number
  msLeft: number
  refused: boolean
}

export interface LimitStore {
  /**
   * Counts a request of `key`. The memory store returns at once; the others return a promise that rejects if the store
   * fails.
   */
  hit(policy: LimitPolicy, key: string): Hit | Promise<Hit>
  /** Takes a counted request back. */
  refund(policy: LimitPolicy, key: string): void | Promise<void>
  stop(): Promise<void>
}
