// Where a server can show the token of a claim: its name, its keywords and its rules, but nothing that players can
// write.
import { games, protocols, type QueryResult } from 'gamedig'

/** Longer texts are cut. */
const LONGEST_TEXT = 10_000

/** Tokens are lower case; games that change the case of a name still prove. */
export function findTokens(result: QueryResult, game: string, tokens: readonly string[]): string[] {
  const shown = textsOf(result, game).map((text) => text.slice(0, LONGEST_TEXT).toLowerCase())
  return tokens.filter((token) => shown.some((text) => text.includes(token)))
}

/** Whether rules need a separate query. */
export const canAskForRules = (game: string): boolean => 'queryRules' in (protocolOf(game)?.prototype ?? {})

/**
 * `raw` also contains names of players, so only the operator's fields are used: `tags` and `rules`, and the server
 * variables that Quake's protocols store directly in it.
 */
function textsOf({ name, raw }: QueryResult, game: string): string[] {
  const { tags, rules } = isRecord(raw) ? raw : {}
  return [name, ...valuesOf(tags), ...valuesOf(rules), ...(isQuake(game) ? valuesOf(raw) : [])].filter(
    (value) => typeof value === 'string',
  )
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const valuesOf = (value: unknown): unknown[] => (isRecord(value) ? Object.values(value) : [value])

function isQuake(game: string): boolean {
  const protocol = protocolOf(game)
  const quake = protocols.quake2
  return !!protocol && !!quake && (protocol === quake || protocol.prototype instanceof quake)
}

function protocolOf(game: string): (typeof protocols)[string] | undefined {
  const name = game.startsWith('protocol-') ? game.slice('protocol-'.length) : games[game]?.options.protocol
  return name !== undefined && Object.hasOwn(protocols, name) ? protocols[name] : undefined
}
