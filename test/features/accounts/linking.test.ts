// Linking platform identities to an existing account, and unlinking all but the last login method.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { writeMail } from '../../../src/features/accounts/index.ts'
import { startTestApi } from '../../support/api.ts'
import { type Browser, createBrowser } from '../../support/browser.ts'
import { startFakeChatProvider } from '../../support/fake-chat-provider.ts'
import { startFakeGamePlatform } from '../../support/fake-game-platform.ts'
import { comeBack, failed, failureOf, isLoggedIn, logIn, PUBLIC_BASE_URL, profileOf } from './provider-support.ts'
import { addAccount, createVisitor } from './support.ts'

const [chat, platform] = [await startFakeChatProvider(), await startFakeGamePlatform()]
const settings = {
  PUBLIC_BASE_URL,
  DISCORD_CLIENT_ID: chat.clientId,
  DISCORD_CLIENT_SECRET: chat.clientSecret,
  DISCORD_BASE_URL: chat.origin,
  STEAM_OPENID_BASE_URL: platform.baseUrl,
}
const api = await startTestApi({ settings })
const { pool } = api.database

let people = 0
/** Logs a new person in at both platforms. */
function newPerson(): void {
  people++
  chat.user = { id: `7000000000${people}`, username: `user${people}`, email: null }
  platform.steamId = `765611970000${String(people).padStart(5, '0')}`
}

/** A browser with the session of an account that has a password. */
async function accountBrowser(): Promise<Browser> {
  const { email } = await addAccount(api)
  const visitor = createVisitor(api)
  expect((await visitor.login(email)).status).toBe(200)
  const browser = createBrowser(api)
  for (const [name, value] of visitor.cookies) browser.cookies.set(name, value)
  return browser
}

const unlink = (browser: Browser, provider: 'chat' | 'gameplatform') =>
  browser.go(`/api/user/unlink/${provider}`, { method: 'POST' })

test('with a session, both identities are linked to its account, which they then log in to', async () => {
  newPerson()
  const browser = await accountBrowser()
  const { id } = await profileOf(browser)
  await logIn(browser, chat)
  await logIn(browser, platform)
  expect(await profileOf(browser)).toMatchObject({ id, chatId: chat.user.id, gamePlatformId: platform.steamId })
  for (const from of [chat, platform]) {
    const elsewhere = createBrowser(api)
    await logIn(elsewhere, from)
    expect((await profileOf(elsewhere)).id).toBe(id)
  }
})

test('linking a linked identity changes nothing; another identity replaces it', async () => {
  newPerson()
  const browser = await accountBrowser()
  await logIn(browser, chat)
  const linked = await profileOf(browser)
  await logIn(browser, chat)
  expect(await profileOf(browser)).toEqual(linked)
  newPerson()
  await logIn(browser, chat)
  expect(await profileOf(browser)).toEqual({ ...linked, chatId: chat.user.id })
})

describe('a session that was left open', () => {
  /** The account's last login and confirmation were so long ago. */
  const age = (userId: unknown, minutes: number) =>
    pool.query(
      `update sessions set created_at = now() - interval '1 minute' * $2, second_factor_at = now() - interval '1 minute' * $2
       where user_id = $1`,
      [userId, minutes],
    )

  /** Links, replaces and unlinks nothing. The platforms have approved while the login was recent. */
  async function expectNoChange(browser: Browser): Promise<void> {
    const before = await profileOf(browser)
    await age(before.id, 9)
    newPerson()
    for (const from of [chat, platform]) {
      const back = await comeBack(browser, from)
      await age(before.id, 11)
      expect((await failureOf(await browser.go(back))).slice(0, 2)).toEqual([403, 'confirmation_needed'])
      const begun = await browser.go(`/api/auth/${from === chat ? 'chat' : 'gameplatform'}?next=/my/servers`)
      expect(begun.headers.get('location')).toBe(`${PUBLIC_BASE_URL}/account/confirm?next=%2Fmy%2Fservers`)
      await age(before.id, 9)
    }
    await age(before.id, 11)
    for (const provider of ['chat', 'gameplatform'] as const)
      expect((await failureOf(await unlink(browser, provider))).slice(0, 2)).toEqual([403, 'confirmation_needed'])
    expect(await profileOf(browser)).toEqual(before)
  }

  test('changes no identity of an account without a password', async () => {
    newPerson()
    const browser = createBrowser(api)
    await logIn(browser, chat)
    await logIn(browser, platform)
    await expectNoChange(browser)
    await age((await profileOf(browser)).id, 9)
    await logIn(browser, platform)
    expect((await unlink(browser, 'chat')).status).toBe(200)
  })

  test('links no further identity to it, which could log in and unlink the first', async () => {
    newPerson()
    const browser = createBrowser(api)
    await logIn(browser, chat)
    const back = await comeBack(browser, platform)
    await age((await profileOf(browser)).id, 11)
    expect((await failureOf(await browser.go(back))).slice(0, 2)).toEqual([403, 'confirmation_needed'])
  })

  test('is refused where there is no site, whose page would say what to do', async () => {
    newPerson()
    const browser = createBrowser(api)
    await logIn(browser, chat)
    await age((await profileOf(browser)).id, 11)
    const withoutSite = createBrowser(
      await startTestApi({ database: api.database, settings: { ...settings, SITE: 'off' } }),
    )
    for (const [name, value] of browser.cookies) withoutSite.cookies.set(name, value)
    const refused = await withoutSite.go('/api/auth/gameplatform')
    expect((await failureOf(refused)).slice(0, 2)).toEqual([403, 'confirmation_needed'])
  })

  test('changes no identity of an account with a second factor until it is confirmed', async () => {
    newPerson()
    const browser = await accountBrowser()
    await logIn(browser, chat)
    await logIn(browser, platform)
    const { id } = await profileOf(browser)
    await pool.query(`insert into one_time_code_secrets (user_id, secret, confirmed_at) values ($1, 'x', now())`, [id])
    await age(id, 9)
    await expectNoChange(browser)
    await age(id, 9)
    await logIn(browser, chat)
    expect((await unlink(browser, 'chat')).status).toBe(200)
  })
})

