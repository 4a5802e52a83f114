// Parses the provider's forms with bracketed names: `line_items[0][price]=p` is { line_items: { 0: { price: 'p' } } }.
export interface Fields {
  [name: string]: string | Fields
}

/** The last value of a repeated name counts; a list is an object with numbers as keys. */
export function parseForm(text: string): Fields {
  const root: Fields = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/\]\[|\[|\]$/).filter((part) => part !== '')
    let at = root
    for (const part of path.slice(0, -1)) {
      const next = at[part]
      const inner: Fields = typeof next === 'object' ? next : Object.create(null)
      at[part] = inner
      at = inner
    }
    const last = path.at(-1)
    if (last !== undefined) at[last] = value
  }
  return root
}

/** The string at a path; undefined if there is none. */
export function textAt(fields: Fields, ...path: string[]): string | undefined {
  let at: string | Fields | undefined = fields
  for (const part of path) at = typeof at === 'object' ? at[part] : undefined
  return typeof at === 'string' ? at : undefined
}

/** The names and strings at a path, for metadata. */
export function textMapAt(fields: Fields, ...path: string[]): Record<string, string> {
  let at: string | Fields | undefined = fields
  for (const part of path) at = typeof at === 'object' ? at[part] : undefined
  const entries = typeof at === 'object' ? Object.entries(at) : []
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
