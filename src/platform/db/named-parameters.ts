// Parameters by name instead of position, for statements of more than five.
import type { QueryConfig } from 'pg'

interface NamedStatement extends Omit<QueryConfig, 'values'> {
  /** `$serverId` means the value `serverId`, and may occur several times. Must not contain dollar-quoted strings. */
  text: string
  values: Record<string, unknown>
}

interface Positions {
  /** The statement with `$1`, `$2` and so on. */
  text: string
  /** The name of each position. */
  names: readonly string[]
}

/**
 * Translated statements by text: each is translated once, and its text stays the same, so that
 * PostgreSQL prepares it once.
 */
const translated = new Map<string, Positions>()

/**
 * Translates a statement for `query`.
 * @throws Error if a parameter has no value, a value has no parameter, or a parameter is given by position
 */
export function namedParameters({ text, values, ...options }: NamedStatement): QueryConfig & { text: string } {
  const positions = translated.get(text) ?? translate(text)
  const { names } = positions
  const wrong =
    names.find((name) => !Object.hasOwn(values, name)) ?? Object.keys(values).find((name) => !names.includes(name))
  if (wrong !== undefined) throw new Error(`$${wrong} is not both a parameter and a value of the statement: ${text}`)
  return { ...options, text: positions.text, values: names.map((name) => values[name]) }
}

function translate(text: string): Positions {
  if (/\$\d/.test(text)) throw new Error(`a statement with named parameters has one by position: ${text}`)
  const names = [...new Set(Array.from(text.matchAll(/\$(\w+)/g), ([, name = '']) => name))]
  const positions = { text: text.replaceAll(/\$(\w+)/g, (_, name) => `$${names.indexOf(name) + 1}`), names }
  translated.set(text, positions)
  return positions
}
