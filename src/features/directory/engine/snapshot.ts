// The directory in memory: applies rows of the change feed and keeps all indexes of queries up to date.
import { setUptimes } from './columns.ts'
import { indexServer, openSlot, removeServer } from './index-server.ts'
import { indexStatus } from './index-status.ts'
import { createIndexes } from './indexes.ts'
import { createRemoved } from './removed.ts'
import type { CountersRow, ServerRow, StatusRow, UptimeRow } from './rows.ts'

export type Snapshot = ReturnType<typeof createSnapshot>

/**
 * Contains only listed servers.
 * @param now epoch ms; decides which month's votes are shown until `advance` is called
 * @param baseUrl of the addresses of icons
 */
export function createSnapshot(now: number, baseUrl = '') {
  const indexes = createIndexes(now, baseUrl)
  const { ids, columns, orders, wiped, players, votes, scores } = indexes
  const removed = createRemoved()
  /** `version` when the running read of the feed began. */
  let readFrom: number | undefined

  /** Whether the row is newer than what the slot shows; remembers that it is now shown. */
  function markShown(applied: Float64Array, slot: number, changedIn: number): boolean {
    // Equal numbers mean the same row: all that one transaction wrote becomes visible at once.
    if (changedIn !== 0 && applied[slot] === changedIn) return false
    applied[slot] = changedIn
    snapshot.version++
    return true
  }

  const snapshot = {
    ...indexes,
    /** Increases whenever something shown may have changed. */
    version: 0,
    /**
     * Pages rendered at this version or later are current. While a read applies its rows, pages since its beginning are
     * current: otherwise each request would render its page again, and sort the servers for it.
     */
    currentFrom: () => readFrom ?? snapshot.version,
    beginRead(): void {
      readFrom = snapshot.version
    },
    endRead(): void {
      readFrom = undefined
    },
    /** Servers that left. */
    removed,
    /** Players and votes of all servers. */
    totals: () => ({ players: players.total, votes: votes.total }),
    /** Used slots are below this. */
    slotsEnd: ids.end,
    slotOf: ids.slotOf,
    slotOfShort: ids.slotOfShort,
    isTaken: ids.isTaken,
    /** @returns an empty string for an unused slot */
    idOf: ids.idOf,
    /** @returns servers wiped at or after this time (epoch ms) */
    wipedSince: wiped.since,

    /** @returns whether the server is new in the snapshot: then its other rows must be read regardless of their age */
    applyServer(row: ServerRow): boolean {
      const known = ids.slotOf(row.id)
      if (!row.listed) {
        removed.add(row.id, row.changedIn) // also a server that was never here: another process may have shown it
        if (known === undefined) return false
        removeServer(indexes, known)
        snapshot.version++
        return false
      }
      const isNew = known === undefined
      if (isNew) removed.forget(row.id)
      const slot = known ?? openSlot(indexes, row.id)
      if (markShown(columns.serverChange, slot, row.changedIn)) indexServer(indexes, slot, row, !isNew)
      return isNew
    },
    applyStatus(row: StatusRow): void {
      const slot = ids.slotOf(row.id)
      if (slot !== undefined && markShown(columns.statusChange, slot, row.changedIn)) indexStatus(indexes, slot, row)
    },
    applyCounters(row: CountersRow): void {
      const slot = ids.slotOf(row.id)
      if (slot === undefined || !markShown(columns.countersChange, slot, row.changedIn)) return
      votes.set(slot, row)
      scores.set(slot, row)
    },
    applyUptime(row: UptimeRow): void {
      const slot = ids.slotOf(row.id)
      if (slot === undefined || !markShown(columns.uptimeChange, slot, row.changedIn)) return
      if (setUptimes(columns, slot, row)) orders.changed('uptime', slot)
      scores.refresh(slot)
    },

    /** Updates what depends on the time to `time` (epoch ms): the month whose votes are shown. */
    advance(time: number): void {
      if (votes.advance(time)) snapshot.version++
    },
    /** @param recent votes of the last 24 hours by server id; absent: none */
    setRecentVotes(recent: ReadonlyMap<string, number>): void {
      const bySlot = new Map(Array.from(recent, ([id, count]) => [ids.slotOf(id), count]))
      if (votes.setRecent((slot) => bySlot.get(slot) ?? 0, ids.end())) snapshot.version++
    },
  }
  return snapshot
}
