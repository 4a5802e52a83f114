// Login through the chat platform, and attacks on it (RFC 6749 §10, RFC 7636, RFC 9700).
import { createHash } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { createBrowser } from '../../support/browser.ts'
import { startFakeChatProvider } from '../../support/fake-chat-provider.ts'
import {
  begin,
  comeBack,
  failed,
  failureOf,
  isLoggedIn,
  logIn,
  PUBLIC_BASE_URL,
  profileOf,
} from './provider-support.ts'
import { addAccount, createVisitor, mailOrders } from './support.ts'

const chat = await startFakeChatProvider()
const settings = {
  PUBLIC_BASE_URL,
  DISCORD_CLIENT_ID: chat.clientId,
  DISCORD_CLIENT_SECRET: chat.clientSecret,
  DISCORD_BASE_URL: chat.origin,
}
let now = Date.now()
const api = await startTestApi({ settings, clock: () => now })
const other = await startTestApi({ database: api.database, settings, clock: () => now })
const { pool } = api.database

let people = 0
/** Logs a new person in at the platform. */
function newPerson(email: string | null = null, verified = true): void {
  people++
  chat.user = { id: `9000000000${people}`, username: `user${people}`, global_name: `Person ${people}`, email, verified }
}

test('a newcomer gets an account with the platform’s name and verified address, and the same account later', async () => {
  newPerson('Newcomer@Example.com')
  const browser = createBrowser(api)
  await logIn(browser, chat)
  const profile = await profileOf(browser)
  expect(profile).toMatchObject({
    username: `Person ${people}`,
    email: 'newcomer@example.com',
    chatId: chat.user.id,
    gamePlatformId: '',
    isAdmin: false,
  })
  expect(await mailOrders(api, String(profile.id))).toEqual(['verify-email'])

  const elsewhere = createBrowser(other)
  await logIn(elsewhere, chat)
  expect((await profileOf(elsewhere)).id).toBe(profile.id)
})

test('the browser gets a state, a PKCE challenge and a cookie, none of which contains the verifier', async () => {
  const browser = createBrowser(api)
  const response = await browser.go('/api/auth/chat')
  const location = new URL(response.headers.get('location') ?? '')
  expect(location.origin + location.pathname).toBe(`${chat.origin}/oauth2/authorize`)
  expect(Object.fromEntries(location.searchParams)).toEqual({
    client_id: chat.clientId,
    response_type: 'code',
    redirect_uri: `${PUBLIC_BASE_URL}/api/auth/chat/callback`,
    scope: 'identify email',
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: 'S256',
  })
  const [cookie = ''] = response.headers.getSetCookie()
  expect(cookie).toMatch(/^chat_flow=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const challenge = location.searchParams.get('code_challenge')
  for (const part of [...cookie.split(/[=.;]/), location.searchParams.get('state') ?? ''])
    expect(createHash('sha256').update(part).digest('base64url')).not.toBe(challenge)
  expect((await begin(createBrowser(api), 'chat')).includes(location.searchParams.get('state') ?? '')).toBe(false)
})

test('over https the cookie is bound to this very host', async () => {
  const https = await startTestApi({
    database: api.database,
    settings: { ...settings, PUBLIC_BASE_URL: 'https://directory.test' },
  })
  const response = await createBrowser(https).go('/api/auth/chat')
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-chat_flow=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
  ])
})

test('an address that the platform has not verified, or that is invalid, is not taken', async () => {
  for (const [email, verified] of [
    ['unverified@example.com', false],
    ['not an address', true],
    [null, true],
  ] as const) {
    newPerson(email, verified)
    const browser = createBrowser(api)
    await logIn(browser, chat)
    expect(await profileOf(browser)).toMatchObject({ email: '', chatId: chat.user.id })
  }
})

test('a newcomer with an existing account’s address gets another account without an address', async () => {
  const owner = await addAccount(api, 'owner@example.com')
  newPerson('OWNER@example.com')
  const browser = createBrowser(api)
  await logIn(browser, chat)
  const profile = await profileOf(browser)
  expect(profile).toMatchObject({ email: '', chatId: chat.user.id })
  expect(profile.id).not.toBe(owner.id)
  await logIn(browser, chat)
  expect((await profileOf(browser)).id).toBe(profile.id)
})

