// Texts of a server's page: its place in the ranking, and the numbers that decide it.
import type { Locale } from './locale.ts'
import type { ServerData } from './server.ts'
import type { Schemas } from './types.ts'

export function rankedOf({ t, say, number }: Locale<'rank'>, ranked: Schemas['ServerRank']): ServerData['ranked'] {
  const { rank: texts } = t
  const { place, servers, placeInGame, serversOfGame, totalVotes, countedVotes, playing, availability, score } = ranked
  const placeOf = (at: number, n: number) => say(texts.of, { place: number(at), n })
  return {
    title: texts.title,
    counted: say(texts.counted, { n: totalVotes, counted: number(tenths(countedVotes)) }),
    facts: [
      [texts.place, placeOf(place, servers)],
      [texts.placeInGame, placeOf(placeInGame, serversOfGame)],
      [texts.votes, number(tenths(countedVotes))],
      [texts.playing, `+ ${number(tenths(playing))}`],
      [texts.availability, `× ${number(availability)}`],
      [texts.score, number(tenths(score))],
    ],
    how: texts.how,
  }
}

const tenths = (value: number) => Math.round(value * 10) / 10
