// Accounts with a second factor, as their owners set it up.
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import type { TestApi } from '../../support/api.ts'
import { type Authenticator, createAuthenticator } from '../../support/authenticator.ts'
import { type Account, addAccount, createVisitor, PASSWORD, type Visitor } from './support.ts'

/** Of `PUBLIC_BASE_URL` in these tests: a host that passkeys may be bound to. */
export const ORIGIN = 'https://directory.example'
export const SECOND_FACTOR_SETTINGS = { PUBLIC_BASE_URL: ORIGIN }

export interface Owner extends Account {
  visitor: Visitor
}

export interface WithCodes extends Owner {
  secret: string
  recoveryCodes: string[]
}

export interface WithPasskey extends Owner {
  authenticator: Authenticator
  recoveryCodes: string[]
}

const FACTOR = '/user/second-factor'

/** The code that an app shows at a time. */
export const codeAt = (secret: string, time: number) => new TOTP({ secret }).generate({ timestamp: time })

/** A logged-in account with a verified address. */
export async function addOwner(api: TestApi): Promise<Owner> {
  const account = await addAccount(api)
  await api.database.pool.query('update users set email_verified_at = now() where id = $1', [account.id])
  const visitor = createVisitor(api)
  expect((await visitor.login(account.email)).status).toBe(200)
  return { ...account, visitor }
}

/** @param setupCode of an account whose rights need a second factor */
export async function setUpCodes(owner: Owner, time: number, setupCode?: string): Promise<WithCodes> {
  const { status, body } = await owner.visitor.post(`${FACTOR}/codes`, { password: PASSWORD, setupCode })
  expect([status, body.error]).toEqual([200, undefined])
  const confirmed = await owner.visitor.post(`${FACTOR}/codes/confirm`, { code: codeAt(body.secret, time) })
  expect([confirmed.status, confirmed.body.error]).toEqual([200, undefined])
  return { ...owner, secret: body.secret, recoveryCodes: confirmed.body.recoveryCodes }
}

export async function addPasskey(owner: Owner, authenticator = createAuthenticator(ORIGIN)): Promise<WithPasskey> {
  const { status, body: options } = await owner.visitor.post(`${FACTOR}/passkeys/options`, { password: PASSWORD })
  expect([status, options.error]).toEqual([200, undefined])
  const added = await owner.visitor.post(`${FACTOR}/passkeys`, {
    name: 'Laptop',
    credential: authenticator.create(options),
  })
  expect([added.status, added.body.error]).toEqual([201, undefined])
  return { ...owner, authenticator, recoveryCodes: added.body.recoveryCodes }
}

/** A browser that has entered the password, and waits for the second step. */
export async function enterPassword(api: TestApi, { email }: Account): Promise<Visitor> {
  const visitor = createVisitor(api)
  const { status, body } = await visitor.login(email)
  expect([status, body.error]).toEqual([401, 'second_factor_needed'])
  return visitor
}

export const secondStep = (visitor: Visitor, answer: object) => visitor.post('/auth/second-step', answer)

export async function passkeyOptions(visitor: Visitor, path = '/auth/second-step/passkey') {
  const { status, body } = await visitor.post(path)
  expect(status).toBe(200)
  return body
}

/** The user's mails about the second factor that wait for a worker, oldest first. */
export async function eventsMailed(api: TestApi, { id }: Account): Promise<string[]> {
  const { rows } = await api.database.pool.query<{ event: string }>(
    `select data ->> 'event' as event from pgboss.job
     where name = 'mail' and data ->> 'kind' = 'second-factor' and data ->> 'userId' = $1 order by created_on`,
    [id],
  )
  return rows.map(({ event }) => event)
}

export async function actionsAudited(api: TestApi, { id }: Account): Promise<string[]> {
  const { rows } = await api.database.pool.query<{ action: string }>(
    'select action from audit_log where target_id = $1 order by id',
    [id],
  )
  return rows.map(({ action }) => action)
}
