// The servers that left the directory last, for clients of the change feed. Bounded: a client that is further
// behind starts again.
import { isVisible, type PgSnapshot } from './pg-snapshot.ts'

/** A removed server takes about 100 bytes. A client that missed more removals must start again. */
export const MAX_REMOVED = 10_000

export function createRemoved(most: number = MAX_REMOVED) {
  const changes = new Map<string, number>()
  /** Removals up to this transaction may have been dropped from the list; later ones were not. */
  let droppedUpTo = 0

  function dropOldest(): void {
    const oldestFirst = [...changes].sort(([, a], [, b]) => a - b)
    for (const [id, changedIn] of oldestFirst.slice(0, oldestFirst.length - most)) {
      changes.delete(id)
      droppedUpTo = changedIn
    }
  }

  return {
    /** @param changedIn the transaction that removed it; 0: unknown, it was removed before the directory was loaded */
    add(id: string, changedIn: number): void {
      if (changedIn === 0) return
      changes.set(id, changedIn)
      // Drops only at twice the maximum, so that sorting is rare.
      if (changes.size > 2 * most) dropOldest()
    },
    /** @param latest servers removed before the directory was loaded, latest first, at most `MAX_REMOVED` */
    load(latest: { id: string; changedIn: number }[]): void {
      for (const { id, changedIn } of latest) changes.set(id, changedIn)
      if (latest.length >= most) droppedUpTo = latest.at(-1)?.changedIn ?? 0
    },
    /** The server is listed again. */
    forget: (id: string) => changes.delete(id),
    /** Whether no server that left after `seen` was dropped from this list. */
    coversSince: ({ xmin }: PgSnapshot) => xmin > droppedUpTo,
    /** Whether this server left, and `seen` does not include its removal. */
    isUnseen(seen: PgSnapshot, id: string): boolean {
      const changedIn = changes.get(id)
      return changedIn !== undefined && !isVisible(seen, changedIn)
    },
    /** @returns ids above `after` of servers whose removal was not seen, ascending */
    since(seen: PgSnapshot, after: string): string[] {
      const found: string[] = []
      for (const [id, changedIn] of changes) if (id > after && !isVisible(seen, changedIn)) found.push(id)
      return found.sort()
    },
  }
}
