// A visitor with a browser's cookies, and existing accounts.
import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { type AccountMailRequest, writeMail } from '../../../src/features/accounts/index.ts'
import { createPasswords } from '../../../src/features/accounts/login/passwords.ts'
import type { Pool } from '../../../src/platform/db/pool.ts'
import type { TestApi } from '../../support/api.ts'

export const PASSWORD = 'plough the 7 seas'
/** Hashed once for all accounts of a file. */
const passwordHash = createPasswords().hash(PASSWORD)

export interface Account {
  id: string
  email: string
}

let count = 0

/** Adds an account that registered some time ago, with PASSWORD. */
export async function addAccount(api: TestApi, email = `person${++count}@example.com`): Promise<Account> {
  const id = uuidv7()
  await api.database.pool.query('insert into users (id, email, username, password_hash) values ($1, $2, $3, $4)', [
    id,
    email,
    'Someone',
    await passwordHash,
  ])
  return { id, email }
}

export interface Visitor {
  cookies: Map<string, string>
  /** The Cookie header; undefined without cookies. */
  cookieHeader(): string | undefined
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  get(path: string): Promise<Answer>
  login(email: string, password?: string): Promise<Answer>
}

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at what it expects
  body: any
}

/** @param headers sent with each request */
export function createVisitor(api: Pick<TestApi, 'request'>, headers: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>()
  const cookieHeader = () =>
    cookies.size ? [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') : undefined
  const visitor: Visitor = {
    cookies,
    cookieHeader,
    async send(method, path, body, more = {}) {
      const cookie = cookieHeader()
      const response = await api.request(`/api${path}`, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(cookie ? { cookie } : {}),
          ...headers,
          ...more,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/Max-Age=0/.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    post: (path, body, more) => visitor.send('POST', path, body, more),
    get: (path) => visitor.send('GET', path),
    login: (email, password = PASSWORD) => visitor.post('/auth/login', { email, password }),
  }
  return visitor
}

/** The token in the mail that the worker would write. */
export async function mailedToken(api: TestApi, order: AccountMailRequest, jobId = randomUUID()): Promise<string> {
  const mail = await writeMail(api.deps, order, jobId)
  const token = /#([\w-]{43})$/m.exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`no token in ${JSON.stringify(mail)}`)
  return token
}

/** A user's waiting mail jobs, oldest first. */
export async function mailOrders(api: TestApi, userId: string): Promise<string[]> {
  const { rows } = await api.database.pool.query<{ kind: string }>(
    `select data ->> 'kind' as kind from pgboss.job where name = 'mail' and data ->> 'userId' = $1 order by created_on`,
    [userId],
  )
  return rows.map(({ kind }) => kind)
}

export const LOCK_USER = 'select from users where id = $1 for update'

/** What needs `lock` waits until `meanwhile` is over. */
export async function whileLocked<T>(pool: Pool, lock: string, id: string, meanwhile: () => Promise<T>): Promise<T> {
  const holder = await pool.connect()
  try {
    await holder.query('begin')
    await holder.query(lock, [id])
    return await meanwhile()
  } finally {
    await holder.query('commit')
    holder.release()
  }
}
