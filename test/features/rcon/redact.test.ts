// Secrets in commands are hidden before the audit log stores them.
import { expect, it } from 'vitest'
import { redact } from '../../../src/features/rcon/redact.ts'

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

it('is fast for a hostile command', () => {
  const begun = performance.now()
  redact(`${'pass word '.repeat(100)}`, undefined)
  redact(`${'password'.repeat(120)}`, undefined)
  redact('secret'.repeat(166), undefined)
  redact('api_key'.repeat(142), undefined)
  redact(' '.repeat(1_000), undefined)
  expect(performance.now() - begun).toBeLessThan(500)
})
