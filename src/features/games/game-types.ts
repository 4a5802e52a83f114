// Which games can be listed, and the ports their servers usually use.
import { nameDistance, normalizeName } from '../../platform/name-distance.ts'
import { gameName, typedNames } from './game-names.ts'
import { type Game, games, protocols } from './games.ts'

const PROTOCOL_TYPES = new Set(protocols.map((protocol) => `protocol-${protocol}`))
const MAX_PORT = 65_535
/** What people type for each type. */
const NAMES_OF = new Map<string, string[]>()
for (const [name, types] of typedNames())
  for (const type of types) NAMES_OF.set(type, [...(NAMES_OF.get(type) ?? []), name])

const LISTS_ALL = 'lists all servers of a game; use the game’s own type'
const NEEDS_LOGIN = 'can be queried only with a login to its publisher, which a listing has no place for'
/** Types that gamedig can query but a directory can't use, and why. */
const REFUSED: Readonly<Record<string, string>> = {
  hawakening: NEEDS_LOGIN,
  'protocol-hawakening': NEEDS_LOGIN,
  'protocol-hawakeningmaster': LISTS_ALL,
  'protocol-beammpmaster': LISTS_ALL,
  'protocol-brokeprotocolmaster': LISTS_ALL,
  'protocol-renegadexmaster': LISTS_ALL,
  'protocol-vintagestorymaster': LISTS_ALL,
}

/** @returns why servers of this type cannot be listed although gamedig knows it; undefined for all other types */
export const refusalReason = (type: string): string | undefined =>
  Object.hasOwn(REFUSED, type) ? REFUSED[type] : undefined

/** How a type is written, as a pattern. */
export const GAME_TYPE = '(protocol-)?[a-z0-9]+'

/** Whether servers of this type can be listed: a game's id, or `protocol-<name>`. */
export const isGameType = (type: string): boolean =>
  (Object.hasOwn(games, type) || PROTOCOL_TYPES.has(type)) && refusalReason(type) === undefined

/**
 * The usual query port of a server with this game port: the game's fixed one, else at its offset, else the same port.
 */
export function usualQueryPort(type: string, gamePort: number): number {
  const { queryPort, queryPortOffset = 0 } = gameOf(type)
  const shifted = gamePort + queryPortOffset
  return queryPort ?? (isPort(shifted) ? shifted : gamePort)
}

/** Where players usually connect; undefined if the game has no such port, so that a listing must name one. */
export const usualPort = (type: string): number | undefined => gameOf(type).port

/** The usual game port of a server of which only the query port is known. */
export function usualGamePort(type: string, queryPort: number): number {
  const game = gameOf(type)
  if (queryPort === game.queryPort) return game.port ?? queryPort
  const shifted = queryPort - (game.queryPortOffset ?? 0)
  return isPort(shifted) ? shifted : queryPort
}

const isPort = (port: number) => port >= 1 && port <= MAX_PORT

/** Every type that can be listed, games before protocols. */
export const gameTypes = (): (Game & { id: string })[] =>
  [...Object.keys(games), ...PROTOCOL_TYPES].filter(isGameType).map((id) => ({ id, ...gameOf(id), name: gameName(id) }))

/** Whether this is a name or a short form of the type; case, spaces and signs do not count. */
export function isNameOfType(typed: string, type: string): boolean {
  const plain = normalizeName(typed)
  return plain !== '' && (NAMES_OF.get(type) ?? []).some((name) => normalizeName(name) === plain)
}

/** Made when it is needed: the first one takes 40 ms, which every start of a process would wait for. */
const oneOf = (names: string[]) => new Intl.ListFormat('en', { type: 'disjunction' }).format(names)

/** The names that people type for a type, besides the one that is displayed. */
export const shortFormsOf = (type: string): string[] =>
  (NAMES_OF.get(type) ?? []).filter((name) => name !== gameName(type))

/** The types that a typed id, name or short form means. */
export function findTypesByName(typed: string): string[] {
  const text = typed.trim()
  const types = gameTypes()
  const exact = types.filter(({ id, name }) => id === text.toLowerCase() || name.toLowerCase() === text.toLowerCase())
  const meant = exact.length > 0 ? exact : types.filter(({ id }) => isNameOfType(text, id))
  return meant.map(({ id }) => id)
}

/** @returns why servers can't have this type, with the nearest types; undefined for a type that they can have */
export function explainInvalidGame(type: string): string | undefined {
  if (isGameType(type)) return undefined
  const reason = refusalReason(type)
  if (reason) return `must be another type: ${type} ${reason}`
  const near = suggestGames(type)
  return `must be a gamedig type id${near.length ? `; did you mean ${oneOf(near)}?` : ''}`
}

/**
 * The three types whose id or name is nearest to the input, best first, as `ase (Ark: Survival Evolved)`; none for an
 * input without letters and digits.
 */
export const suggestGames = (typed: string): string[] =>
  nearestTypes(typed)
    .slice(0, 3)
    .map((id) => `${id} (${gameName(id)})`)

/** Types of all games, nearest to the input first; none for an input without letters and digits. */
export const nearestTypes = (typed: string): string[] =>
  byDistance(typed, Object.keys(games).filter(isGameType)).map(({ type }) => type)

/**
 * Those of the types with a similar id, name or short form, nearest to the input first: at most half
 * of the letters differ.
 */
export const similarGames = (typed: string, types: readonly string[]): string[] =>
  byDistance(typed, types)
    .filter(({ distance }) => distance <= MAX_SIMILAR_DISTANCE)
    .map(({ type }) => type)

/** Of `nameDistance`. */
const MAX_SIMILAR_DISTANCE = 3.5

function byDistance(typed: string, types: readonly string[]) {
  if (!normalizeName(typed)) return []
  const distanceOf = (type: string) =>
    Math.min(...[type, ...(NAMES_OF.get(type) ?? [])].map((name) => nameDistance(typed, name)))
  return types.map((type) => ({ type, distance: distanceOf(type) })).sort((a, b) => a.distance - b.distance)
}

const gameOf = (type: string): Game =>
  (Object.hasOwn(games, type) ? games[type] : undefined) ?? { name: type, protocol: type.replace(/^protocol-/, '') }
