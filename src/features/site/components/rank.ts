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

/** A server's best places in finished months; nothing without any. */
export function bestPlacesCard(locale: Locale<'rank'>, standings: Schemas['ServerStanding'][] = []) {
  const { rank: texts } = locale.t
  if (standings.length === 0) return null
  return card(texts.best)`
    <ul class="lines">
      ${standings.slice(0, SHOWN_MONTHS).map(
        ({ month, place, placeInGame }) => html`
          <li key=${month}><a href=${locale.href(`/top/${month}`)}>${locale.say(texts.bestOf, { month: locale.month(month), place, placeInGame })}</a></li>
        `,
      )}
    </ul>
  `
}

const SHOWN_MONTHS = 3

const tenths = (value: number) => Math.round(value * 10) / 10
