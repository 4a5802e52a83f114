// How many players are on the servers now.

import type { Columns } from './columns.ts'
import { int32At } from './number-at.ts'
import type { Orders } from './orders.ts'

export function createPlayerCounts(columns: Columns, orders: Orders) {
  let total = 0
  return {
    /** The players on all servers together. */
    get total() {
      return total
    },
    set(slot: number, players: number): void {
      const before = int32At(columns.currentPlayers, slot)
      if (players === before) return
      total += players - before
      columns.currentPlayers[slot] = players
      orders.changed('currentPlayers', slot)
    },
    /** The server left. */
    clear(slot: number): void {
      total -= int32At(columns.currentPlayers, slot)
    },
  }
}