test('a verified address of an administrator gives no administrator rights before our own mail is answered', async () => {
  const strict = await startTestApi({
    database: api.database,
    settings: { ...settings, NODE_ENV: 'production', ADMIN_EMAILS: 'boss@example.com' },
  })
  newPerson('boss@example.com')
  const browser = createBrowser(strict)
  await logIn(browser, chat)
  expect(await profileOf(browser)).toMatchObject({ email: 'boss@example.com', isAdmin: false })
})

test('an invalid name is replaced by a valid one', async () => {
  for (const [global_name, username, expected] of [
    ['  Spaced  ', 'x', 'Spaced'],
    ['bi\u202edi', 'plain', 'plain'],
    [null, 'plain', 'plain'],
    ['', '\u200b', 'Player'],
    ['a', 'b', 'Player'],
    ['x'.repeat(500), 'y', 'x'.repeat(50)],
    ['👩‍🚀', 'astronaut', 'astronaut'],
  ] as const) {
    newPerson()
    chat.user = { ...chat.user, username, global_name }
    const browser = createBrowser(api)
    await logIn(browser, chat)
    expect((await profileOf(browser)).username).toBe(expected)
  }
})

test('a newcomer who logs in ten times at once gets one account', async () => {
  newPerson('tenfold@example.com')
  const browsers = Array.from({ length: 10 }, (_, n) => createBrowser(n % 2 ? api : other))
  await Promise.all(browsers.map((browser) => logIn(browser, chat)))
  const ids = await Promise.all(browsers.map(async (browser) => (await profileOf(browser)).id))
  expect(new Set(ids).size).toBe(1)
  const [first = createBrowser(api)] = browsers
  expect((await profileOf(first)).email).toBe('tenfold@example.com')
})

test('a banned account is refused', async () => {
  newPerson()
  await logIn(createBrowser(api), chat)
  await pool.query('update users set banned_at = now() where chat_id = $1', [chat.user.id])
  const browser = createBrowser(api)
  const response = await browser.go(await comeBack(browser, chat))
  expect((await failureOf(response)).slice(0, 2)).toEqual([403, 'forbidden'])
  expect(await isLoggedIn(browser)).toBe(false)
})

test('a session of the browser ends when it logs in through the platform', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = await comeBack(browser, chat)
  await addAccount(api, 'before@example.com')
  const before = createVisitor(api)
  await before.login('before@example.com')
  for (const [name, value] of before.cookies) browser.cookies.set(name, value)
  expect((await browser.go(back)).status).toBe(302)
  expect((await profileOf(browser)).chatId).toBe(chat.user.id)
  expect((await before.get('/user/profile')).status).toBe(401)
})

test('an answer without the cookie of the requesting browser is refused', async () => {
  newPerson()
  const back = await comeBack(createBrowser(api), chat)
  const requests = chat.requests.length
  expect(await failureOf(await createBrowser(api).go(back))).toEqual(failed('no_flow'))
  expect(chat.requests.length).toBe(requests)
})

