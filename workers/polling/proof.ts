// Where a server can show the token of a claim: its name, its keywords and its rules, but nothing that players can
// write.
import { games, protocols, type QueryResult } from 'gamedig'
import { fieldsOf, isFields } from './fields.ts'

/** Longer texts are cut. */
const MAX_TEXT_LENGTH = 10_000

/** Colors between letters: `§a` of Minecraft, `^1` and `^xf00` of Quake's engines and FiveM. */
const COLORS = /§.|\^(?:x[0-9a-f]{3}|.)/giu

/** Tokens are lower case; games that change the case of a name still prove. */
export function findTokens(result: QueryResult, game: string, tokens: readonly string[]): string[] {
  const shown = textsOf(result, game).map((text) => text.slice(0, MAX_TEXT_LENGTH).toLowerCase())
  const plain = shown.map((text) => text.replace(COLORS, ''))
  return tokens.filter((token) => [...shown, ...plain].some((text) => text.includes(token)))
}

/** Whether rules need a separate query. */
export const canAskForRules = (game: string): boolean => 'queryRules' in (protocolClassOf(game)?.prototype ?? {})

/**
 * `raw` also contains names of players, so only the operator's fields are used: `tags` and `rules`, and the server
 * variables that Quake's protocols store directly in it. Minecraft is queried in three ways at once, and each may
 * report another name.
 */
function textsOf({ name, raw }: QueryResult, game: string): string[] {
  const { tags, rules, vanilla, gamespy, bedrock } = fieldsOf(raw)
  const names = [name, ...[vanilla, gamespy, bedrock].map((result) => fieldsOf(result).name)]
  return [...names, ...valuesOf(tags), ...valuesOf(rules), ...(isQuake(game) ? valuesOf(raw) : [])].filter(
    (value) => typeof value === 'string',
  )
}

const valuesOf = (value: unknown): unknown[] => (isFields(value) ? Object.values(value) : [value])

function isQuake(game: string): boolean {
  const protocol = protocolClassOf(game)
  const quake = protocols.quake2
  return !!protocol && !!quake && (protocol === quake || protocol.prototype instanceof quake)
}

function protocolClassOf(game: string): (typeof protocols)[string] | undefined {
  const name = game.startsWith('protocol-') ? game.slice('protocol-'.length) : games[game]?.options.protocol
  return name !== undefined && Object.hasOwn(protocols, name) ? protocols[name] : undefined
}
