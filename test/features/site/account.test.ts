// Logging in and the account by forms, without scripts.
import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { TEXTS } from '../../../src/features/site/texts/index.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { addAccount, PASSWORD } from '../accounts/support.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'

let api: TestApi
let cookie = ''

const get = async (path: string, headers: Record<string, string> = { cookie }) => {
  const reply = await fetch(api.url + path, {
    headers: { 'accept-language': 'en', ...headers },
    redirect: 'manual',
  })
  return {
    status: reply.status,
    location: reply.headers.get('location'),
    headers: reply.headers,
    html: await reply.text(),
  }
}

const post = async (path: string, form: Record<string, string>, headers: Record<string, string> = { cookie }) => {
  const reply = await fetch(api.url + path, {
    method: 'POST',
    headers: { origin: 'http://localhost:0', 'accept-language': 'en', ...headers },
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  const cookies = reply.headers.getSetCookie().map((line) => line.split(';', 1)[0])
  return { status: reply.status, location: reply.headers.get('location'), cookies, html: await reply.text() }
}

beforeAll(async () => {
  api = await startTestApi()
  cookie = (await addPerson(api.database.pool)).cookie
})

describe('a form of a session that has ended', () => {
  it.each([
    ['en', 'Log in in another tab, then reload this page', 'Log in'],
    ['de', 'Melde dich in einem anderen Tab an und lade dann diese Seite neu', 'Anmelden'],
  ])('is kept by the browser: its reply is a page that can be loaded again (%s)', async (language, text, login) => {
    const form = { action: 'create', name: 'My bot', scopes: 'read' }
    const path = '/account/keys'
    const refused = await post(path, form, { 'accept-language': language, cookie: 'session=over' })
    expect([refused.status, refused.location]).toEqual([401, null])
    expect(refused.html).toContain(text)
    expect(refused.html).toContain(`href="/login?next=%2Faccount%2Fkeys" target="_blank">${login}</a>`)
    expect((await get(path, {})).location).toBe('/login?next=%2Faccount%2Fkeys')
    const other = await addPerson(api.database.pool)
    expect((await post(path, form, { cookie: other.cookie })).html).toContain('My bot')
  })
})

describe('logging in', () => {
  it('registers, logs out, is led to the login and back to the page that asked for it', async () => {
    const form = { email: 'ann@example.com', password: PASSWORD, username: 'Ann' }
    const registered = await post('/register', form, {})
    expect([registered.status, registered.location]).toEqual([303, '/my/servers'])
    const session = registered.cookies.join('; ')
    expect((await get('/account', { cookie: session })).html).toContain('value="Ann"')
    const left = await post('/logout', {}, { cookie: session })
    expect(left.location).toBe('/')
    const asked = await get('/account/keys', { cookie: session })
    expect([asked.status, asked.location]).toEqual([303, '/login?next=%2Faccount%2Fkeys'])
    const login = await post(asked.location ?? '', form, {})
    expect([login.status, login.location]).toEqual([303, '/account/keys'])
    expect((await get('/account', { cookie: login.cookies.join('; ') })).status).toBe(200)
  })

  it.each([
    ...['//evil.example', '/\\evil.example', '/\t/evil.example', 'https://evil.example', 'javascript:alert(1)'],
    ...['/\n/x', '/€'], // can’t be in a header
  ])('does not lead to %j', async (next) => {
    const query = new URLSearchParams({ next })
    expect((await get(`/login?${query}`, {})).html).toContain('href="/register"')
    const login = await post(`/login?${query}`, { email: 'ann@example.com', password: PASSWORD }, {})
    expect(login.location).toBe('/account')
  })

  it('says what is wrong in the visitor’s language, without the names of fields in code', async () => {
    const german = { 'accept-language': 'de' }
    const { html } = await post('/register', { email: 'no address', password: 'short', username: '' }, german)
    expect(html).toContain('E-Mail-Adresse: muss eine E-Mail-Adresse sein')
    expect(html).toMatch(/Passwort: braucht mindestens 8 Zeichen/)
    expect(html).not.toMatch(/<span lang="en"|must |username:/)
  })

  it('says what is wrong at its field, keeps what was typed, and never sends a password back', async () => {
    const refused = await post(
      '/register',
      { email: 'no address', password: 'a short secret <b>', username: 'B<b>' },
      {},
    )
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('E-mail address: must be an e-mail address')
    expect(refused.html).toMatch(/value="B&lt;b>"/)
    expect(refused.html).not.toContain('a short secret')
    const wrong = await post('/login', { email: 'ann@example.com', password: 'not this one' }, {})
    expect([wrong.status, wrong.html.includes('The e-mail address or the password is wrong.')]).toEqual([401, true])
  })

  it('refuses forms of other origins', async () => {
    expect((await post('/login', {}, { origin: 'https://evil.example' })).status).toBe(403)
  })

  it.each([
    ...['//evil.example', '/api/auth/gameplatform', '/API/auth/gameplatform', '/api\\auth\\gameplatform'],
    ...['/./api/auth/gameplatform', '/x/../api/auth/gameplatform', '/x\\%2E./api/auth/gameplatform', '/api'],
  ])('leads to the account, not to %s', async (next) => {
    const account = await addAccount(api)
    const path = `/login?${new URLSearchParams({ next })}`
    const { status, location } = await post(path, { email: account.email, password: PASSWORD }, {})
    expect([status, location]).toEqual([303, '/account'])
  })

  it('leads to pages with a query, and to words that only begin like the API', async () => {
    for (const next of ['/?q=/../x', '/apiary?lang=de', '/servers/a.b-1?x=%2F.#votes']) {
      const { html } = await get(`/login?${new URLSearchParams({ next })}`, {})
      expect(html).toContain(`href="/api/auth/gameplatform?${new URLSearchParams({ next })}"`)
    }
  })

  it('offers the platforms that are configured', async () => {
    const { html } = await get('/login', {})
    expect(html).toContain('href="/api/auth/gameplatform?next=%2Faccount"')
    expect(html).not.toContain('/api/auth/chat')
    const { html: german } = await get('/login?next=%2Fmy%2Fservers%2Fnew&lang=de', {})
    expect(german).toContain('href="/api/auth/gameplatform?next=%2Fmy%2Fservers%2Fnew"')
  })

  it('speaks German', async () => {
    const { html } = await get('/login?lang=de', {})
    expect(html).toContain('<h1>Anmelden</h1>')
    expect(html).toContain('href="/register?lang=de"')
  })
})

describe('the account', () => {
  it('says why no further confirmation is mailed', async () => {
    const person = await addPerson(api.database.pool)
    await api.database.pool.query('update users set email_verified_at = null where id = $1', [person.id])
    const own = person.cookie
    const again = () => post('/account', { action: 'mail' }, { cookie: own })
    let reply = await again()
    for (let n = 0; n < 10 && reply.status === 303; n++) reply = await again()
    expect(reply.status).toBe(429)
    expect(reply.html).toMatch(/class="notice[^>]*>(?:(?!<\/).)*(Try again|later|minutes|seconds)/s)
  })

  it.each(['', '/keys', '/favorites', '/notifications'])('/account%s is private and not kept', async (tab) => {
    const { status, headers, html } = await get(`/account${tab}`)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    expect(html).toContain('noindex')
    expect((await get(`/account${tab}`, {})).status).toBe(303)
  })

  it.each([
    ['en', 'can place binding bids in auctions'],
    ['de', 'kann in Auktionen verbindliche Gebote abgeben'],
  ] as const)('says what it takes for favorites, and that a key can bid: %s', async (language, canBid) => {
    const favorites = await get(`/account/favorites?lang=${language}`)
    const [open, close] = language === 'en' ? '“”' : '„“'
    expect(favorites.html).toContain(`${open}${TEXTS[language].server.favorite}${close}`)
    expect((await get(`/account/keys?lang=${language}`)).html).toContain(canBid)
  })

  it('changes the profile and the password', async () => {
    const changed = await post('/account', { action: 'profile', username: 'New name', avatarUrl: '' })
    expect(changed.location).toBe('/account?saved=profile')
    const { html } = await get('/account?saved=profile')
    expect(html).toContain('value="New name"')
    expect(html).toContain('Saved.')
    const short = await post('/account', { action: 'password', currentPassword: '', newPassword: 'short' })
    expect(short.html).toContain('New password: must have at least 8 characters')
    expect((await post('/account', { action: 'profile', username: 'x' })).html).toContain('Name: must')
    const first = await post('/account', { action: 'password', currentPassword: '', newPassword: PASSWORD })
    expect(first.location).toBe('/account?saved=password')
    cookie = first.cookies.find((one) => one?.startsWith('session=')) ?? cookie
  })

  it('makes a key that is shown once and works, switches it off, and revokes it', async () => {
    const made = await post('/account/keys', { action: 'create', name: 'My bot', scopes: 'read,votes' })
    expect(made.status).toBe(200)
    const credential = /data-copy="(sd_[^".]+\.[^"]+)"/.exec(made.html)?.[1] ?? ''
    const use = async () =>
      (await fetch(`${api.url}/api/user/servers`, { headers: { authorization: `Bearer ${credential}` } })).status
    expect(await use()).toBe(200)
    const { html } = await get('/account/keys')
    expect(html).toContain('My bot')
    expect(html).toContain('10 requests a minute (Free)')
    expect(html).not.toContain(credential)
    const id = /name="id" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await post('/account/keys', { action: 'off', id })
    expect((await get('/account/keys')).html).toContain('switched off')
    await post('/account/keys', { action: 'revoke', id })
    expect((await get('/account/keys')).html).toContain('You have no API key.')
    const empty = await post('/account/keys', { action: 'create', name: '' })
    expect([empty.status, empty.html.includes('Purpose: is required')]).toEqual([400, true])
  })

  it('lists favorites and removes one', async () => {
    const id = await insertServer(api.database.pool, { name: 'My favorite' })
    await putStatus(api.database.pool, id, { isOnline: true, currentPlayers: 1, maxPlayers: 2 })
    await api.directory.refresh()
    const added = await fetch(`${api.url}/api/servers/${id}/favorite`, { method: 'POST', headers: { cookie } })
    expect(added.ok).toBe(true)
    expect((await get('/account/favorites')).html).toContain('My favorite')
    expect((await post('/account/favorites', { id })).location).toBe('/account/favorites')
    expect((await get('/account/favorites')).html).toContain('No favorites yet')
  })

  it('sets alerts on a favorite, shows them again, says what is wrong, and ends one by the link of its messages', async () => {
    const id = await insertServer(api.database.pool, { name: 'Watched' })
    await putStatus(api.database.pool, id, { isOnline: true, currentPlayers: 1, maxPlayers: 20 })
    await api.directory.refresh()
    await fetch(`${api.url}/api/servers/${id}/favorite`, { method: 'POST', headers: { cookie } })
    const alerts = async () =>
      (await fetch(`${api.url}/api/servers/${id}/favorite/alerts`, { headers: { cookie } })).json()
    const set = (fields: Record<string, string>) => post('/account/favorites', { action: 'alerts', id, ...fields })
    const reply = await set({ playersAtLeast: '12', playersAtMost: '', when: 'wipeSoon' })
    expect(reply.location).toBe('/account/favorites?saved=alerts')
    expect(await alerts()).toEqual({ playersAtLeast: 12, playersAtMost: null, backOnline: false, wipeSoon: true })
    const { html } = await get('/account/favorites?saved=alerts')
    expect(html).toContain('Saved.')
    expect(html).toMatch(/name="playersAtLeast"[^>]*value="12"/)
    expect(html).toMatch(/value="wipeSoon"[^>]*checked/)
    const wrong = await set({ playersAtLeast: 'many', playersAtMost: '' })
    expect([wrong.status, wrong.html.includes('value="many"')]).toEqual([400, true])
    expect((await set({ playersAtLeast: '0', playersAtMost: '' })).html).toContain('must be at least 1')
    const { rows } = await api.database.pool.query(
      `select id from favorite_alerts where server_id = $1 and kind = 'wipeSoon'`,
      [id],
    )
    const link = `/alerts/${rows[0].id}`
    const page = await get(link, {})
    expect([page.status, page.html.includes('End this alert?')]).toEqual([200, true])
    const ended = await post(link, {}, {})
    expect(ended.location).toBe(`${link}?done=off`)
    expect((await get(`${link}?done=off`, {})).html).toContain('This alert has ended.')
    expect(await alerts()).toMatchObject({ playersAtLeast: 12, wipeSoon: false })
    await post('/account/favorites', { id })
  })

  it('lists notifications, marks them as read, and keeps the preferences', async () => {
    await api.database.pool.query(
      `insert into notifications (id, user_id, event, topic, data, created_at)
       select uuidv7(), id, 'auctionWon', 'an auction', '{"title": "<b>bold</b>", "amountCents": 100}', now()
       from users where username = 'New name'`,
    )
    const { html } = await get('/account/notifications')
    expect(html).toContain('&lt;b>bold&lt;/b>')
    expect(html).toContain('for 1.00. Pay for it in time to keep it.')
    const ids = /name="ids" value="([^"]+)"/.exec(html)?.[1] ?? ''
    await post('/account/notifications', { action: 'read', ids })
    expect((await get('/account/notifications')).html).not.toContain('name="ids"')
    await post('/account/notifications', { action: 'preferences', channels: 'chat', events: 'serverWiped' })
    const preferences = await (
      await fetch(`${api.url}/api/user/notification-preferences`, { headers: { cookie } })
    ).json()
    expect(preferences).toMatchObject({ email: false, chat: true, events: { serverWiped: true, serverOffline: false } })
    const wrong = await post('/account/notifications', { action: 'webhook', url: 'no address' })
    expect([wrong.status, wrong.html.includes('Webhook address: must be')]).toEqual([400, true])
  })

  it('leads from a notification to where its reader acts', async () => {
    const someone = await addPerson(api.database.pool)
    const [auctionId, serverId] = [randomUUID(), await insertServer(api.database.pool, { name: 'Wanted' })]
    const facts = { auctionId, title: 'Top', amountCents: 1250, currency: 'USD', expiresAt: '2026-12-01T18:30:00.000Z' }
    await api.database.pool.query(
      `insert into notifications (id, user_id, event, topic, server_id, data, created_at)
       select uuidv7(), $1, event, event, server_id, data, now()
       from (values ('auctionWon', null, $2::jsonb), ('serverInvitation', $3::uuid, '{"role": "viewer"}'),
         ('serverTakeover', $3, '{}')) as notice (event, server_id, data)`,
      [someone.id, JSON.stringify(facts), serverId],
    )
    const { html } = await get('/account/notifications', { cookie: someone.cookie })
    expect(html).toContain('You won Top for 12.50 USD. Pay by 2026-12-01 18:30 UTC.')
    expect(html).toContain('choose “Stop other users’ claims” on the server’s page “Listing”')
    for (const path of [`/auctions/${auctionId}`, '/my/servers', `/my/servers/${serverId}/edit`])
      expect(html).toContain(`<b lang="en" dir="auto"><a href="${path}">`)
  })

  it('logs out everywhere else', async () => {
    const login = await post('/login', { email: 'ann@example.com', password: PASSWORD }, {})
    const here = login.cookies.join('; ')
    const there = (await post('/login', { email: 'ann@example.com', password: PASSWORD }, {})).cookies.join('; ')
    const ended = await post('/account', { action: 'sessions' }, { cookie: here })
    expect(ended.location).toBe('/account?saved=sessions')
    expect((await get('/account?saved=sessions', { cookie: here })).html).toContain('All other sessions have ended.')
    expect((await get('/account', { cookie: there })).status).toBe(303)
  })

  it('has no subscription where nothing is sold', async () => {
    expect((await get('/account')).html).not.toContain('/account/subscription')
    for (const form of [{ action: 'checkout', tier: 'premium' }, { action: 'portal' }, { action: 'cancel' }]) {
      const refused = await post('/account/subscription', form)
      expect([form, refused.status]).toEqual([form, 503])
      expect(refused.html).toContain(
        'Payments are switched off here, so nothing can be bought or changed at the moment.',
      )
    }
    const { html } = await get('/account/subscription')
    expect(html).toContain('<h3>Premium')
    expect(html).toContain('Subscriptions can’t be bought, changed or canceled here at the moment.')
    expect(html).not.toMatch(/<form[^>]*method="post"/)
  })
})

describe('deleting the account', () => {
  const confirmed = { action: 'delete', confirmed: 'yes' }
  const register = async (username: string) => {
    const form = { email: `${username}@example.com`, password: PASSWORD, username }
    return (await post('/register', form, {})).cookies.join('; ')
  }

  it('says what happens, takes the password and a tick, and ends at the login with a notice', async () => {
    const leaving = await register('Lea')
    const { html } = await get('/account', { cookie: leaving })
    expect(html).toContain('Your servers stay listed without an owner, and are no longer verified.')
    expect(html).toMatch(/<input [^>]*name="password"/)
    expect(html).toMatch(/<input [^>]*name="confirmed"[^>]* required/)
    const unconfirmed = await post('/account', { action: 'delete', password: PASSWORD }, { cookie: leaving })
    expect([unconfirmed.status, unconfirmed.html.includes('must be ticked')]).toEqual([400, true])
    const wrong = await post('/account', { ...confirmed, password: 'not this one' }, { cookie: leaving })
    expect([wrong.status, wrong.html.includes('The password is wrong.')]).toEqual([401, true])
    expect(wrong.html).toMatch(/<details class="careful" open/)
    expect(wrong.html).not.toContain('not this one')

    const gone = await post('/account', { ...confirmed, password: PASSWORD }, { cookie: leaving })
    expect([gone.status, gone.location, gone.cookies]).toEqual([303, '/login?saved=delete', ['session=']])
    expect((await get(gone.location ?? '', {})).html).toContain('Your account was deleted.')
    expect((await get('/account', { cookie: leaving })).status).toBe(303)
  })

  it('leads an account without a password to a new login, and needs nothing else then', async () => {
    const { id, cookie: leaving } = await addPerson(api.database.pool)
    const ageSession = (minutes: number) =>
      api.database.pool.query(`update sessions set created_at = now() - interval '1 minute' * $2 where user_id = $1`, [
        id,
        minutes,
      ])
    await ageSession(11)
    const refused = await post('/account', confirmed, { cookie: leaving })
    expect([refused.status, refused.location]).toEqual([303, '/account/confirm?next=%2Faccount'])
    expect((await get(refused.location ?? '', { cookie: leaving })).html).toContain('log out and in again')
    await ageSession(9)
    const gone = await post('/account?lang=de', confirmed, { cookie: leaving })
    expect(gone.location).toBe('/login?saved=delete&lang=de')
    expect((await get(gone.location ?? '', {})).html).toContain('Dein Konto wurde gelöscht.')
  })

  it('tells an administrator why it is not possible', async () => {
    const { cookie: admin } = await addPerson(api.database.pool, { isAdmin: true })
    const { html } = await get('/account', { cookie: admin })
    expect(html).toContain('Another administrator must first remove your administrator rights.')
    expect(html).not.toContain('name="confirmed"')
  })
})
