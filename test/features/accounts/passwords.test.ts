// Which passwords are refused, and how passwords are hashed.
import { parseOptions } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import { isCommonPassword, refuseGuessablePassword } from '../../../src/features/accounts/login/password-rules.ts'
import { createPasswords } from '../../../src/features/accounts/login/passwords.ts'

describe('a password is refused', () => {
  test.each([
    ...['password', 'Password1', 'p4ssw0rd', 'P@$$w0rd!', 'passw0rd2024!', 'welcome123', 'letmein!!', 'iloveyou2'],
    ...[
      '12345678',
      '123456789',
      '1234567890',
      '87654321',
      '11111111',
      '00000000',
      '12121212',
      '19841984',
      '01.01.1990',
    ],
    ...['qwertyuiop', 'qwerty123', 'asdfghjkl', '1qaz2wsx', '1q2w3e4r', 'zaq12wsx', 'abcdefgh', 'abc12345', 'abcd1234'],
    ...[
      'monkeymonkey',
      'kX9!kX9!kX9!',
      'dragon99',
      'sunshine!',
      'football1',
      'superman',
      'trustno1',
      'starwars',
      'princess12',
    ],
    ...[
      'admin123',
      'administrator',
      'changeme',
      'minecraft',
      'minecraft1',
      'gameserver1',
      'пароль123',
      'motdepasse',
      'i love you',
    ],
  ])('that is common, as %s', (password) => expect(isCommonPassword(password)).toBe(true))

  test.each([
    ['alice.smith', { email: 'alice.smith@example.com', username: 'Al' }],
    ['Alice.Smith1', { email: 'alice.smith@example.com', username: 'Al' }],
    ['alice.smith@example.com', { email: 'alice.smith@example.com', username: 'Al' }],
    ['123Rosalinde', { email: null, username: 'Rosalinde' }],
    ['rosalinderosalinde', { email: null, username: 'Rosalinde' }],
  ])('that is the own name, as %s', (password, owner) =>
    expect(() => refuseGuessablePassword(password, owner, 'body.password')).toThrow('must not consist of your name'),
  )
})

test.each([
  ...[
    'plough the 7 seas',
    'correct horse battery staple',
    'Tr0ub4dor&3',
    'kX9#mPq2',
    '48 brown kettles',
    'xkcd-936-fan',
  ],
  ...['日本語のパスワード', 'rosalinde likes tea', '83920175638201', 'wnxhtpzk'],
])('%s is accepted', (password) => {
  expect(isCommonPassword(password)).toBe(false)
  expect(() =>
    refuseGuessablePassword(password, { email: 'x@example.com', username: 'Rosalinde' }, 'body.password'),
  ).not.toThrow()
})

test('hashes are argon2id with at least OWASP’s parameters, each with its own salt', async () => {
  const passwords = createPasswords()
  const [one, two] = await Promise.all([passwords.hash('the same one'), passwords.hash('the same one')])
  expect(one).not.toBe(two)
  expect(one).toMatch(/^\$argon2id\$/)
  const { memoryCost, timeCost, parallelism, saltLen, outputLen } = parseOptions(one)
  expect(memoryCost).toBeGreaterThanOrEqual(19_456)
  expect(timeCost).toBeGreaterThanOrEqual(2)
  expect([parallelism, saltLen, outputLen]).toEqual([1, 16, 32])
  expect(await passwords.verify(one, 'the same one')).toBe(true)
  expect(await passwords.verify(one, 'the same One')).toBe(false)
  expect(await passwords.verify(undefined, 'the same one')).toBe(false)
  expect(passwords.isOutdated(one)).toBe(false)
})

test('hashing does not block the event loop, and too many requests are refused at once', async () => {
  const passwords = createPasswords({ memoryCost: 8192, timeCost: 1, parallelism: 1 })
  const started = performance.now()
  const all = Promise.allSettled(Array.from({ length: 150 }, (_, n) => passwords.hash(`password ${n}`)))
  await new Promise((resolve) => setImmediate(resolve))
  const loopBlockedMs = performance.now() - started
  const results = await all
  const wholeMs = performance.now() - started
  expect(loopBlockedMs).toBeLessThan(wholeMs / 2)
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(102) // two in progress, a hundred waiting
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(48)
  expect((results.at(-1) as PromiseRejectedResult).reason).toMatchObject({ status: 503, code: 'unavailable' })
  expect(await passwords.hash('afterwards')).toMatch(/^\$argon2id\$/)
})
