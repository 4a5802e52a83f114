// Values that a game server sent, which can be of any type: bounded, and without characters that mislead readers.
import { replaceInvisibleChars, webAddress } from '../../src/platform/text.ts'

const MAX_COUNT = 1_000_000
const MAX_TEXT_LENGTH = 100
const MAX_PARAGRAPHS_LENGTH = 2_000
const MAX_LIST_LENGTH = 2_000

/** A whole number from 0 to 1,000,000; 0 for anything but a number, which may be written as text. */
export function safeCount(value: unknown): number {
  if (typeof value !== 'number' && typeof value !== 'string') return 0
  const number = Math.trunc(Number(value))
  // Number.NaN is neither below nor above.
  return number > 0 ? Math.min(number, MAX_COUNT) : 0
}

const YES = new Set(['1', 'true', 'yes', 'y'])
const NO = new Set(['0', 'false', 'no', 'n'])

/** What a flag or its text says; null for anything else. */
export function safeFlag(value: unknown): boolean | null {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'number' && typeof value !== 'string') return null
  const word = String(value).trim().toLowerCase()
  if (YES.has(word)) return true
  return NO.has(word) ? false : null
}

/** Most texts, which need nothing of what follows. */
const PLAIN = /^[ -~]{0,100}$/

/** One line of at most 100 characters; '' for anything but text (gamedig turns a missing version into 'undefined'). */
export function safeText(value: unknown): string {
  if (typeof value !== 'string' || value === 'undefined' || value === 'null') return ''
  if (PLAIN.test(value)) return value.trim()
  return cut(replaceInvisibleChars(wellFormed(value, MAX_TEXT_LENGTH), ' ').trim(), MAX_TEXT_LENGTH)
}

/** Lines of at most 2,000 characters in all; '' for anything but text. */
export function safeParagraphs(value: unknown): string {
  if (typeof value !== 'string') return ''
  const lines = wellFormed(value, MAX_PARAGRAPHS_LENGTH)
    .split(/\r\n?|\n/)
    .map((line) => replaceInvisibleChars(line, ' ').trim())
  return cut(
    lines
      .join('\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim(),
    MAX_PARAGRAPHS_LENGTH,
  )
}

/** An http or https URL, as a listing may have; '' for anything else. */
export function safeUrl(value: unknown): string {
  const { data = '' } = webAddress.safeParse(value)
  return data
}

/** Comma-separated names, each once, as many as fit into a listing's field; '' for anything but a list of texts. */
export function safeNames(value: unknown): string {
  if (!Array.isArray(value)) return ''
  const kept = new Set<string>()
  let length = 0
  for (const one of value) {
    const name = safeText(one).replaceAll(',', ' ').trim()
    if (!name || kept.has(name)) continue
    length += name.length + 1
    if (length > MAX_LIST_LENGTH) break
    kept.add(name)
  }
  return [...kept].join(',')
}

/**
 * The first part of a text in listings' form of Unicode; longer than what is kept of it, because characters may be
 * removed.
 */
const wellFormed = (value: string, characters: number): string =>
  value
    .slice(0, 10 * characters)
    .toWellFormed()
    .normalize('NFC')

const cut = (value: string, characters: number): string =>
  value.length <= characters ? value : Array.from(value).slice(0, characters).join('').trim()
