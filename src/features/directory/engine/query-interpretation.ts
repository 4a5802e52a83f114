// Finds the games, countries, regions and modes that words of a query name, and the servers that have them.

import { COUNTRIES } from '../../../platform/countries.ts'
import { gameName, typedNames } from '../../games/index.ts'
import type { Facet } from './facets.ts'
import type { createGeography } from './geography.ts'
import { type Posting, unionOf } from './posting.ts'
import { MAX_WORDS, wordsAndSymbolsOf } from './search-words.ts'
import { partitionPoint } from './sorted-slots.ts'

/**
 * A way to understand a query: some of its words name something, such as a game. Servers must have that
 * instead of the words.
 */
export interface Interpretation {
  /** Words that are not searched, because they name something or say nothing next to a name. */
  named: ReadonlySet<string>
  /** The sets whose intersection has the servers with everything that is named. */
  postings: Posting[]
}

export interface Interpretations {
  /**
   * The interpretation that uses only whole names of games, countries, regions and modes;
   * undefined: the query has none.
   */
  sure: Interpretation | undefined
  /** The interpretation that also uses the beginning of a name that is being typed, and owners' names of regions. */
  likely: Interpretation | undefined
}

interface Indexes {
  games: Facet
  gameModes: Facet
  geography: ReturnType<typeof createGeography>
}

/** The values of filters that a name means, spelled as in the facets. */
interface Named {
  games: Set<string>
  countries: Set<string>
  regions: Set<string>
  gameModes: Set<string>
}

/** Other names of countries, in addition to those in the site's languages. */
const COUNTRY_NAMES: Readonly<Record<string, string>> = {
  america: 'US',
  britain: 'GB',
  'czech republic': 'CZ',
  england: 'GB',
  'great britain': 'GB',
  holland: 'NL',
  'hong kong': 'HK',
  korea: 'KR',
  macau: 'MO',
  myanmar: 'MM',
  scotland: 'GB',
  turkey: 'TR',
  uae: 'AE',
  uk: 'GB',
  us: 'US',
  usa: 'US',
  wales: 'GB',
}
/** “Island” is Iceland in German, but in English part of the names of many maps and servers. */
const NO_COUNTRY = new Set(['island'])

/** Names of continents: a server's region is its continent if the owner has given none. */
const REGION_NAMES: Readonly<Record<string, string>> = {
  africa: 'africa',
  afrika: 'africa',
  asia: 'asia',
  asien: 'asia',
  eu: 'europe',
  europa: 'europe',
  europe: 'europe',
  na: 'north america',
  nordamerika: 'north america',
  'north america': 'north america',
  oceania: 'oceania',
  oce: 'oceania',
  ozeanien: 'oceania',
  sudamerika: 'south america',
  'south america': 'south america',
}

const MODES = ['PvP', 'PvE', 'PvPvE']
const LANGUAGES = ['en', 'de']

/** Words next to a name that only say that the visitor looks for servers. */
const SAY_NOTHING = new Set(['server', 'servers', 'serverliste', 'in', 'aus', 'from', 'fur', 'for', 'the'])

/** A beginning of a name counts as the name if it has at least this many letters. */
const BEGINNING_FROM_LENGTH = 4

const keyOf = (name: string) => [...wordsAndSymbolsOf(name)].join(' ')

/** What each name means. The key is the words of the name, joined by spaces. */
const NAMES = collectNames()
const SORTED_NAMES = [...NAMES.keys()].sort()
/** The first words of all names: rules out most words of queries at once. */
const FIRST_WORDS = new Set(SORTED_NAMES.map((name) => name.split(' ', 1)[0] ?? ''))
/** Longer names are almost never typed in full, and each word of a query costs up to this many look-ups. */
const MAX_NAME_WORDS = 5

function collectNames(): Map<string, Named> {
  const names = new Map<string, Named>()
  const add = (name: string, kind: keyof Named, value: string) => {
    const key = keyOf(name)
    let named = names.get(key)
    if (!named) {
      named = { games: new Set(), countries: new Set(), regions: new Set(), gameModes: new Set() }
      names.set(key, named)
    }
    named[kind].add(value)
  }
  for (const [name, types] of typedNames()) for (const type of types) add(name, 'games', type)
  for (const language of LANGUAGES) {
    const countries = new Intl.DisplayNames(language, { type: 'region' })
    for (const code of COUNTRIES) {
      const name = countries.of(code) ?? code
      if (!NO_COUNTRY.has(keyOf(name))) add(name, 'countries', code)
    }
  }
  for (const [name, code] of Object.entries(COUNTRY_NAMES)) add(name, 'countries', code)
  for (const [name, region] of Object.entries(REGION_NAMES)) add(name, 'regions', region)
  for (const mode of MODES) add(mode, 'gameModes', mode)
  addSequels(names)
  return names
}

