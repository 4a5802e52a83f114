// The votes that are shown: in total, of the current month, and of the last 24 hours.

import type { Columns } from './columns.ts'
import { monthNumberOf } from './instants.ts'
import { int32At } from './number-at.ts'
import type { Orders } from './orders.ts'
import type { CountersRow } from './rows.ts'

type Counts = Pick<CountersRow, 'totalVotes' | 'monthlyVotes' | 'votesMonth'>

export function createVoteCounts(columns: Columns, orders: Orders, now: number) {
  let total = 0
  let month = monthNumberOf(now)

  const monthlyVotes = (slot: number) => (columns.votesMonth[slot] === month ? int32At(columns.votesOfMonth, slot) : 0)

  return {
    /** The votes for all servers together. */
    get total() {
      return total
    },
    set(slot: number, { totalVotes, monthlyVotes: votesOfMonth, votesMonth }: Counts): void {
      const before = int32At(columns.totalVotes, slot)
      if (totalVotes !== before) {
        total += totalVotes - before
        columns.totalVotes[slot] = totalVotes
        orders.changed('totalVotes', slot)
      }
      columns.votesOfMonth[slot] = votesOfMonth
      columns.votesMonth[slot] = votesMonth
      const shown = monthlyVotes(slot)
      if (shown === columns.monthlyVotes[slot]) return
      columns.monthlyVotes[slot] = shown
      orders.changed('monthlyVotes', slot)
    },
    /** The server left. */
    clear(slot: number): void {
      total -= int32At(columns.totalVotes, slot)
    },
    /** Shows the votes of the month that contains `time` (epoch ms). @returns whether the month has changed */
    advance(time: number): boolean {
      const current = monthNumberOf(time)
      if (current === month) return false
      month = current
      for (let slot = 0; slot < columns.capacity; slot++) columns.monthlyVotes[slot] = monthlyVotes(slot)
      orders.changedAll('monthlyVotes')
      return true
    },
    /** @param votesOf votes of the last 24 hours. @returns whether any changed */
    setRecent(votesOf: (slot: number) => number, slotsEnd: number): boolean {
      let hasChanged = false
      for (let slot = 0; slot < slotsEnd; slot++) {
        const votes = votesOf(slot)
        if (votes === columns.recentVotes[slot]) continue
        columns.recentVotes[slot] = votes
        orders.changed('recentVotes', slot)
        hasChanged = true
      }
      return hasChanged
    },
  }
}
