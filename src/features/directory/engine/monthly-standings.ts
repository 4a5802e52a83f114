// The standings of the running month: servers by their votes in it, of all games or of one.
import type { ServerPlace } from '../../votes/index.ts'
import { serversWithVotes } from './month-places.ts'
import type { Snapshot } from './snapshot.ts'

/** Servers with equal votes share a place. */
export interface RankedServer extends ServerPlace {
  votes: number
}

/**
 * Servers with votes in the month that `snapshot.advance` showed last.
 * @param from index of the first; `to` is exclusive
 */
export function monthlyStandings(
  snapshot: Snapshot,
  { game, from, to }: { game: string | undefined; from: number; to: number },
): { total: number; standings: RankedServer[] } {
  const standings: RankedServer[] = []
  let total = 0
  for (const { slot, place, votes } of serversWithVotes(snapshot, game)) {
    total++
    if (total > from && total <= to) standings.push({ serverId: snapshot.idOf(slot), place, votes })
  }
  return { total, standings }
}
