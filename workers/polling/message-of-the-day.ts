// The message of the day of Minecraft servers, which stands for their name. gamedig reads only components that are objects with `text`.
import { protocols } from 'gamedig'
import { isFields } from './fields.ts'

/** Longer messages are cut. */
const MAX_TEXT = 10_000
/** Components within components; the game itself refuses more than 512. */
const MAX_DEPTH = 100
const FORMATTING = /§./gu

let installed = false

/** Makes gamedig use the whole message; calling it again changes nothing. */
export function installMessageOfTheDay(): void {
  if (installed) return
  installed = true
  const { prototype } = protocols.minecraftvanilla as (typeof protocols)[string]
  const { run } = prototype
  prototype.run = async function runWithMessage(state) {
    await run.call(this, state)
    if (!isFields(state.raw)) return
    // `minecraft`, which runs this protocol, takes a text as it is.
    state.name = state.raw.description = chatText(state.raw.description)
  }
}

/**
 * The text of a chat component (minecraft.wiki/w/Text_component_format): a text, a list, or an object with `text` or `translate`, and
 * `extra`. Formatting codes are removed, also between letters.
 */
export function chatText(component: unknown): string {
  let text = ''
  for (const part of partsOf(component, 0)) {
    text += part
    if (text.length > MAX_TEXT) break
  }
  return text.slice(0, MAX_TEXT).replace(FORMATTING, '')
}

/** Visits each component once, so that the work is bounded by the reply's length. */
function* partsOf(component: unknown, depth: number): Generator<string> {
  if (depth > MAX_DEPTH) return
  if (Array.isArray(component)) {
    for (const one of component) yield* partsOf(one, depth + 1)
  } else if (isFields(component)) {
    const { text, translate, fallback = translate, with: values, extra } = component
    if (typeof fallback === 'string') yield* translated(fallback, Array.isArray(values) ? values : [], depth + 1)
    else yield* partsOf(text, depth + 1)
    if (Array.isArray(extra)) yield* partsOf(extra, depth + 1)
  } else if (component !== undefined && component !== null) yield String(component)
}

/**
 * Fills `%s` and `%1$s`. The key of a translation stands for its text, whose places are not known here: values that it does not name
 * follow it.
 */
function* translated(template: string, values: unknown[], depth: number): Generator<string> {
  const left = new Map(values.entries())
  let next = 0
  for (const [, before = '', place, number] of template.matchAll(/([^%]*)(%(?:(\d+)\$)?s|%%?|$)/g)) {
    yield before
    if (place === '%%' || place === '%') yield '%'
    else if (place) {
      const index = number === undefined ? next++ : Number(number) - 1
      yield* partsOf(left.get(index), depth)
      left.delete(index)
    }
  }
  yield* partsOf([...left.values()], depth)
}
