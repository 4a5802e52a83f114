// Bounds a message of the day: honest ones have two lines of about fifty characters.
import { formatMotd, type MotdRun, parseMotd, plainMotd } from '../../src/features/servers/index.ts'
import { replaceInvisibleChars } from '../../src/platform/text.ts'

const MAX_CHARACTERS = 500
const MAX_LINES = 4
const MAX_CODES = 100
/** Maximum length that is read of the message as it was sent, with codes. */
const MAX_SENT = 10_000
/** Of accents on one letter, also of several runs: higher stacks cover the lines above and below. */
const MAX_STACKED_MARKS = 3
const MARK = /\p{M}/u

/** @returns the form of `formatMotd`; '' for anything but text, or without a visible character */
export const motdOf = (sent: unknown): string =>
  typeof sent === 'string' ? boundedMotd(parseMotd(sent.slice(0, MAX_SENT))) : ''

export function boundedMotd(runs: Iterable<MotdRun>): string {
  const motd = formatMotd(boundedRuns(runs), MAX_CODES)
  return plainMotd(motd) ? motd : ''
}

function* boundedRuns(runs: Iterable<MotdRun>): Generator<MotdRun> {
  let characters = 0
  let lines = 1
  let marks = 0
  for (const run of runs) {
    let text = ''
    for (const character of visible(run.text)) {
      marks = MARK.test(character) ? marks + 1 : 0
      if (marks > MAX_STACKED_MARKS) continue
      if (character === '\n') lines++
      characters++
      if (characters > MAX_CHARACTERS || lines > MAX_LINES) {
        yield { ...run, text }
        return
      }
      text += character
    }
    yield { ...run, text }
  }
}

const visible = (text: string): string =>
  text
    .slice(0, MAX_SENT)
    .split(/\r\n?|\n/)
    .map((line) => replaceInvisibleChars(line.replace(/\t/g, ' '), ''))
    .join('\n')
