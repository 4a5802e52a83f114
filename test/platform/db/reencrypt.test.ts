// After APP_SECRET was changed: what the previous secret encrypted is encrypted again, and the log says what was
// done and what can't be.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { reencrypt } from '../../../src/platform/db/reencrypt.ts'
import { createTestDatabase } from '../../support/database.ts'

const { pool } = await createTestDatabase()
const [lost, previous, current] = ['lost', 'previous', 'current'].map((name) => name.padEnd(32, '.'))

const settings = (secret = '', before?: string) => ({ APP_SECRET: secret, APP_SECRET_PREVIOUS: before })

it('encrypts rows again, leaves what neither secret decrypts, and logs both numbers once', async () => {
  await pool.query('create table hidden_words (id uuid primary key, first text, second text)')
  const insert = (secret: string | undefined, first: string, second?: string) => {
    const encrypt = (word?: string) => (word ? createSecretCipher(settings(secret)).encrypt('chat', word) : null)
    return pool.query('insert into hidden_words values ($1, $2, $3)', [randomUUID(), encrypt(first), encrypt(second)])
  }
  for (const word of ['a', 'b']) await insert(previous, word, `${word}${word}`)
  await insert(current, 'c')
  await insert(lost, 'd')

  const lines: { table: string; msg: string }[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => lines.push(JSON.parse(line)) })
  const run = () =>
    reencrypt({ pool, log, settings: settings(current, previous) }, 'chat', {
      table: 'hidden_words',
      key: 'id',
      columns: ['first', 'second'],
    })
  expect(await run()).toBe(2)
  expect(await run()).toBe(0)
  const unreadable = expect.objectContaining({ level: 40, table: 'hidden_words', unreadable: 1 })
  expect(lines).toEqual([
    expect.objectContaining({ level: 30, table: 'hidden_words', reencrypted: 2 }),
    unreadable,
    unreadable,
  ])

  const { rows } = await pool.query<{ first: string; second: string | null }>('select first, second from hidden_words')
  const cipher = createSecretCipher(settings(current))
  const read = (word: string | null) => word && (cipher.decryptIfPossible('chat', word) ?? 'unreadable')
  expect(rows.map(({ first, second }) => [read(first), read(second)]).sort()).toEqual([
    ['a', 'aa'],
    ['b', 'bb'],
    ['c', null],
    ['unreadable', null],
  ])
})
