// Inserts users and sessions into the database, for tests that do not cover registration and login.
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Pool } from '../../src/platform/db/pool.ts'

export interface Person {
  id: string
  /** The header that a logged-in browser sends. */
  cookie: string
}

/** Adds a user with a session, as a registration over plain HTTP does. */
export async function addPerson(
  pool: Pool,
  {
    tier = 'free',
    isAdmin = false,
    isModerator = false,
  }: { tier?: string; isAdmin?: boolean; isModerator?: boolean } = {},
): Promise<Person> {
  const id = uuidv7()
  const token = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into users (id, email, email_verified_at, username, tier, is_admin, is_moderator)
     values ($1, $2, now(), 'Someone', $3, $4, $5)`,
    [id, `${id}@example.com`, tier, isAdmin, isModerator],
  )
  await pool.query(`insert into sessions (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')`, [
    createHash('sha256').update(token).digest(),
    id,
  ])
  return { id, cookie: `session=${token}` }
}

/** The JSON object in a response's body. */
export const fieldsOf = async (response: Response) => (await response.json()) as Record<string, unknown>
