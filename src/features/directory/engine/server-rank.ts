// The numbers that decide a server's place by score, as of now.
import { int32At } from './number-at.ts'
import { membersOf } from './posting.ts'
import { readRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** @param now epoch ms: decides how much a vote counts */
export function rankOf(snapshot: Snapshot, slot: number, now: number) {
  const { columns, orders, games, records, scores, taken } = snapshot
  const { rank } = orders.ranking('score', 'desc')
  const own = rank(slot)
  const ofGame = games.get(readRecord(records, slot).game)
  let before = 0
  for (const other of ofGame ? membersOf(ofGame) : []) if (rank(other) < own) before++
  return {
    place: orders.positions('score', 'desc')(slot) + 1,
    servers: taken.size,
    placeInGame: before + 1,
    serversOfGame: ofGame?.size ?? 1,
    totalVotes: int32At(columns.totalVotes, slot),
    ...scores.at(slot, now),
  }
}