/** Makes the name of a game mean its sequels too: `left 4 dead` also means `left 4 dead 2`. */
function addSequels(names: Map<string, Named>): void {
  const titles = [...typedNames()].filter(([, types]) => types.length === 1)
  const whole = new Set(titles.map(([name]) => keyOf(name)).filter((key) => key.length >= BEGINNING_FROM_LENGTH))
  for (const [name, types] of titles) {
    const key = keyOf(name)
    if (key !== keyOf(gameName(types[0] ?? ''))) continue
    for (let end = key.indexOf(' '); end !== -1; end = key.indexOf(' ', end + 1))
      if (whole.has(key.slice(0, end))) for (const type of types) names.get(key.slice(0, end))?.games.add(type)
  }
}

/** @returns a function that interprets the words of a query */
export function createQueryInterpreter({ games, gameModes, geography }: Indexes, slotsEnd: () => number) {
  function postingsOf({ games: types, countries, regions, gameModes: modes }: Named): Posting[] {
    const found: Posting[] = []
    const add = (facet: Facet, values: ReadonlySet<string>) => {
      for (const value of values) {
        const posting = facet.get(value)
        if (posting) found.push(posting)
      }
    }
    add(games, types)
    add(geography.countries, countries)
    add(geography.regions, regions)
    add(gameModes, modes)
    return found
  }

  const sure = (phrase: string): Posting[] => {
    const named = NAMES.get(phrase)
    return named ? postingsOf(named) : []
  }

  /** The sets of what the last words of a query name, or of the names that begin with these words. */
  function likely(phrase: string): Posting[] {
    const found = sure(phrase)
    const region = geography.regions.get(phrase)
    if (region && !found.includes(region)) found.push(region)
    if (found.length > 0 || phrase.length < BEGINNING_FROM_LENGTH) return found
    const all = new Set<Posting>()
    for (let at = firstNameFrom(phrase); SORTED_NAMES[at]?.startsWith(phrase); at++)
      for (const posting of sure(SORTED_NAMES[at] ?? '')) all.add(posting)
    return [...all]
  }

  /** From the first word on, takes the longest name at each word. @param findLast finds the sets of the last words */
  function interpretBy(words: readonly string[], findLast: (phrase: string) => Posting[]): Interpretation | undefined {
    const named = new Set<string>()
    const postings: Posting[] = []
    for (let at = 0; at < words.length; at++)
      for (let length = Math.min(MAX_NAME_WORDS, words.length - at); length > 0; length--) {
        const isLast = at + length === words.length
        if (!isLast && !FIRST_WORDS.has(words[at] ?? '')) break
        const phrase = words.slice(at, at + length).join(' ')
        const posting = unionOf(isLast ? findLast(phrase) : sure(phrase), slotsEnd())
        if (!posting) continue
        postings.push(posting)
        for (const word of words.slice(at, at + length)) named.add(word)
        at += length - 1
        break
      }
    if (postings.length === 0) return undefined
    for (const word of words) if (SAY_NOTHING.has(word)) named.add(word)
    return { named, postings }
  }

  /** @param query the words of a query, of which the first twenty are searched */
  return (query: readonly string[]): Interpretations => {
    const words = query.slice(0, MAX_WORDS)
    const bySure = interpretBy(words, sure)
    const byLikely = interpretBy(words, likely)
    // `likely` finds all that `sure` finds, so equal sizes mean equal sets.
    const isSame =
      byLikely?.named.size === bySure?.named.size &&
      byLikely?.postings.every(({ size }, at) => size === bySure?.postings[at]?.size)
    return { sure: bySure, likely: isSame ? undefined : byLikely }
  }
}

/** @returns index of the first name that is not before the phrase */
const firstNameFrom = (phrase: string): number =>
  partitionPoint(SORTED_NAMES.length, (at) => (SORTED_NAMES[at] ?? '') >= phrase)
