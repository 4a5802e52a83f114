// A request limit, and the interface of a store of counts.

/** `limit` requests in `windowSeconds`. A window begins with a caller's first request. */
export interface LimitPolicy {
  /** Names the counter in the store and in the `RateLimit` headers. */
  name: string
  limit: number
  windowSeconds: number
}

/** Policies of one subject for windows that contain each other, named after their lengths. */
export const nestedWindows = (name: string, limits: [limit: number, windowSeconds: number][]): LimitPolicy[] =>
  limits.map(([limit, windowSeconds]) => ({ name: `${name}-${windowSeconds}`, limit, windowSeconds }))

/** The state of a window after a request was counted. */
export interface WindowState {
  remaining: number
  msLeft: number
  refused: boolean
}

/** What one subject's limits counted of a request. */
export interface LimitCount {
  policies: readonly LimitPolicy[]
  /** States of the first policies, in their order: up to the one that refused the request. */
  hits: readonly WindowState[]
}

/** Counts in this process' memory, at once. */
export interface LimitStore {
  hit(policy: LimitPolicy, key: string): WindowState
  /** Takes a counted request back. */
  refund(policy: LimitPolicy, key: string): void
  stop(): Promise<void>
}

/** Counts for several processes; rejects if the store fails. */
export interface SharedLimitStore {
  /** Counts a request in the windows one after the other, up to the first that refuses it. */
  hitAll(policies: readonly LimitPolicy[], key: string): Promise<WindowState[]>
  /** The same from this process' own counts; undefined if that is not possible. Works while the store is down. */
  hitAtOnce?(policies: readonly LimitPolicy[], key: string): WindowState[] | undefined
  refund(policy: LimitPolicy, key: string): Promise<void>
  stop(): Promise<void>
  /** How long a read waits to be counted here, in milliseconds; as long as it takes unless given. */
  readsWaitMs?: number
}

/** Counts in the windows one after the other, up to the first that refuses. */
export async function hitUntilRefused(
  policies: readonly LimitPolicy[],
  hit: (policy: LimitPolicy) => Promise<WindowState>,
): Promise<WindowState[]> {
  const hits: WindowState[] = []
  for (const policy of policies) {
    const counted = await hit(policy)
    hits.push(counted)
    if (counted.refused) break
  }
  return hits
}
