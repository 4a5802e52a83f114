// The message of the day of Minecraft servers, which is used as their name. gamedig reads only components that are
// objects with `text`.
import { protocols } from 'gamedig'
import { type MotdRun, type MotdStyle, motdColor, parseMotd } from '../../src/features/servers/index.ts'
import { type Fields, isFields } from './fields.ts'
import { boundedMotd } from './motd.ts'

/** Longer messages are cut. */
const MAX_TEXT = 10_000
/** Components within components; the game itself refuses more than 512. */
const MAX_DEPTH = 100
const FORMATTING = /§./gu

let installed = false

/**
 * Makes gamedig use the whole message, and keeps it with its formatting as `motd`; calling it again changes nothing.
 */
export function installMessageOfTheDay(): void {
  if (installed) return
  installed = true
  const { prototype } = protocols.minecraftvanilla as (typeof protocols)[string]
  const { run } = prototype
  prototype.run = async function runWithMessage(state) {
    await run.call(this, state)
    if (!isFields(state.raw)) return
    const parts = chatParts(state.raw.description)
    state.raw.motd = chatMotd(parts)
    // `minecraft`, which runs this protocol, takes a text as it is.
    state.name = state.raw.description = chatText(parts)
  }
}

/**
 * The texts of a chat component (minecraft.wiki/w/Text_component_format), each with its style: a text, a list, or an
 * object with `text` or `translate`, and `extra`.
 */
export function chatParts(component: unknown): MotdRun[] {
  const read: ReadText = { parts: [], left: MAX_TEXT }
  readComponent(read, component, {}, 0)
  return read.parts
}

/** Formatting codes are removed, also between letters. */
export const chatText = (parts: MotdRun[]): string =>
  parts
    .map(({ text }) => text)
    .join('')
    .replace(FORMATTING, '')

/** Codes within a component's text begin with, and return to, the component's own style. */
export const chatMotd = (parts: MotdRun[]): string =>
  boundedMotd(parts.flatMap(({ text, ...style }) => parseMotd(text, style)))

/** What was read of a message so far. */
interface ReadText {
  parts: MotdRun[]
  /** How many more characters are read. */
  left: number
}

function addText(read: ReadText, text: string, style: MotdStyle): void {
  if (!text || read.left <= 0) return
  read.parts.push({ ...style, text: text.slice(0, read.left) })
  read.left -= text.length
}

/**
 * Visits each component once, so that the work is bounded by the reply's length. Not a generator: it would pass each
 * text, also empty ones, through all levels above it.
 */
function readComponent(read: ReadText, component: unknown, style: MotdStyle, depth: number): void {
  if (depth > MAX_DEPTH || read.left <= 0) return
  if (Array.isArray(component)) {
    for (const one of component) readComponent(read, one, style, depth + 1)
  } else if (isFields(component)) {
    const own = styleOf(component, style)
    const { text, translate, fallback = translate, with: values, extra } = component
    if (typeof fallback === 'string')
      readTranslation(read, fallback, Array.isArray(values) ? values : [], own, depth + 1)
    else readComponent(read, text, own, depth + 1)
    if (Array.isArray(extra)) readComponent(read, extra, own, depth + 1)
  } else if (component !== undefined && component !== null) addText(read, String(component), style)
}

/**
 * Fills `%s` and `%1$s`. The key of a translation replaces its text, whose places are not known here: values that it
 * does not name follow it.
 */
function readTranslation(read: ReadText, template: string, values: unknown[], style: MotdStyle, depth: number): void {
  const left = new Map(values.entries())
  let next = 0
  for (const [, before = '', place, number] of template.matchAll(/([^%]*)(%(?:(\d+)\$)?s|%%?|$)/g)) {
    if (read.left <= 0) return
    addText(read, before, style)
    if (place === '%%' || place === '%') addText(read, '%', style)
    else if (place) {
      const index = number === undefined ? next++ : Number(number) - 1
      readComponent(read, left.get(index), style, depth)
      left.delete(index)
    }
  }
  readComponent(read, [...left.values()], style, depth)
}

const FLAGS = ['obfuscated', 'bold', 'strikethrough', 'underlined', 'italic'] as const

/** A component's own style on top of its parent's. Unknown colours are none. */
function styleOf(component: Fields, parent: MotdStyle): MotdStyle {
  const style = { ...parent }
  const { color } = component
  if (typeof color === 'string') {
    delete style.color
    const known = motdColor(color.slice(0, 20).toLowerCase())
    if (known) style.color = known
  }
  for (const name of FLAGS) {
    if (component[name] === true) style[name] = true
    else if (component[name] === false) delete style[name]
  }
  return style
}