test('each change of an identity is audited, and mailed to a verified address', async () => {
  newPerson()
  const browser = await accountBrowser()
  const { id: userId } = await profileOf(browser)
  const former = chat.user.id
  await logIn(browser, chat)
  await logIn(browser, chat)
  newPerson()
  await logIn(browser, chat)
  for (let time = 0; time < 2; time++) await unlink(browser, 'chat')
  const { rows: mails } = await pool.query<{ data: { event: 'chat-linked' | 'chat-unlinked' } }>(
    `select data from pgboss.job where name = 'mail' and data ->> 'userId' = $1 order by created_on`,
    [userId],
  )
  expect(mails.map(({ data }) => data.event)).toEqual(['chat-linked', 'chat-linked', 'chat-unlinked'])
  const { rows: entries } = await pool.query('select action, details from audit_log where target_id = $1 order by id', [
    userId,
  ])
  expect(entries).toEqual([
    { action: 'user.identity.link', details: { provider: 'chat', identity: former, formerIdentity: null } },
    { action: 'user.identity.link', details: { provider: 'chat', identity: chat.user.id, formerIdentity: former } },
    { action: 'user.identity.unlink', details: { provider: 'chat', identity: null, formerIdentity: chat.user.id } },
  ])
  const mail = { kind: 'account-access', userId: String(userId), event: 'chat-linked' } as const
  expect(await writeMail(api.deps, mail, randomUUID())).toBeUndefined()
  await pool.query('update users set email_verified_at = now() where id = $1', [userId])
  expect(await writeMail(api.deps, mail, randomUUID())).toMatchObject({
    subject: 'An account of the chat platform was linked to your account',
    text: expect.stringContaining(`${PUBLIC_BASE_URL}/password`),
  })
})

test('an identity that belongs to another account is not linked', async () => {
  newPerson()
  const holder = createBrowser(api)
  await logIn(holder, chat)
  await logIn(holder, platform)
  const browser = await accountBrowser()
  for (const from of [chat, platform]) {
    const response = await browser.go(await comeBack(browser, from))
    expect((await failureOf(response)).slice(0, 2)).toEqual([400, 'identity_taken'])
  }
  expect(await profileOf(browser)).toMatchObject({ chatId: '', gamePlatformId: '' })
  expect(await profileOf(holder)).toMatchObject({ chatId: chat.user.id, gamePlatformId: platform.steamId })
})

test('of accounts that link one identity at the same time, one succeeds', async () => {
  newPerson()
  const browsers = await Promise.all(Array.from({ length: 4 }, accountBrowser))
  const backs: [Browser, string][] = []
  for (const browser of browsers) backs.push([browser, await comeBack(browser, chat)])
  const answers = await Promise.all(backs.map(([browser, back]) => browser.go(back)))
  expect(answers.map(({ status }) => status).sort()).toEqual([302, 400, 400, 400])
})

