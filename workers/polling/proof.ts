// Where a server may show the token of a claim: its name, its keywords and its rules; nothing a player could write.
import { games, protocols, type QueryResult } from 'gamedig'

/** Longer texts are cut: a server may send what it likes. */
const LONGEST_TEXT = 10_000

/** Tokens are lower case; games that change a name's case still prove. */
export function findTokens(result: QueryResult, game: string, tokens: readonly string[]): string[] {
  const shown = textsOf(result, game).map((text) => text.slice(0, LONGEST_TEXT).toLowerCase())
  return tokens.filter((token) => shown.some((text) => text.includes(token)))
}

/** Whether rules come only with a query that asks for them. */
export const canAskForRules = (game: string): boolean => 'queryRules' in (protocolOf(game)?.prototype ?? {})

/**
 * `raw` holds names of players too, so only what is known to be the operator's is taken from it: `tags` and `rules` by those
 * names, and the server variables that Quake's protocols put straight into it.
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
