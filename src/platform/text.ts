// Rules for text that people write and others read.
import * as z from 'zod'

/**
 * Controls, bidirectional overrides, zero-width and other invisible characters. Variation selectors of emoji are
 * allowed.
 */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u{FE0E}\u{FE0F}]]/v

export const hasNoInvisibleChars = (text: string) => !INVISIBLE.test(text)
export const INVISIBLE_CHARS_MESSAGE = 'must not contain control, bidirectional or zero-width characters'

const countOf = (text: string) => {
  let characters = 0
  for (const _ of text) characters++
  return characters
}

/**
 * Bounds in characters as the OpenAPI document (JSON Schema 2020-12 §6.3) and PostgreSQL count them: an emoji is one.
 * Zod's own `min` and `max` count it as two UTF-16 units.
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
  // Where zod's own checks store their bounds for the OpenAPI document.
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag[bound] = characters
  })
  return check
}

/** A string, with messages for a missing and a mistyped value. */
export const text = () => z.string({ error: ({ input }) => (input === undefined ? 'is required' : 'must be a string') })

const bounded = (min: number, max: number) => text().normalize('NFC').trim().check(atLeast(min), atMost(max))

/** One line of text: trimmed, in Unicode NFC, `min` to `max` characters long. */
export const line = (min: number, max: number) => bounded(min, max).refine(hasNoInvisibleChars, INVISIBLE_CHARS_MESSAGE)

/** Like `line`, but line breaks and tabs are allowed. */
export const paragraphs = (min: number, max: number) =>
  bounded(min, max).refine((given) => hasNoInvisibleChars(given.replace(/[\r\n\t]/g, '')), INVISIBLE_CHARS_MESSAGE)

const MAX_URL = 500

/**
 * An http or https URL; empty for none. Users and passwords are refused: https://well-known.example@elsewhere.example
 * misleads.
 */
export const webAddress = text()
  .trim()
  .check(atMost(MAX_URL))
  .refine((url) => url === '' || isWebAddress(url), 'must be an http or https URL')

function isWebAddress(url: string): boolean {
  if (!/^https?:\/\/[^\s"<>\\^`{|}]+$/i.test(url) || !hasNoInvisibleChars(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** Splits a comma-separated text into trimmed, non-empty parts. */
export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Text of users that a chat shows as it is: it formats nothing, links to nothing and mentions no user. */
export const escapeMarkdown = (given: string): string => given.replace(/[\\*_~`|>#[\]()<@:]/g, '\\$&')
