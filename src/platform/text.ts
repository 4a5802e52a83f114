// Text that people write and others read: what it may hold, wherever it is shown.
import * as z from 'zod'

/** Controls, bidirectional overrides, zero-width and other characters that are not seen. Variation selectors of emoji may stay. */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u{FE0E}\u{FE0F}]]/v

export const hasNoInvisibleChars = (text: string) => !INVISIBLE.test(text)
export const INVISIBLE_CHARS_MESSAGE = 'must not contain control, bidirectional or zero-width characters'

const countOf = (text: string) => {
  let characters = 0
  for (const _ of text) characters++
  return characters
}

/**
 * Bounds of a text in characters as the OpenAPI document (JSON Schema 2020-12 §6.3) and PostgreSQL count them: an emoji is
 * one, of which zod's own `min` and `max` count two UTF-16 units.
 */
export const atLeast = (least: number, message = `must have at least ${least} characters`) =>
  counted('minimum', least, message, (text) => text.length >= 2 * least || countOf(text) >= least)
export const atMost = (most: number, message = `must have at most ${most} characters`) =>
  counted('maximum', most, message, (text) => text.length <= most || countOf(text) <= most)

function counted(
  bound: 'minimum' | 'maximum',
  characters: number,
  message: string,
  holds: (text: string) => boolean,
): z.core.$ZodCheck<string> {
  const check = z.check<string>((payload) => {
    if (!holds(payload.value)) payload.issues.push({ code: 'custom', message, input: payload.value, continue: true })
  })
  // Where zod's own checks write it down for the description.
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag[bound] = characters
  })
  return check
}

/** A text; said so when it is missing or something else. */
export const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a text') })

/** One line of text: trimmed, in Unicode's composed form, `min` to `max` characters long. */
export const line = (min: number, max: number) =>
  text().normalize('NFC').trim().check(atLeast(min), atMost(max)).refine(hasNoInvisibleChars, INVISIBLE_CHARS_MESSAGE)

/** Text of some lines: as `line`, but line breaks and tabs may be in it. */
export const paragraphs = (min: number, max: number) =>
  text()
    .normalize('NFC')
    .trim()
    .check(atLeast(min), atMost(max))
    .refine((given) => hasNoInvisibleChars(given.replace(/[\r\n\t]/g, '')), INVISIBLE_CHARS_MESSAGE)

const MAX_URL = 500

/** An http or https address without user and password, since https://well-known.example@elsewhere.example misleads; empty for none. */
export const webAddress = text()
  .trim()
  .check(atMost(MAX_URL))
  .refine((url) => url === '' || isWebAddress(url), 'must be an http or https address')

function isWebAddress(url: string): boolean {
  if (!/^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(url) || !hasNoInvisibleChars(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** The parts of a comma-separated text, trimmed; empty ones are none. */
export const splitList = (list: string): string[] =>
  list === ''
    ? []
    : list
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
