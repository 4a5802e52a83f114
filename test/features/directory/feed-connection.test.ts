// The session of the feed's own connection.
import { expect, it, onTestFinished } from 'vitest'
import { connectFeed } from '../../../src/features/directory/feed/feed-connection.ts'
import { createTestDatabase } from '../../support/database.ts'

const { url } = await createTestDatabase()

it.each([
  ['an address', ''],
  ['an address with session options', `?options=${encodeURIComponent('-c work_mem=5MB')}`],
])('ends a transaction that is left idle, and is UTC, by %s', async (_, query) => {
  const { db, discard } = await connectFeed(`${url}${query}`, 10_000, () => undefined)
  onTestFinished(discard)
  const { rows } = await db.query(
    `select current_setting('idle_in_transaction_session_timeout') as timeout, current_setting('timezone') as zone`,
  )
  expect(rows).toEqual([{ timeout: '1min', zone: 'UTC' }])
})
