// Connections that are lost while nothing listens to them, and those whose statement does not end in time.
import { expect, it, onTestFinished } from 'vitest'
import { createPool, inTransaction } from '../../../src/platform/db/pool.ts'
import { createTestDatabase, testLog } from '../../support/database.ts'

const { pool, url } = await createTestDatabase()

it('a connection that is lost right after the pool handed it over does not end the process', async () => {
  const client = await pool.connect()
  // As pg does when PostgreSQL's last message arrives together with the one before it.
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  client.release(true)
})

it('sessions are UTC also if the address has session options, which they keep', async () => {
  await pool.query(
    `do $$ begin execute format('alter database %I set timezone to %L', current_database(), 'Asia/Kolkata'); end $$`,
  )
  const address = `${url}?options=${encodeURIComponent('-c search_path=public,pg_temp -c work_mem=5MB')}`
  const withOptions = createPool({ url: address, max: 1, applicationName: 'test', log: testLog })
  onTestFinished(() => withOptions.end())
  const { rows } = await withOptions.query(
    `select current_setting('timezone') as zone, current_setting('search_path') as path, current_setting('work_mem') as memory`,
  )
  expect(rows).toEqual([{ zone: 'UTC', path: 'public,pg_temp', memory: '5MB' }])
})

it('a transaction whose statement takes too long ends at once, and frees its place in the pool', async () => {
  const answerMs = 5_000
  const impatient = createPool({ url, max: 1, applicationName: 'test', log: testLog, answerMs })
  onTestFinished(() => impatient.end())
  await inTransaction(impatient, (tx) => tx.query('select 1')) // connects
  const startedAt = performance.now()
  await expect(inTransaction(impatient, (tx) => tx.query('select pg_sleep(20)'))).rejects.toThrow('Query read timeout')
  expect(performance.now() - startedAt).toBeLessThan(1.9 * answerMs) // a rollback would wait as long again
  await impatient.query('select 1')
})
