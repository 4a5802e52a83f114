// A server's place in the ranking, with the numbers that decide it.
import { html } from './html.ts'
import type { Locale } from './locale.ts'
import { card, factList } from './parts.ts'
import type { Schemas } from './types.ts'

export function rankCard(locale: Locale<'rank'>, ranked: Schemas['ServerRank']) {
  const { rank: texts } = locale.t
  const { place, servers, placeInGame, serversOfGame, totalVotes, countedVotes, playing, availability, score } = ranked
  const placeOf = (at: number, n: number) => locale.say(texts.of, { place: locale.number(at), n })
  return card(texts.title)`
    <p>${locale.say(texts.counted, { n: totalVotes, counted: locale.number(tenths(countedVotes)) })}</p>
    ${factList(
      [
        [texts.place, placeOf(place, servers)],
        [texts.placeInGame, placeOf(placeInGame, serversOfGame)],
        [texts.votes, locale.number(tenths(countedVotes))],
        [texts.playing, `+ ${locale.number(tenths(playing))}`],
        [texts.availability, `× ${locale.number(availability)}`],
        [texts.score, html`<b>${locale.number(tenths(score))}</b>`],
      ],
      '',
    )}
    <p><a href=${locale.href('/ranking')}>${texts.how}</a></p>
  `
}

const tenths = (value: number) => Math.round(value * 10) / 10
