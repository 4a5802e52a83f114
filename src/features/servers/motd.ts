// The message of the day of a game server: text with Minecraft's formatting codes (minecraft.wiki/w/Formatting_codes),
// of which `§a` is a colour, `§#ff8800` any other colour, `§l` bold and `§r` the end of all. Workers store it bounded
// and in the form of `formatMotd`.

const COLORS = {
  0: 'black',
  1: 'dark_blue',
  2: 'dark_green',
  3: 'dark_aqua',
  4: 'dark_red',
  5: 'dark_purple',
  6: 'gold',
  7: 'gray',
  8: 'dark_gray',
  9: 'blue',
  a: 'green',
  b: 'aqua',
  c: 'red',
  d: 'light_purple',
  e: 'yellow',
  f: 'white',
} as const
const FORMATS = { k: 'obfuscated', l: 'bold', m: 'strikethrough', n: 'underlined', o: 'italic' } as const

export type MotdColor = (typeof COLORS)[keyof typeof COLORS] | `#${string}`

export interface MotdStyle {
  /** A colour's name, or `#` and six hexadecimal digits. Missing: the page's own. */
  color?: MotdColor
  obfuscated?: true
  bold?: true
  strikethrough?: true
  underlined?: true
  italic?: true
}

/** A piece of text of one style, without codes. */
export interface MotdRun extends MotdStyle {
  text: string
}

const CODES_OF_COLORS = new Map<string, string>(Object.entries(COLORS).map(([code, name]) => [name, code]))

/** @returns undefined if it is no colour that Minecraft knows */
export function motdColor(name: string): MotdColor | undefined {
  return CODES_OF_COLORS.has(name) || /^#[0-9a-f]{6}$/.test(name) ? (name as MotdColor) : undefined
}

const FORMAT_CODES = Object.entries(FORMATS)

/** `§x§f§f§8§8§0§0` is a colour of older servers. A `§` before a line break or the end is removed too. */
const CODE = /§(#[0-9a-f]{6}|x(?:§[0-9a-f]){6}|[^\n§]|)/giu

/** @param base the style of text before any code, and after `§r` */
export function parseMotd(motd: string, base: MotdStyle = {}): MotdRun[] {
  const runs: MotdRun[] = []
  let style = base
  let from = 0
  for (const { 0: code, 1: meaning = '', index } of motd.matchAll(CODE)) {
    if (index > from) runs.push({ ...style, text: motd.slice(from, index) })
    from = index + code.length
    style = styleAfter(meaning.toLowerCase(), style, base)
  }
  if (from < motd.length) runs.push({ ...style, text: motd.slice(from) })
  return runs
}

/** A colour ends all formats before it. Unknown codes change nothing. */
function styleAfter(code: string, style: MotdStyle, base: MotdStyle): MotdStyle {
  if (code === 'r') return base
  if (code.length > 1) return { color: `#${code.replace(/[#x§]/g, '')}` }
  const color = Object.hasOwn(COLORS, code) ? COLORS[code as keyof typeof COLORS] : undefined
  if (color) return { color }
  const format = Object.hasOwn(FORMATS, code) ? FORMATS[code as keyof typeof FORMATS] : undefined
  return format ? { ...style, [format]: true } : style
}

/**
 * Text with as few codes as show the styles, so that equal messages are equal texts. From code number `maxCodes` on,
 * the text continues in the style that it has.
 */
export function formatMotd(runs: Iterable<MotdRun>, maxCodes: number): string {
  let motd = ''
  let style: MotdStyle = {}
  let codesLeft = maxCodes
  for (const run of runs) {
    if (!run.text) continue
    const codes = codesBetween(style, run)
    if (codes.length <= codesLeft) {
      codesLeft -= codes.length
      motd += codes.map((code) => `§${code}`).join('')
      style = run
    }
    motd += run.text
  }
  return motd
}

function codesBetween(from: MotdStyle, to: MotdStyle): string[] {
  const ends = FORMAT_CODES.some(([, format]) => from[format] && !to[format])
  const restarts = ends || from.color !== to.color
  const formats = FORMAT_CODES.filter(([, format]) => to[format] && (restarts || !from[format])).map(([code]) => code)
  if (!restarts) return formats
  return [to.color ? (CODES_OF_COLORS.get(to.color) ?? to.color) : 'r', ...formats]
}

/** The text alone. Spaces that centre a line in the game are removed. */
export const plainMotd = (motd: string): string =>
  motd
    .replace(CODE, '')
    .split('\n')
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .join('\n')
    .trim()
