// The standings of the running month: servers by their votes in it, of all games or of one.
import { int32At } from './number-at.ts'
import { hasSlot } from './posting.ts'
import { readRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'

export interface Standing {
  serverId: string
  /** Servers with equal votes share a place. */
  place: number
  votes: number
}

/** Servers with votes in the month that `snapshot.advance` showed last. @param from index of the first; `to` is exclusive */
export function monthlyStandings(
  snapshot: Snapshot,
  { game, from, to }: { game: string | undefined; from: number; to: number },
): { total: number; standings: Standing[] } {
  const { columns, orders, games, editions, records } = snapshot
  const ofGame = game === undefined ? undefined : games.get(game)
  const standings: Standing[] = []
  let total = 0
  let place = 0
  let before = Number.POSITIVE_INFINITY
  if (game !== undefined && !ofGame) return { total, standings }
  for (const slot of orders.sorted('monthlyVotes', 'desc')) {
    const votes = int32At(columns.monthlyVotes, slot)
    if (votes === 0) break
    if (ofGame && !hasSlot(ofGame, slot)) continue
    // A server of two editions is found under both games, and stands under its own.
    if (editions.has(slot) && game !== undefined && readRecord(records, slot).game !== game) continue
    total++
    if (votes < before) place = total
    before = votes
    if (total > from && total <= to) standings.push({ serverId: snapshot.idOf(slot), place, votes })
  }
  return { total, standings }
}
