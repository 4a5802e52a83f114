// The title of a list, from its filters: “Rust servers in Germany”.
import { chosenOf, isSameValue, type ListQuery } from './list-query.ts'
import type { Locale } from './locale.ts'
import type { Facets } from './types.ts'

export function listTitle(locale: Locale<'directory'>, query: ListQuery, facets: Facets): string {
  const { titles } = locale.t.directory
  const games = chosenOf(query, 'game').map((type) => facets.game.find(({ value }) => value === type)?.name)
  const what = [query.gameMode, games.filter(Boolean).join(', ')].filter(Boolean).join(' ')
  const countries = chosenOf(query, 'country').map((code) => placeOf(locale, code))
  const where = countries.length > 0 ? countries.join(', ') : regionOf(locale, query, facets)
  const parts = [
    what ? locale.say(games.length > 1 ? titles.ofSeveral : titles.of, { what }) : titles.all,
    query.map && locale.say(titles.on, { map: query.map }),
    where && locale.say(titles.in, { where }),
    query.tags && locale.say(titles.tagged, { tags: query.tags.replaceAll(',', ', ') }),
    query.q && locale.say(titles.matching, { q: query.q }),
  ]
  return parts.filter(Boolean).join(' ')
}

/** A country's name after “in”: some have another form there. */
function placeOf(locale: Locale<'directory'>, code: string): string {
  const { places } = locale.t.directory
  return places[code.toUpperCase() as keyof typeof places] ?? locale.country(code)
}

/** The region, translated, or spelled as its servers spell it. */
const regionOf = (locale: Locale<never>, { region }: ListQuery, facets: Facets) =>
  region && locale.region(facets.region.find(({ value }) => isSameValue(value, region))?.value ?? region)
