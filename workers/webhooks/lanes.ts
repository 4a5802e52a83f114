// Places for endpoints that are being served: slow ones have a lane of their own, so that they never hold up the others.

export type Lane = 'fast' | 'slow'

export interface LaneSizes {
  /** Endpoints served at once that are quick as far as we know. */
  fast: number
  /** Endpoints served at once that last failed or took long. */
  slow: number
  /** Both lanes and those that turned out to be slow while served. More than fast + slow, so that a burst of these blocks nobody. */
  total: number
}

export const LANE_SIZES: LaneSizes = { fast: 500, slow: 500, total: 1_500 }

export interface Lanes {
  /** Servers waiting for a place, each once, first come first served. Resolves when it had its turn begun or needed none. */
  queue(lane: Lane, serverId: string): Promise<void>
  /** One place less is taken. */
  leave(lane: Lane): void
  /** An endpoint in the fast lane that keeps us waiting gives its place there to another. */
  fallBack(): void
  /** Places free now. */
  room(lane: Lane): number
  /** Ends the waiting: `seeTo` gets the servers that had no place yet, and what it throws, those who waited for them. */
  clear(seeTo: (serverIds: string[]) => Promise<void>): Promise<void>
  readonly inUse: Record<Lane, number>
}

/** @param begin takes a lane's places for some of these servers; returns how many were taken. What it throws, the waiting get */
export function createLanes(sizes: LaneSizes, begin: (lane: Lane, serverIds: string[]) => Promise<number>): Lanes {
  const inUse: Record<Lane, number> = { fast: 0, slow: 0 }
  const waiting: Record<Lane, Map<string, PromiseWithResolvers<void>>> = { fast: new Map(), slow: new Map() }
  const isBeginning: Record<Lane, boolean> = { fast: false, slow: false }

  const room = (lane: Lane) => Math.min(sizes[lane] - inUse[lane], sizes.total - inUse.fast - inUse.slow)

  async function beginTurns(lane: Lane): Promise<void> {
    if (isBeginning[lane]) return
    isBeginning[lane] = true
    for (;;) {
      const first = [...waiting[lane]].slice(0, Math.max(0, room(lane)))
      if (!first.length) break
      for (const [serverId] of first) waiting[lane].delete(serverId)
      inUse[lane] += first.length // held for them while they are being taken
      let begun = 0
      try {
        begun = await begin(
          lane,
          first.map(([serverId]) => serverId),
        )
        for (const [, { resolve }] of first) resolve()
      } catch (error) {
        for (const [, { reject }] of first) reject(error)
      }
      inUse[lane] -= first.length - begun
    }
    isBeginning[lane] = false
  }

  return {
    inUse,
    room: (lane) => Math.max(0, room(lane)),
    queue(lane, serverId) {
      let place = waiting[lane].get(serverId)
      if (!place) {
        place = Promise.withResolvers()
        waiting[lane].set(serverId, place)
        queueMicrotask(() => void beginTurns(lane)) // a whole fetch of jobs is taken at once
      }
      return place.promise
    },
    leave(lane) {
      inUse[lane]--
      for (const each of ['fast', 'slow'] as const) if (waiting[each].size) void beginTurns(each)
    },
    fallBack() {
      inUse.fast--
      inUse.slow++
      if (waiting.fast.size) void beginTurns('fast')
    },
    async clear(seeTo) {
      const left = [...waiting.fast, ...waiting.slow]
      waiting.fast.clear()
      waiting.slow.clear()
      try {
        await seeTo(left.map(([serverId]) => serverId))
        for (const [, { resolve }] of left) resolve()
      } catch (error) {
        for (const [, { reject }] of left) reject(error)
      }
    },
  }
}