test('a flow links nothing once its session has ended or belongs to another account', async () => {
  newPerson()
  const browser = await accountBrowser()
  const back = await comeBack(browser, chat)
  browser.cookies.delete('session')
  expect(await failureOf(await browser.go(back))).toEqual(failed('session_changed'))

  const begun = await accountBrowser()
  const answer = await comeBack(begun, chat)
  const stranger = await accountBrowser()
  stranger.cookies.set('chat_flow', begun.cookies.get('chat_flow') ?? '')
  expect(await failureOf(await stranger.go(answer))).toEqual(failed('session_changed'))
  expect(await profileOf(stranger)).toMatchObject({ chatId: '' })
})

test('an attacker’s identity is not linked when a victim opens the end of the attacker’s flow', async () => {
  newPerson()
  const attacker = await accountBrowser()
  const victim = await accountBrowser()
  for (const from of [chat, platform]) {
    const back = await comeBack(attacker, from)
    expect(await failureOf(await victim.go(back))).toEqual(failed('no_flow'))
  }
  expect(await profileOf(victim)).toMatchObject({ chatId: '', gamePlatformId: '' })
})

test('another site’s page can’t begin linking; it may begin a login', async () => {
  const headers = { 'sec-fetch-site': 'cross-site' }
  const browser = await accountBrowser()
  for (const provider of ['chat', 'gameplatform']) {
    expect((await browser.go(`/api/auth/${provider}`, { headers })).status).toBe(403)
    expect((await createBrowser(api).go(`/api/auth/${provider}`, { headers })).status).toBe(302)
  }
})

test('an identity can be unlinked while a password or the other identity remains', async () => {
  newPerson()
  const browser = await accountBrowser()
  await logIn(browser, chat)
  await logIn(browser, platform)
  for (const provider of ['chat', 'gameplatform', 'chat'] as const) {
    const response = await unlink(browser, provider)
    expect([response.status, await response.json()]).toEqual([200, { success: true }])
  }
  expect(await profileOf(browser)).toMatchObject({ chatId: '', gamePlatformId: '' })
  const elsewhere = createBrowser(api)
  await logIn(elsewhere, chat)
  expect((await profileOf(elsewhere)).id).not.toBe((await profileOf(browser)).id)
})

test('unlinking or replacing an identity ends the sessions it opened, except the current one', async () => {
  newPerson()
  const browser = await accountBrowser()
  await logIn(browser, chat)
  await logIn(browser, platform)
  const [byChat, byPlatform, another] = [createBrowser(api), createBrowser(api), createBrowser(api)]
  await logIn(byChat, chat)
  await logIn(another, chat)
  await logIn(byPlatform, platform)
  await unlink(byChat, 'chat')
  expect([await isLoggedIn(byChat), await isLoggedIn(another)]).toEqual([true, false])
  newPerson()
  await logIn(browser, platform)
  expect([await isLoggedIn(byPlatform), await isLoggedIn(byChat), await isLoggedIn(browser)]).toEqual([
    false,
    true,
    true,
  ])
})

test('the last login method stays, also when both are unlinked at once', async () => {
  newPerson()
  const browser = createBrowser(api)
  await logIn(browser, chat)
  const refused = await unlink(browser, 'chat')
  expect((await failureOf(refused)).slice(0, 2)).toEqual([400, 'last_login_method'])
  expect((await unlink(browser, 'gameplatform')).status).toBe(200)

  await logIn(browser, platform)
  const answers = await Promise.all([unlink(browser, 'chat'), unlink(browser, 'gameplatform')])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const { chatId, gamePlatformId } = await profileOf(browser)
  expect([chatId, gamePlatformId].filter(Boolean)).toHaveLength(1)
})

test('an address without a password is not a login method', async () => {
  newPerson()
  chat.user = { ...chat.user, email: `mail${people}@example.com`, verified: true }
  const browser = createBrowser(api)
  await logIn(browser, chat)
  expect((await profileOf(browser)).email).toBe(chat.user.email)
  expect((await unlink(browser, 'chat')).status).toBe(400)
})

test('the database stores nothing of a flow in clear text, and marks expired nonces', async () => {
  newPerson()
  const browser = createBrowser(api)
  const back = new URL(await comeBack(browser, chat))
  await browser.go(back.href)
  const { rows } = await pool.query<{ row: string }>('select used_nonces::text as row from used_nonces')
  expect(rows.length).toBeGreaterThan(0)
  for (const { row } of rows) {
    expect(row).not.toContain(back.searchParams.get('state'))
    expect(row).not.toContain(back.searchParams.get('code'))
  }
})