test('a login that fails is a page in a browser', async () => {
  const refused = await fetch(`${api.url}/api/auth/chat/callback?error=access_denied`, {
    headers: { accept: 'text/html' },
  })
  expect([refused.status, refused.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
  expect(await refused.text()).toContain('(no_flow)')
})

test('an attacker’s answer logs no victim in, even one who is logging in or has a session', async () => {
  newPerson()
  const attackers = await comeBack(createBrowser(api), chat)
  const victim = createBrowser(api)
  newPerson()
  await logIn(victim, chat)
  const before = await profileOf(victim)
  expect(await failureOf(await victim.go(attackers))).toEqual(failed('no_flow'))

  const own = await comeBack(victim, chat)
  expect(await failureOf(await victim.go(attackers))).toEqual(failed('bad_state'))
  expect(await profileOf(victim)).toEqual(before)
  expect((await victim.go(own)).status, 'the victim’s own login is not spoilt').toBe(302)
})

test('a missing, altered or repeated state is refused', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = new URL(await comeBack(browser, chat))
  const state = back.searchParams.get('state') ?? ''
  for (const wrong of ['', state.slice(1), `${state}x`, state.toUpperCase(), 'x'.repeat(43), 'ä'.repeat(43)]) {
    back.searchParams.set('state', wrong)
    expect(await failureOf(await browser.go(back.href)), wrong).toEqual(failed('bad_state'))
  }
  back.searchParams.delete('state')
  expect(await failureOf(await browser.go(back.href))).toEqual(failed('bad_state'))
  back.searchParams.append('state', state)
  back.searchParams.append('state', state)
  expect((await failureOf(await browser.go(back.href))).slice(0, 2)).toEqual([400, 'validation_failed'])
  expect(await isLoggedIn(browser)).toBe(false)
})

test('an altered cookie is ignored', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = await comeBack(browser, chat)
  const cookie = browser.cookies.get('chat_flow') ?? ''
  const [nonce, expiry, , mac] = cookie.split('.')
  const { id } = await addAccount(api)
  const forged = ['', 'x', '....', `${nonce}.${expiry}.${id}.${mac}`, `${nonce}.${Number(expiry) + 1}..${mac}`]
  for (const value of [...forged, cookie.slice(0, -1), `${nonce}.${expiry}..`]) {
    browser.cookies.set('chat_flow', value)
    expect(await failureOf(await browser.go(back)), value).toEqual(failed('no_flow'))
  }
  browser.cookies.set('gameplatform_flow', cookie)
  browser.cookies.delete('chat_flow')
  expect(await failureOf(await browser.go(back))).toEqual(failed('no_flow'))
})

test('a login that takes longer than ten minutes is refused', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = await comeBack(browser, chat)
  now += 10 * 60_000
  try {
    expect(await failureOf(await browser.go(back))).toEqual(failed('expired'))
  } finally {
    now -= 10 * 60_000
  }
})

test('an answer is used once, in any process, with the cookie kept or not', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = await comeBack(browser, chat)
  const cookie = browser.cookies.get('chat_flow') ?? ''
  expect((await browser.go(back)).status).toBe(302)
  expect(browser.cookies.has('chat_flow')).toBe(false)
  expect(await failureOf(await browser.go(back))).toEqual(failed('no_flow'))
  for (const to of [api, other]) {
    const keeper = createBrowser(to)
    keeper.cookies.set('chat_flow', cookie)
    expect(await failureOf(await keeper.go(back))).toEqual(failed('used'))
    expect(await isLoggedIn(keeper)).toBe(false)
  }
})

test('of ten simultaneous requests with one answer, one succeeds', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = await comeBack(browser, chat)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => {
      const twin = createBrowser(n % 2 ? api : other)
      twin.cookies.set('chat_flow', browser.cookies.get('chat_flow') ?? '')
      return twin.go(back)
    }),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([302, ...Array(9).fill(400)])
})

