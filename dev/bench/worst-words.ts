// The most expensive `q=` that can be made: long descriptions, and queries of as many of their most
// common words as fit.
import { seededRandom } from '../simulator/fleet.ts'
import type { Bench } from './processes.ts'

/** What descriptions and queries may have at most. */
const DESCRIPTION_CHARACTERS = 2_000
const QUERY_CHARACTERS = 200
const VOCABULARY = 30_000
const QUERIES_OF_EACH_KIND = 40
const BATCH = 1_000

/**
 * Gives every server a description of words that are as common as in a language (Zipf's law).
 * @param syllables make the words
 * @returns how often each word was written
 */
export async function writeLongDescriptions({ pool }: Bench, syllables: readonly string[]) {
  const random = seededRandom(5_000)
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const vocabulary = new Set<string>()
  while (vocabulary.size < VOCABULARY)
    vocabulary.add(Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(syllables)).join(''))
  const words = [...vocabulary]
  const written = new Map<string, number>()
  const description = () => {
    let text = ''
    while (text.length < DESCRIPTION_CHARACTERS - 20) {
      const word = words[Math.floor(VOCABULARY ** random()) - 1] as string
      written.set(word, (written.get(word) ?? 0) + 1)
      text += `${word} `
    }
    return text.trim()
  }
  const { rows } = await pool.query<{ id: string }>('select id from servers order by id')
  for (let start = 0; start < rows.length; start += BATCH) {
    const ids = rows.slice(start, start + BATCH).map(({ id }) => id)
    await pool.query(
      `update servers set description = given.description
       from unnest($1::uuid[], $2::text[]) as given (id, description) where servers.id = given.id`,
      [ids, ids.map(description)],
    )
  }
  await pool.query('vacuum analyze servers') // or autovacuum would begin meanwhile
  return written
}

/** Queries of each kind that looks at many words or occurrences, all different. */
export function worstQueries(written: ReadonlyMap<string, number>): string[] {
  const beginnings = [1, 2, 3, 4, 5].map((length) => commonBeginnings(written, length))
  const common = commonBeginnings(written, Number.POSITIVE_INFINITY)
  const misspelled = common
    .filter((word) => word.length >= 5)
    .slice(0, 60)
    .flatMap((word) => [`${word}q`, `q${word}`, word.slice(1), `${word.slice(0, 2)}q${word.slice(3)}`])
    .filter((word) => word.length >= 5)
  const nested = common.slice(0, 60).flatMap((word) => [1, 2, 3, 4].map((length) => word.slice(0, length)))
  const kinds = [
    ...beginnings,
    beginnings.slice(0, 3).flatMap((words) => words.slice(0, 20)),
    common,
    misspelled,
    nested,
  ]
  const random = seededRandom(6_000)
  return kinds.flatMap((words) =>
    Array.from({ length: QUERIES_OF_EACH_KIND }, () => {
      // Of the hundred most common ones, those that fit, in any order.
      const order = words.slice(0, 100).map((word) => ({ word, at: random() }))
      let q = ''
      for (const { word } of order.sort((a, b) => a.at - b.at))
        if (q.length + 1 + word.length <= QUERY_CHARACTERS) q += ` ${word}`
      return q.trim()
    }),
  )
}

/** Most common first. */
function commonBeginnings(written: ReadonlyMap<string, number>, length: number): string[] {
  const counts = new Map<string, number>()
  for (const [word, count] of written) {
    const beginning = word.slice(0, length)
    counts.set(beginning, (counts.get(beginning) ?? 0) + count)
  }
  return [...counts].sort(([, a], [, b]) => b - a).map(([beginning]) => beginning)
}
