// Where a user is logged in: what is said of each session, how often its use is written, and that one
// ends at once everywhere.
import { describe, expect, test } from 'vitest'
import { readUserAgent } from '../../../src/features/accounts/login/user-agent.ts'
import { startTestApi } from '../../support/api.ts'
import { countLockWaits } from '../../support/database.ts'
import { addAccount, createVisitor, LOCK_USER, type Visitor, whileLocked } from './support.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1' } })
const another = await startTestApi({ database: api.database })
const { pool } = api.database

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:141.0) Gecko/20100101 Firefox/141.0'
const ADDRESS = '88.198.1.1' // in Germany

interface Listed {
  id: string
  isCurrent: boolean
  lastUsedAt: string | null
}

async function loggedIn(email?: string, headers: Record<string, string> = {}, at = api) {
  const account = email === undefined ? await addAccount(api) : { email }
  const visitor = createVisitor(at, headers)
  expect((await visitor.login(account.email)).status).toBe(200)
  return { email: account.email, visitor }
}

const sessionsOf = async (visitor: Visitor): Promise<Listed[]> => (await visitor.get('/user/sessions')).body.sessions
const isLoggedIn = async (visitor: Visitor) => (await visitor.get('/auth/session')).status === 200
const idOf = async (visitor: Visitor) => (await sessionsOf(visitor)).find(({ isCurrent }) => isCurrent)?.id ?? ''

describe('the list', () => {
  test('says browser, system, country and how the user logged in, of this session first', async () => {
    const { email, visitor } = await loggedIn(undefined, { 'user-agent': FIREFOX, 'x-forwarded-for': ADDRESS })
    const { visitor: program } = await loggedIn(email, { 'user-agent': 'curl/8.5.0', 'x-forwarded-for': '10.0.0.1' })
    const { status, body } = await visitor.get('/user/sessions')
    expect(status).toBe(200)
    const times = { createdAt: expect.any(String), expiresAt: expect.any(String), id: expect.any(String) }
    const known = { browser: 'Firefox', system: 'Windows', country: 'DE', openedBy: 'password', isCurrent: true }
    const unknown = { browser: '', system: '', country: '', openedBy: 'password', isCurrent: false }
    expect(body).toEqual({
      sessions: [
        { ...times, ...known, lastUsedAt: expect.any(String) },
        { ...times, ...unknown, lastUsedAt: null },
      ],
      pagination: { page: 1, limit: 20, total: 2, totalPages: 1 },
    })
    expect((await sessionsOf(program))[0]).toMatchObject({
      ...unknown,
      isCurrent: true,
      lastUsedAt: expect.any(String),
    })
  })

  test('neither the address nor the header is stored', async () => {
    const { email } = await loggedIn(undefined, { 'user-agent': FIREFOX, 'x-forwarded-for': ADDRESS })
    const { rows } = await pool.query<{ text: string }>(
      'select sessions::text as text from sessions join users on users.id = user_id where email = $1',
      [email],
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toMatch(/88\.198|Mozilla|rv:141/)
  })

  test('says nothing of the sessions of others, and of those that have expired', async () => {
    const { email, visitor } = await loggedIn()
    await loggedIn(email)
    await loggedIn()
    const own = await sessionsOf(visitor)
    expect(own).toHaveLength(2)
    const expired = own.find(({ isCurrent }) => !isCurrent)?.id
    await pool.query('update sessions set expires_at = now() where public_id = $1', [expired])
    expect(await sessionsOf(visitor)).toHaveLength(1)
  })

  test('a session of the previous release is described by its next use', async () => {
    const { visitor, email } = await loggedIn(undefined, { 'user-agent': FIREFOX })
    await pool.query(
      `update sessions set last_used_at = null, browser = '' from users where users.id = user_id and email = $1`,
      [email],
    )
    expect((await sessionsOf(visitor))[0]).toMatchObject({ browser: 'Firefox', lastUsedAt: expect.any(String) })
  })
})

test('a use is written at most once in ten minutes, also by many requests at once', async () => {
  const { visitor } = await loggedIn()
  const id = await idOf(visitor)
  const version = async () => {
    const { rows } = await pool.query('select xmin, last_used_at from sessions where public_id = $1', [id])
    return rows[0]
  }
  const first = await version()
  for (let round = 0; round < 3; round++) await isLoggedIn(visitor)
  expect(await version()).toEqual(first)
  await pool.query(`update sessions set last_used_at = now() - interval '11 minutes' where public_id = $1`, [id])
  await Promise.all(Array.from({ length: 8 }, () => isLoggedIn(visitor)))
  const second = await version()
  expect(second).not.toEqual(first)
  await isLoggedIn(visitor)
  expect(await version()).toEqual(second)
})

describe('one session', () => {
  test('ends at once in every process; the others and this one continue', async () => {
    const { email, visitor } = await loggedIn()
    const { visitor: phone } = await loggedIn(email, {}, another)
    const { visitor: desk } = await loggedIn(email, {}, another)
    const { status, body, headers } = await visitor.send('DELETE', `/user/sessions/${await idOf(phone)}`)
    expect([status, body, headers.getSetCookie()]).toEqual([200, { success: true }, []])
    expect(await Promise.all([phone, desk, visitor].map(isLoggedIn))).toEqual([false, true, true])
  })

  test('that is the caller’s clears the cookie', async () => {
    const { visitor } = await loggedIn()
    const { headers } = await visitor.send('DELETE', `/user/sessions/${await idOf(visitor)}`)
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^session=; Max-Age=0/)])
    expect(await isLoggedIn(visitor)).toBe(false)
  })

  test('of another account, one that has ended and no id are unknown', async () => {
    const [{ visitor }, { visitor: stranger }] = [await loggedIn(), await loggedIn()]
    const foreign = await idOf(stranger)
    for (const id of [foreign, crypto.randomUUID(), 'x'])
      expect((await visitor.send('DELETE', `/user/sessions/${id}`)).status).toBe(404)
    expect(await isLoggedIn(stranger)).toBe(true)
  })

  test('of two that end each other at once, one stays', async () => {
    const { email, visitor } = await loggedIn()
    const { visitor: other } = await loggedIn(email, {}, another)
    const [mine, theirs] = [await idOf(visitor), await idOf(other)]
    const account = (await visitor.get('/user/profile')).body.id
    const { sent } = await whileLocked(pool, LOCK_USER, account, async () => {
      const sent = [visitor.send('DELETE', `/user/sessions/${theirs}`), other.send('DELETE', `/user/sessions/${mine}`)]
      await expect.poll(() => countLockWaits(pool)).toBe(2)
      return { sent }
    })
    expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([200, 401])
    expect((await Promise.all([visitor, other].map(isLoggedIn))).sort()).toEqual([false, true])
  })
})

test.each([
  [FIREFOX, 'Firefox', 'Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    'Safari',
    'macOS',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0 Mobile/15E148 Safari/604.1',
    'Chrome',
    'iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36',
    'Samsung Internet',
    'Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0',
    'Edge',
    'Windows',
  ],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/138.0.0.0 Safari/537.36', 'Chrome', 'ChromeOS'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0', 'Firefox', 'Linux'],
  ['curl/8.5.0', '', ''],
  ['Version/'.repeat(2_000), '', ''],
  ['', '', ''],
])('the browser and system of %j', (header, browser, system) => {
  expect(readUserAgent(header)).toEqual({ browser, system })
})
