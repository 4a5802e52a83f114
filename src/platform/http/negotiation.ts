// Content negotiation and conditional requests, decided by the libraries that Express uses.
import type { IncomingHttpHeaders } from 'node:http'
import fresh from 'fresh'
import { LRUCache } from 'lru-cache'
import Negotiator from 'negotiator'
import { ERROR_TYPE, PROBLEM_TYPE } from './problem.ts'

/**
 * Browsers send less than 100 in `Accept-Encoding`, and 150 in `Accept`. The library's time grows with the header: 15
 * kB of asterisks cost 30 ms, and 15 kB of media types 2 ms.
 */
const MAX_CHARACTERS = { encoding: 200, accept: 500 }

const CODINGS = ['br', 'gzip', 'identity'] as const
type Coding = (typeof CODINGS)[number]

/** The library's types lack its option. */
interface WithPreference {
  encodings<Name extends string>(available: readonly Name[], options: { preferred: readonly Name[] }): Name[]
}

/** Codings by header: most clients send one of a few. */
const known = new LRUCache<string, readonly Coding[]>({ max: 500 })

/** RFC 9110 §12.5.3. @returns the codings that the client accepts, best first; of equally good ones the smaller */
export function acceptedCodings(headers: IncomingHttpHeaders): readonly Coding[] {
  const header = acceptEncodingOf(headers)
  let codings = known.get(header)
  if (!codings) {
    const negotiator = new Negotiator({ headers: { 'accept-encoding': header } }) as unknown as WithPreference
    codings = negotiator.encodings(CODINGS, { preferred: CODINGS })
    known.set(header, codings)
  }
  return codings
}

/** For handlers that compress only if the client accepts it. */
export const acceptsGzip = (headers: IncomingHttpHeaders): boolean => acceptedCodings(headers).includes('gzip')

/** Empty, which accepts no coding but identity, instead of a longer header. */
export function acceptEncodingOf(headers: IncomingHttpHeaders): string {
  const header = String(headers['accept-encoding'] ?? '')
  return header.length > MAX_CHARACTERS.encoding ? '' : header
}

/** A longer header counts as one that accepts anything. */
function preferredType({ accept = '*/*' }: IncomingHttpHeaders, types: string[]): string | undefined {
  const considered = accept.length > MAX_CHARACTERS.accept ? '*/*' : accept
  return new Negotiator({ headers: { accept: considered } }).mediaType(types)
}

/**
 * Whether a page suits the client better than JSON. One that accepts anything gets JSON, because it may be a program.
 */
export const prefersHtml = (headers: IncomingHttpHeaders): boolean =>
  preferredType(headers, ['application/json', 'text/html']) === 'text/html'

/** Whether the client asks for problem documents (RFC 9457). */
export const acceptsProblem = (headers: IncomingHttpHeaders): boolean =>
  preferredType(headers, [ERROR_TYPE, PROBLEM_TYPE]) === PROBLEM_TYPE

/**
 * RFC 9110 §13.1.2, compared weakly. Other headers do not count: each `fetch` of Node with `If-None-Match` adds
 * `Cache-Control: no-cache`.
 */
export const matchesEtag = (header: string | undefined, etag: string): boolean =>
  header !== undefined && fresh({ 'if-none-match': header }, { etag })
