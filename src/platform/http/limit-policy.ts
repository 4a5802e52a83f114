// What a request limit is, and what a place must do where requests are counted.

/** So many requests in so many seconds, in windows that begin with a caller's first request. */
export interface LimitPolicy {
  /** Names the counter in the store and in the `RateLimit` headers. */
  name: string
  limit: number
  windowSeconds: number
}

/** What is left in a window after a request was counted. */
export interface Hit {
  remaining: number
  msLeft: number
  refused: boolean
}

export interface LimitStore {
  /** Counts a request of `key`. Memory answers at once; the others by a promise that rejects when the store fails. */
  hit(policy: LimitPolicy, key: string): Hit | Promise<Hit>
  /** Takes back a request that was counted. */
  refund(policy: LimitPolicy, key: string): void | Promise<void>
  stop(): Promise<void>
}
