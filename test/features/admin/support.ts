// An API with an administrator, and the entries of the audit log.
import { createHash, randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { type Call, callerOf, serverFields } from '../servers/support.ts'

export interface AdminBench {
  api: TestApi
  pool: TestApi['deps']['pool']
  call: Call
  admin: Person
  /** Lists a server of this person. @returns its id */
  list(owner: Person, fields?: Record<string, unknown>): Promise<string>
  /** An API key of this person. @returns the Authorization header */
  addKey(person: Person): Promise<{ authorization: string }>
  /** Entries about a target, oldest first. */
  entries(targetId: string): Promise<{ actorId: string; action: string; details: unknown }[]>
}

export async function openAdminBench(settings: Record<string, string> = {}): Promise<AdminBench> {
  const api = await startTestApi({ settings })
  const { pool } = api.deps
  const call = callerOf(api)
  const admin = await addPerson(pool, { isAdmin: true })
  return {
    api,
    pool,
    call,
    admin,
    async list(owner, fields) {
      const { status, body } = await call(owner, 'POST', '/servers', serverFields(fields))
      if (status !== 201) throw new Error(`listing answered ${status}`)
      return (body as { server: { id: string } }).server.id
    },
    async addKey(person) {
      const key = `sd_${randomBytes(12).toString('hex')}`
      const secret = randomBytes(32).toString('base64url')
      await pool.query(`insert into api_keys (id, user_id, name, key, secret_hash) values ($1, $2, 'A key', $3, $4)`, [
        uuidv7(),
        person.id,
        key,
        createHash('sha256').update(secret).digest(),
      ])
      return { authorization: `Bearer ${key}.${secret}` }
    },
    async entries(targetId) {
      const { rows } = await pool.query<{ actorId: string; action: string; details: unknown }>(
        `select actor_id as "actorId", action, details from audit_log where target_id = $1 order by id`,
        [targetId],
      )
      return rows
    },
  }
}
