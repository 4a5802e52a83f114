// The servers that left the directory last, so that whoever follows it is told; bounded, since nobody follows from long ago.
import { isSeen, type Seen } from './seen.ts'

/** About 100 bytes each. A client that missed more starts again. */
export const MOST_REMOVED = 10_000

export interface Removed {
  /** @param changedIn the transaction that removed it; 0: not known, then it was so when the directory began */
  add(id: string, changedIn: number): void
  /** @param latest those that left before the directory began, latest first, `MOST_REMOVED` of them at most */
  load(latest: { id: string; changedIn: number }[]): void
  /** It is back. */
  forget(id: string): void
  /** Whether nothing that left after `seen` was dropped here. */
  reaches(seen: Seen): boolean
  /** @returns up to `limit` ids above `after` of those that left unseen, ascending */
  since(seen: Seen, after: string, limit: number): string[]
}

export function createRemoved(most: number = MOST_REMOVED): Removed {
  const changes = new Map<string, number>()
  /** Whatever was dropped changed at or before this. */
  let droppedUpTo = 0

  function dropOldest(): void {
    const oldestFirst = [...changes].sort(([, a], [, b]) => a - b)
    for (const [id, changedIn] of oldestFirst.slice(0, oldestFirst.length - most)) {
      changes.delete(id)
      droppedUpTo = changedIn
    }
  }

  return {
    add(id, changedIn) {
      if (changedIn === 0) return
      changes.set(id, changedIn)
      // Twice as many as are kept, so that sorting them is rare.
      if (changes.size > 2 * most) dropOldest()
    },
    load(latest) {
      for (const { id, changedIn } of latest) changes.set(id, changedIn)
      if (latest.length >= most) droppedUpTo = latest.at(-1)?.changedIn ?? 0
    },
    forget: (id) => changes.delete(id),
    reaches: ({ xmin }) => xmin > droppedUpTo,
    since(seen, after, limit) {
      const found: string[] = []
      for (const [id, changedIn] of changes) if (id > after && !isSeen(seen, changedIn)) found.push(id)
      return found.sort().slice(0, limit)
    },
  }
}
