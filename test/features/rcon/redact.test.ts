// Secrets in commands are hidden before the audit log stores them.
import { expect, it } from 'vitest'
import { redact } from '../../../src/features/rcon/redact.ts'
import { growthOf } from '../../support/cpu-time.ts'

it.each([
  ['rcon_password tops3cret', 'rcon_password •••'],
  ['ServerSettings ServerPassword=abc def', 'ServerSettings ServerPassword=•••'],
  ['set "sv_password" "abc"', 'set "sv_password" "•••'],
  ['api_key: abc', 'api_key: •••'],
  ['setsecret abc', 'setsecret •••'],
  ['PASS abc', 'PASS •••'],
  ['kick passenger 1', 'kick passenger 1'],
  ['password', 'password'],
  ['bypass all', 'bypass all'],
  ['say hello', 'say hello'],
  ['say sesame', 'say •••'],
])('%s → %s', (command, kept) => {
  expect(redact(command, 'sesame')).toBe(kept)
})

it.each(['pass word ', 'password', 'secret', 'api_key', 'token=', 'pass"', ' ', '='])(
  'the time for a command that repeats %j grows with its length only',
  (part) => {
    const commandOf = (length: number) => `secret${part.repeat(length).slice(0, length)} `
    expect(growthOf((length) => redact(commandOf(length)), 20_000)).toBeLessThan(9)
  },
)
