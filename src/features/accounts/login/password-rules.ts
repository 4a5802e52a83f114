// Rejects passwords that are guessed first: common words with usual affixes, runs, and the user's own name.
import { validationFailed } from '../../../platform/http/errors.ts'
import { COMMON_WORDS } from './common-words.ts'

/** Affixes (`password123!`) up to this length do not make a common word a good password. */
const MAX_ORNAMENT = 6
/** Minimum length of a password without the account's own name. */
const MIN_BESIDES_NAME = 4
/** Shorter digit-only passwords are rejected: dates and telephone numbers. */
const MIN_DIGITS = 14
const MIN_DISTINCT = 4
/** A password that repeats a shorter unit is rejected. */
const MIN_REPEATED_UNIT = 6

const ROWS = ['01234567890', 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiop', 'azertyuiop']
/** Keyboard columns and diagonals, as in 1qaz2wsx and q1w2e3r4. */
const WALKS = ['1qaz2wsx3edc4rfv5tgb6yhn', '1q2w3e4r5t6y7u8i9o0p', 'zaq12wsxcde34rfv', '!@#$%^&*()']
const RUNS = [...ROWS, ...WALKS].flatMap((run) => [run, [...run].reverse().join('')])

/** Look-alike characters and the letters they replace. */
const LOOK_ALIKES: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/**
 * @param owner what other people know of the account
 * @param path the password's place in the body: `body.password`
 * @throws ApiError 400 validation_failed
 */
export function refuseGuessablePassword(
  password: string,
  owner: { email: string | null; username: string },
  path: 'body.password' | 'body.newPassword',
): void {
  if (isCommonPassword(password)) throw validationFailed([{ path, message: 'is too common: attackers try it first' }])
  if (isOwnName(password, owner))
    throw validationFailed([{ path, message: 'must not consist of your name or e-mail address' }])
}

export function isCommonPassword(password: string): boolean {
  const plain = unrepeated(password.toLowerCase())
  if (new Set(plain).size < MIN_DISTINCT || plain.length < MIN_REPEATED_UNIT) return true
  if (/^[\d .\-/+]+$/.test(plain) && plain.length < MIN_DIGITS) return true
  if (isRun(plain)) return true
  return [plain, withoutLookAlikes(plain)].some(isOrnamentedWord)
}

const withoutLookAlikes = (text: string) => text.replace(/[013457@$!]/g, (char) => LOOK_ALIKES[char] ?? char)

/** A common word, or two in a row, with a few non-letters before and after. */
function isOrnamentedWord(text: string): boolean {
  if (COMMON_WORDS.has(text)) return true
  const [, before = '', core = '', after = ''] = /^(\P{L}*)(.*?)(\P{L}*)$/su.exec(text) ?? []
  if (before.length + after.length > MAX_ORNAMENT) return false
  return [core, withoutLookAlikes(core)].some((word) => isWordOrTwo(word.replace(/[\s._-]/g, '')))
}

function isWordOrTwo(letters: string): boolean {
  if (COMMON_WORDS.has(letters) || isRun(letters)) return true
  for (let cut = 3; cut <= letters.length - 3; cut++)
    if (COMMON_WORDS.has(letters.slice(0, cut)) && COMMON_WORDS.has(letters.slice(cut))) return true
  return false
}

/** One or two runs of at least three characters along the keyboard, the alphabet or the digits: `qwerty123`. */
function isRun(text: string): boolean {
  const isPiece = (piece: string) => piece.length >= 3 && RUNS.some((run) => run.includes(piece))
  if (isPiece(text)) return true
  for (let cut = 3; cut <= text.length - 3; cut++)
    if (isPiece(text.slice(0, cut)) && isPiece(text.slice(cut))) return true
  return false
}

/** Reduces `abcabcabc` to `abc`. */
const unrepeated = (text: string) => /^(.{3,}?)\1+$/s.exec(text)?.[1] ?? text

function isOwnName(password: string, owner: { email: string | null; username: string }): boolean {
  const plain = password.toLowerCase()
  const [local = '', domain = ''] = owner.email?.split('@') ?? []
  return [owner.email ?? '', local, domain, owner.username.toLowerCase()]
    .filter((name) => name.length >= 3)
    .some((name) => plain.includes(name) && plain.replaceAll(name, '').length < MIN_BESIDES_NAME)
}