test('a stolen code fails in another flow: the platform checks the verifier', async () => {
  newPerson()
  const stolen = new URL(await comeBack(createBrowser(api), chat)).searchParams.get('code') ?? ''
  const thief = createBrowser(api)
  newPerson()
  const own = new URL(await comeBack(thief, chat))
  own.searchParams.set('code', stolen)
  expect(await failureOf(await thief.go(own.href))).toEqual(failed('code_refused'))
  expect(await isLoggedIn(thief)).toBe(false)

  const redeem = (fields: Record<string, string>) =>
    fetch(`${chat.origin}/api/v10/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: chat.clientId,
        client_secret: chat.clientSecret,
        redirect_uri: `${PUBLIC_BASE_URL}/api/auth/chat/callback`,
        ...fields,
      }),
    })
  for (const verifier of [{}, { code_verifier: '' }, { code_verifier: 'x'.repeat(43) }]) {
    const code = new URL(await comeBack(createBrowser(api), chat)).searchParams.get('code') ?? ''
    expect((await redeem({ code, ...verifier })).status).toBe(400)
  }
})

test('a code is redeemed once', async () => {
  newPerson()
  const first = createBrowser(api)
  const back = new URL(await comeBack(first, chat))
  expect((await first.go(back.href)).status).toBe(302)
  const again = createBrowser(api)
  const fresh = new URL(await comeBack(again, chat))
  fresh.searchParams.set('code', back.searchParams.get('code') ?? '')
  expect(await failureOf(await again.go(fresh.href))).toEqual(failed('code_refused'))
})

test('an invented, empty, missing, repeated or very long code is refused', async () => {
  newPerson()
  for (const [change, expected] of [
    [(query: URLSearchParams) => query.set('code', 'made-up'), 'code_refused'],
    [(query: URLSearchParams) => query.set('code', ''), 'bad_answer'],
    [(query: URLSearchParams) => query.delete('code'), 'bad_answer'],
    [(query: URLSearchParams) => query.append('code', 'another'), undefined],
    [(query: URLSearchParams) => query.set('code', 'x'.repeat(2001)), undefined],
    [(query: URLSearchParams) => query.set('error', 'server_error'), 'refused'],
  ] as const) {
    const browser = createBrowser(api)
    const back = new URL(await comeBack(browser, chat))
    change(back.searchParams)
    const [status, , reason] = await failureOf(await browser.go(back.href))
    expect([status, reason]).toEqual([400, expected])
    expect(await isLoggedIn(browser)).toBe(false)
  }
})

test('a user who denies the login at the platform gets an error that says so', async () => {
  chat.trouble = 'denied'
  const browser = createBrowser(api)
  const back = await comeBack(browser, chat)
  chat.trouble = 'none'
  expect(await failureOf(await browser.go(back))).toEqual(failed('cancelled'))
})

test('a failing platform is 503, not a login and not our error', async () => {
  newPerson()
  for (const trouble of ['token-500', 'token-garbage', 'wrong-client', 'user-500', 'user-garbage'] as const) {
    chat.trouble = 'none'
    const browser = createBrowser(api)
    const back = await comeBack(browser, chat)
    chat.trouble = trouble
    const response = await browser.go(back)
    expect((await failureOf(response)).slice(0, 2), trouble).toEqual([503, 'unavailable'])
    expect(await isLoggedIn(browser)).toBe(false)
  }
  chat.trouble = 'none'
})

test('no log contains a token of the platform, whatever failed', async () => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) })
  const logging = await startTestApi({ database: api.database, settings, log })
  for (const trouble of ['token-untyped', 'user-500', 'user-garbage'] as const) {
    chat.trouble = trouble
    const browser = createBrowser(logging)
    const back = await comeBack(browser, chat)
    expect((await browser.go(back)).status).toBe(503)
  }
  chat.trouble = 'none'
  const written = lines.join('')
  expect(written).toContain('request refused')
  expect(chat.tokens.length).toBeGreaterThan(2)
  for (const secret of [...chat.tokens, chat.clientSecret]) expect(written).not.toContain(secret)
})

test('an unreachable platform is 503', async () => {
  const gone = await startFakeChatProvider()
  const lonely = await startTestApi({
    database: api.database,
    settings: { ...settings, DISCORD_BASE_URL: gone.origin },
  })
  const browser = createBrowser(lonely)
  const back = await comeBack(browser, gone)
  await gone.close()
  expect((await failureOf(await browser.go(back))).slice(0, 2)).toEqual([503, 'unavailable'])
})

test('without its settings, the login answers 404 and is not in the OpenAPI document', async () => {
  const without = await startTestApi({ database: api.database })
  for (const path of ['/api/auth/chat', '/api/v1/auth/chat', '/api/auth/chat/callback'])
    expect((await failureOf(await createBrowser(without).go(path))).slice(0, 2)).toEqual([404, 'not_found'])
  const described = async ({ request }: TestApi) => {
    const { paths } = (await (await request('/api/openapi.json')).json()) as { paths: object }
    return Object.keys(paths).filter((path) => /\/auth\/(chat|gameplatform)$/.test(path))
  }
  expect(await described(without)).toEqual([expect.stringContaining('gameplatform')])
  expect(await described(api)).toHaveLength(2)
})
