// Splits code into tokens for the colours of samples: shell, JavaScript, Python, JSON and outlines of schemas.
import type { StyledText } from '../components/types.ts'

const KEYWORDS =
  'const|await|import|from|print|for|in|if|return|true|false|null|True|False|None|string|integer|number|boolean|array|object|any'

/** The order matters: a quote in a comment starts no string, and a number in a string is not a number. */
const TOKENS = new RegExp(
  [
    String.raw`(?<comment>(?<=^|\s)(?:\/\/|#).*$)`,
    String.raw`(?<name>"(?:[^"\\\n]|\\.)*"(?=:)|^ +[\w-]+\??(?=:))`,
    String.raw`(?<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')`,
    String.raw`(?<keyword>\b(?:${KEYWORDS})\b|(?<=\s)--?[a-zA-Z][\w-]*\b)`,
    String.raw`(?<number>\b\d[\d.]*\b)`,
  ].join('|'),
  'gm',
)

/** @returns the code in parts, with the class of each; empty for plain text */
export function highlight(code: string): StyledText[] {
  const parts: StyledText[] = []
  let end = 0
  for (const { index, groups = {}, 0: text } of code.matchAll(TOKENS)) {
    if (index > end) parts.push({ text: code.slice(end, index), classes: '' })
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined) ?? ''
    parts.push({ text, classes: `code-${kind}` })
    end = index + text.length
  }
  if (end < code.length) parts.push({ text: code.slice(end), classes: '' })
  return parts
}
