// The places of servers by their votes in the running month.

import { hasBit } from './bits.ts'
import { int32At, uint32At } from './number-at.ts'
import { bitsOf } from './posting.ts'
import { readRecord } from './records.ts'
import type { Snapshot } from './snapshot.ts'
import { partitionPoint } from './sorted-slots.ts'

/** @returns the place of a slot among all servers, or those of a game; null if it has no votes or another game */
export type PlaceOf = (slot: number) => number | null

/**
 * Places in the month that `snapshot.advance` showed last. Servers with equal votes share one.
 * @param slots the slots whose places the caller will ask for
 */
export function placesInMonth(snapshot: Snapshot, slots: Iterable<number>, game: string | undefined): PlaceOf {
  return game === undefined ? placesAmongAll(snapshot) : placesInGame(snapshot, slots, game)
}

function placesAmongAll({ columns, orders }: Snapshot): PlaceOf {
  const sorted = orders.sorted('monthlyVotes', 'desc')
  const votesAt = (at: number) => int32At(columns.monthlyVotes, uint32At(sorted, at))
  return (slot) => {
    const votes = int32At(columns.monthlyVotes, slot)
    return votes === 0 ? null : partitionPoint(sorted.length, (at) => votesAt(at) <= votes) + 1
  }
}

/** Stops counting when all requested slots with votes have their places. */
function placesInGame(snapshot: Snapshot, slots: Iterable<number>, game: string): PlaceOf {
  const places = new Map<number, number>()
  const wanted = new Set([...slots].filter((slot) => int32At(snapshot.columns.monthlyVotes, slot) > 0))
  if (wanted.size === 0) return () => null
  for (const { slot, place } of serversWithVotes(snapshot, game)) {
    if (wanted.delete(slot)) places.set(slot, place)
    if (wanted.size === 0) break
  }
  return (slot) => places.get(slot) ?? null
}

/** The servers with votes in the month: all, or those of a game; most votes first. */
export function* serversWithVotes(
  snapshot: Snapshot,
  game: string | undefined,
): Generator<{ slot: number; place: number; votes: number }> {
  const { columns, orders, games, slotsEnd } = snapshot
  const ofGame = game === undefined ? undefined : games.get(game)
  if (game !== undefined && !ofGame) return
  const isOfGame = ofGame && bitsOf(ofGame, slotsEnd())
  let count = 0
  let place = 0
  let before = Number.POSITIVE_INFINITY
  for (const slot of orders.sorted('monthlyVotes', 'desc')) {
    const votes = int32At(columns.monthlyVotes, slot)
    if (votes === 0) return
    if (isOfGame && !hasBit(isOfGame, slot)) continue
    if (game !== undefined && !isRankedIn(snapshot, slot, game)) continue
    count++
    if (votes < before) place = count
    before = votes
    yield { slot, place, votes }
  }
}

/**
 * A server of two editions is found under both games, and has its places under its own.
 * @param slot of a server that is found under the game
 */
export const isRankedIn = ({ editions, records }: Snapshot, slot: number, game: string): boolean =>
  !editions.has(slot) || readRecord(records, slot).game === game
