// Rules for text that people write and others read.
import * as z from 'zod'

/**
 * Controls, bidirectional overrides, zero-width and other invisible characters. Variation selectors of emoji are
 * allowed.
 */
const INVISIBLE = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u{FE0E}\u{FE0F}]]/v

export const hasNoInvisibleChars = (text: string) => !INVISIBLE.test(text)

const INVISIBLE_RUN = new RegExp(`(?:${INVISIBLE.source})+`, 'gv')
/** Use it for text whose author can't be asked to correct it. */
export const replaceInvisibleChars = (text: string, by: string) => text.replace(INVISIBLE_RUN, by)

const INVISIBLE_CHARS_MESSAGE = 'must not contain control, bidirectional or zero-width characters'

/**
 * The invisible characters of the Basic Multilingual Plane from U+0020 on, for the OpenAPI document: not every dialect
 * of patterns has Unicode properties, or code points of more than four digits.
 */
const INVISIBLE_RANGES =
  '\\u007f-\\u009f\\u00ad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f' +
  '\\u0890\\u0891\\u08e2\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff\\uffa0\\ufff0-\\ufffb'
const VISIBLE_LINE = new RegExp(`^[^\\u0000-\\u001f${INVISIBLE_RANGES}]*$`)
const VISIBLE_LINES = new RegExp(`^[^\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${INVISIBLE_RANGES}]*$`)

const countOf = (text: string) => {
  let characters = 0
  for (const _ of text) characters++
  return characters
}

/**
 * Bounds in characters as the OpenAPI document (JSON Schema 2020-12 §6.3) and PostgreSQL count them: an emoji is one.
 * Zod's own `min` and `max` count it as two UTF-16 units.
 */
export const minLength = (min: number, message = `must have at least ${min} characters`) =>
  counted('minimum', min, message, (text) => text.length >= 2 * min || countOf(text) >= min)
export const maxLength = (max: number, message = `must have at most ${max} characters`) =>
  counted('maximum', max, message, (text) => text.length <= max || countOf(text) <= max)

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

/** No invisible characters. */
export const visible = () => described(VISIBLE_LINE, hasNoInvisibleChars)
/** The same, but line breaks and tabs are allowed. */
const visibleLines = () => described(VISIBLE_LINES, (value) => hasNoInvisibleChars(value.replace(/[\r\n\t]/g, '')))

function described(pattern: RegExp, holds: (text: string) => boolean): z.core.$ZodCheck<string> {
  const check = z.check<string>((payload) => {
    const { value: input } = payload
    if (!holds(input)) payload.issues.push({ code: 'custom', message: INVISIBLE_CHARS_MESSAGE, input, continue: true })
  })
  // Where zod's own checks store their patterns for the OpenAPI document.
  check._zod.onattach.push(({ _zod: { bag } }) => {
    bag.patterns = new Set([pattern])
  })
  return check
}

const trimmed = text().normalize('NFC').trim()

/** One line of text: trimmed, in Unicode NFC, `min` to `max` characters long. */
export const line = (min: number, max: number) => trimmed.check(minLength(min), maxLength(max), visible())

/** Like `line`, but line breaks and tabs are allowed. */
export const paragraphs = (min: number, max: number) => trimmed.check(minLength(min), maxLength(max), visibleLines())

const MAX_URL = 500
const WEB_ADDRESS = /^[hH][tT][tT][pP][sS]?:\/\/[^\s"<>\\^`{|}]+$/

/**
 * An http or https URL; empty for none. Users and passwords are refused: https://well-known.example@elsewhere.example
 * misleads.
 */
export const webAddress = text()
  .trim()
  .check(maxLength(MAX_URL))
  .refine((url) => url === '' || isWebAddress(url), 'must be an http or https URL')
  .meta({ pattern: `^$|${WEB_ADDRESS.source}` })

function isWebAddress(url: string): boolean {
  if (!WEB_ADDRESS.test(url) || !hasNoInvisibleChars(url) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** @returns at most the first `max` characters: an emoji is one, and is not cut in two */
export const cutText = (value: string, max: number): string => [...value].slice(0, max).join('')

/** `1 vote`, `2 votes`. */
export const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Splits a comma-separated text into trimmed, non-empty parts. */
export const splitList = (list: string): string[] =>
  list
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)

/** Text of users that a chat shows as it is: it formats nothing, links to nothing and mentions no user. */
export const escapeMarkdown = (value: string): string => value.replace(/[\\*_~`|>#[\]()<@:]/g, '\\$&')

/** PostgreSQL's text type can't store it. */
export const hasNul = (value: string): boolean => value.includes('\0')
export const NUL_MESSAGE = 'must not contain the character U+0000'
