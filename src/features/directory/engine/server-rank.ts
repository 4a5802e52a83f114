// The numbers that decide a server's place by score, as of now.
import { voteWeightLog } from '../../votes/index.ts'
import { float64At, int32At } from './number-at.ts'
import { membersOf } from './posting.ts'
import { readRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'

/** @param now epoch ms: decides how much a vote counts */
export function rankOf(snapshot: Snapshot, slot: number, now: number) {
  const { columns, orders, games, records, scores, taken } = snapshot
  const countedNow = (log: number) => 2 ** (log - voteWeightLog(now))
  const countedVotes = countedNow(float64At(columns.voteScore, slot))
  const playing = countedNow(float64At(columns.playScore, slot))
  const availability = scores.factorOf(slot)
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
    countedVotes: hundredths(countedVotes),
    playing: hundredths(playing),
    availability,
    score: hundredths((countedVotes + playing) * availability),
  }
}

const hundredths = (value: number) => Math.round(value * 100) / 100
