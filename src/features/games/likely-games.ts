// Which games may run at an address of which only a port is known, and which game an answer names.
import { isGameType, isNameOfType, usualGamePort, usualPort, usualQueryPort } from './game-types.ts'
import { type Game, games } from './games.ts'
import { STEAM_APPS } from './steam-apps.ts'

/** One query of an address. */
export interface LikelyTarget {
  game: string
  /** Undefined: players connect without a port. */
  gamePort: number | undefined
  queryPort: number
}

/** An address is asked no more often than this, whatever was typed. */
export const MAX_LIKELY_TARGETS = 8

/** The games that most servers are of: asked first, and the only ones of an address without a port. */
// biome-ignore format: several games a line
const COMMON = [
  'minecraft', 'rust', 'counterstrike2', 'mbe', 'ase', 'gta5f', 'gtasao', 'asa', 'dayz', 'arma3', 'sdtd',
  'conanexiles', 'valheim', 'projectzomboid', 'factorio', 'teamspeak3', 'mumble', 'terrariatshock', 'q3a',
]
/** Likely games of an address without a port. */
const WITHOUT_PORT = ['minecraft', 'counterstrike2', 'rust', 'mbe', 'gta5f', 'teamspeak3']
/** Answers queries of most games on Steam. */
const SOURCE = 'protocol-valve'
/** A second server on a machine mostly has one of the next ports. */
const NEXT_PORTS = 100

const protocolOf = (type: string): string => gameOf(type)?.protocol ?? type.replace(/^protocol-/, '')
const gameOf = (type: string): Game | undefined => (Object.hasOwn(games, type) ? games[type] : undefined)

/**
 * What to ask, best first: only ports that were typed, or that the servers of a game usually have. Games of one
 * protocol are asked once, because the answer names the game.
 * @param port that players or queries use, undefined if none was typed
 * @param types what the game is known to be one of; empty: unknown
 */
export function likelyTargets(port: number | undefined, types: readonly string[] = []): LikelyTarget[] {
  const targets = new Map<string, LikelyTarget>()
  const add = (game: string, gamePort: number | undefined, queryPort: number) => {
    const key = `${protocolOf(game)} ${queryPort}`
    if (targets.size < MAX_LIKELY_TARGETS && !targets.has(key)) targets.set(key, { game, gamePort, queryPort })
  }
  const known = types.filter(isGameType)
  if (port === undefined) {
    for (const type of known.length > 0 ? known : WITHOUT_PORT) {
      const usual = usualPort(type)
      if (usual !== undefined) add(type, undefined, usualQueryPort(type, usual))
    }
    return [...targets.values()]
  }
  const addBoth = (type: string) => {
    add(type, port, usualQueryPort(type, port))
    add(type, usualGamePort(type, port), port)
  }
  if (known.length > 0) for (const type of known) addBoth(type)
  else {
    const byPort = typesNear(port)
    for (const type of byPort) add(type, port, usualQueryPort(type, port))
    add(SOURCE, port, port)
    add('minecraft', port, port)
    add(SOURCE, port, Math.min(port + 1, 65_535))
    add('q3a', port, port)
  }
  return [...targets.values()]
}

/** The common games, then all others, whose usual port this is; then common ones whose usual port is a little lower. */
function typesNear(port: number): string[] {
  const isUsual = (type: string) => port === usualPort(type) || port === gameOf(type)?.queryPort
  const isNear = (type: string) => {
    const distance = port - (usualPort(type) ?? port)
    return distance > 0 && distance <= NEXT_PORTS
  }
  return [...COMMON.filter(isUsual), ...Object.keys(games).filter(isGameType).filter(isUsual), ...COMMON.filter(isNear)]
}

/** What an answer says about which game runs there. */
export interface GameHints {
  /** The number of the game at Steam. */
  appId?: number | undefined
  /** Names of the game or of its folder. */
  words: readonly string[]
}

const steamTypes = new Map(Object.entries(STEAM_APPS).map(([type, appId]) => [appId, type]))

/** @returns the type that an answer names; else `asked`, of a protocol of many games as that protocol */
export function gameOfAnswer(asked: string, { appId, words }: GameHints): string {
  const protocol = protocolOf(asked)
  const ofSteam = protocol === 'valve' && appId !== undefined ? steamTypes.get(appId) : undefined
  if (ofSteam) return ofSteam
  const named = Object.keys(games).filter(
    (type) => protocolOf(type) === protocol && isGameType(type) && words.some((word) => isNameOfType(word, type)),
  )
  if (named.length > 0) return named.includes(asked) ? asked : (named[0] ?? asked)
  return protocol === 'valve' ? SOURCE : asked
}

/** Whether the game has no separate query port. */
export const isQueriedAtGamePort = (type: string): boolean => {
  const { queryPort, queryPortOffset = 0 } = gameOf(type) ?? {}
  return queryPort === undefined && queryPortOffset === 0
}
