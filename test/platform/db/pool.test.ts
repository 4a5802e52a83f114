// Connections that are lost while nothing listens to them.
import { expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'

const { pool } = await createTestDatabase()

it('a connection that is lost right after the pool handed it over does not end the process', async () => {
  const client = await pool.connect()
  // As pg does when PostgreSQL's last message arrives together with the one before it.
  expect(() => client.emit('error', new Error('terminating connection'))).not.toThrow()
  client.release(true)
})
