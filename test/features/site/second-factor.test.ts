// The second factor on pages, with forms alone: setting codes up, the second step of a login, confirming, and what
// staff without one see.
import { beforeEach, describe, expect, it } from 'vitest'
import { PAGES } from '../../../src/features/site/pages.ts'
import { startTestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { addOwner, codeAt, setUpCodes } from '../accounts/second-factor-support.ts'
import { createVisitor, PASSWORD, type Visitor } from '../accounts/support.ts'
import { insertServer, putStatus, putVotes } from '../directory/rows-in-database.ts'
import { formsOf } from './forms.ts'

let now = Date.now()
const settings = { REQUIRE_SECOND_FACTOR: 'true' }
const api = await startTestApi({ settings, clock: () => now, server: { port: 0 } })
const { pool } = api.database
const { get } = formsOf(api.url)
const ORIGIN = new URL(api.deps.settings.PUBLIC_BASE_URL).origin

/** Each code counts once, so each test begins with a new one. */
beforeEach(() => {
  now += 120_000
})

/** Sends a form with a browser's cookies. */
async function submit(visitor: Visitor, path: string, form: Record<string, string>) {
  const reply = await fetch(api.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      origin: ORIGIN,
      'accept-language': 'en',
      cookie: visitor.cookieHeader() ?? '',
    },
    body: new URLSearchParams(form),
  })
  for (const line of reply.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (/Max-Age=0/.test(line)) visitor.cookies.delete(name)
    else visitor.cookies.set(name, value)
  }
  return { status: reply.status, location: reply.headers.get('location'), html: await reply.text() }
}
const show = (visitor: Visitor, path: string) => get(path, { cookie: visitor.cookieHeader() ?? '', id: '' } as never)

async function withCodes() {
  const owner = await setUpCodes(await addOwner(api), now)
  now += 60_000
  return owner
}
const letConfirmationExpire = (id: string) =>
  pool.query(`update sessions set second_factor_at = now() - interval '11 minutes' where user_id = $1`, [id])

describe('the account’s page', () => {
  it('sets one-time codes up: a QR code and the secret once, then recovery codes once', async () => {
    const { visitor } = await addOwner(api)
    const begun = await submit(visitor, '/account/second-factor', { action: 'begin-codes', password: PASSWORD })
    expect(begun.status).toBe(200)
    expect(begun.html).toMatch(/<svg class="qr-code"[\s\S]*<path d="M/)
    const secret = /<code>([A-Z2-7]{32})<\/code>/.exec(begun.html)?.[1] ?? ''
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(begun.html).not.toContain(PASSWORD)
    const uri = `otpauth://totp/Directory?secret=${secret}`
    const wrong = await submit(visitor, '/account/second-factor', { action: 'confirm-codes', code: '000000', uri })
    expect([wrong.status, wrong.html]).toEqual([401, expect.stringContaining('This code is not right')])
    expect(wrong.html).toMatch(/aria-describedby="code-hint code-problem" aria-invalid="true"/)
    expect(wrong.html).toMatch(/class="problem" id="code-problem">This code is not right/)
    expect(wrong.html).not.toContain('value="000000"')
    const done = await submit(visitor, '/account/second-factor', { action: 'confirm-codes', code: codeAt(secret, now) })
    expect(done.html).toContain('they are shown only once')
    const codes = done.html.match(/\b[0-9A-Z]{5}(-[0-9A-Z]{5}){3}\b/g) ?? []
    expect(new Set(codes).size).toBe(10)
    const later = await show(visitor, '/account/second-factor')
    expect(later.html).toContain('You have 10 unused recovery codes.')
    for (const hidden of [secret, ...codes]) expect(later.html).not.toContain(hidden)
  })

  it('does not give the secrets of a reply to its script', async () => {
    const { visitor } = await addOwner(api)
    const { html } = await submit(visitor, '/account/second-factor', { action: 'begin-codes', password: PASSWORD })
    const [embedded = html] = /<script[^>]*id="page">[\s\S]*?<\/script>/.exec(html) ?? []
    expect(embedded).not.toMatch(/otpauth|[A-Z2-7]{32}/)
  })

  it('needs the password for the first factor', async () => {
    const { visitor } = await addOwner(api)
    const { status, html } = await submit(visitor, '/account/second-factor', { action: 'begin-codes' })
    expect([status, html]).toEqual([401, expect.not.stringContaining('qr-code"')])
    expect(html).toMatch(/class="problem" id="codes-password-problem">The password is wrong\./)
    const shown = html.replace(/<script.*?<\/script>/gs, '') // which holds all texts
    expect(shown).not.toContain('The e-mail address or the password is wrong')
  })

  it('says that an account without a password needs a new login for the first factor', async () => {
    const { visitor, id } = await addOwner(api)
    await pool.query('update users set password_hash = null where id = $1', [id])
    await pool.query(`update sessions set created_at = now() - interval '11 minutes' where user_id = $1`, [id])
    const { status, location } = await submit(visitor, '/account/second-factor', { action: 'begin-codes' })
    expect([status, location]).toEqual([303, '/account/confirm?next=%2Faccount%2Fsecond-factor'])
    expect((await show(visitor, location ?? '')).html).toContain('log out and in again')
  })
})

describe('a login', () => {
  it('leads to the second step, and from there to where it was going', async () => {
    const owner = await withCodes()
    const visitor = createVisitor(api)
    const first = await submit(visitor, '/login?next=/my/servers', { email: owner.email, password: PASSWORD })
    expect([first.status, first.location]).toEqual([303, '/login/second-step?next=%2Fmy%2Fservers'])
    expect((await show(visitor, '/account')).location).toBe('/login?next=%2Faccount')
    const asked = await show(visitor, first.location ?? '')
    expect([asked.status, asked.html]).toEqual([200, expect.stringContaining('Use a recovery code')])
    expect(asked.html).toContain('<a href="/login?next=%2Fmy%2Fservers">')
    const wrong = await submit(visitor, first.location ?? '', { action: 'answer', code: '000000' })
    expect([wrong.status, wrong.html]).toEqual([401, expect.stringContaining('This code is not right')])
    const done = await submit(visitor, first.location ?? '', { action: 'answer', code: codeAt(owner.secret, now) })
    expect([done.status, done.location]).toEqual([303, '/my/servers'])
    expect((await show(visitor, '/my/servers')).status).toBe(200)
  })

  it('takes a recovery code in the same field', async () => {
    const owner = await withCodes()
    const visitor = createVisitor(api)
    await submit(visitor, '/login', { email: owner.email, password: PASSWORD })
    const [code = ''] = owner.recoveryCodes
    expect(
      (await submit(visitor, '/login/second-step', { action: 'answer', recoveryCode: code.toLowerCase() })).location,
    ).toBe('/account')
  })

  it('leads to no other site', async () => {
    const owner = await withCodes()
    const visitor = createVisitor(api)
    await submit(visitor, '/login', { email: owner.email, password: PASSWORD })
    const path = `/login/second-step?next=${encodeURIComponent('//evil.example/x')}`
    expect((await submit(visitor, path, { action: 'answer', code: codeAt(owner.secret, now) })).location).toBe(
      '/account',
    )
  })

  it('of an account without a factor has one step, as before', async () => {
    const owner = await addOwner(api)
    const { status, location } = await submit(createVisitor(api), '/login', { email: owner.email, password: PASSWORD })
    expect([status, location]).toEqual([303, '/account'])
  })

  it('that does not wait begins again', async () => {
    expect(await get('/login/second-step?next=/account')).toMatchObject({
      status: 302,
      location: '/login?next=%2Faccount',
    })
  })
})

describe('what can’t be undone', () => {
  it('leads to the confirmation and back', async () => {
    const owner = await withCodes()
    await letConfirmationExpire(owner.id)
    const form = { action: 'delete', password: PASSWORD, confirmed: 'yes' }
    // What was saved before is not what comes next.
    const asked = await submit(owner.visitor, '/account?saved=profile', form)
    expect([asked.status, asked.location]).toEqual([303, '/account/confirm?next=%2Faccount'])
    expect((await show(owner.visitor, asked.location ?? '')).html).toContain('Confirm that it is you')
    const confirmed = await submit(owner.visitor, asked.location ?? '', {
      action: 'answer',
      code: codeAt(owner.secret, now),
    })
    expect([confirmed.status, confirmed.location]).toEqual([303, '/account'])
    expect((await submit(owner.visitor, '/account', form)).location).toBe('/login?saved=delete')
  })

  it('leads back to what was chosen for a new API key', async () => {
    const owner = await withCodes()
    await letConfirmationExpire(owner.id)
    const form = { action: 'create', name: 'My bot', scopes: 'read,votes' }
    const { location } = await submit(owner.visitor, '/account/keys?saved=x', form)
    const next = '/account/keys?name=My+bot&scopes=read%2Cvotes'
    expect(location).toBe(`/account/confirm?${new URLSearchParams({ next })}`)
    const answer = { action: 'answer', code: codeAt(owner.secret, now) }
    expect((await submit(owner.visitor, location ?? '', answer)).location).toBe(next)
    const { html } = await show(owner.visitor, next)
    expect(html).toMatch(/name="name"[^>]*value="My bot"/)
    const chosenIn = (page: string) =>
      [...page.matchAll(/name="scopes" value="([^"]*)" checked/g)].map(([, scope]) => scope)
    expect(chosenIn(html)).toEqual(['read', 'votes'])
    expect(html).not.toContain('role="alert"')
    // The reply that shows the key offers a new one.
    const created = await submit(owner.visitor, next, form)
    expect(created.html).toContain('sd_')
    expect(created.html).not.toContain('value="My bot"')
    expect(chosenIn(created.html)).toContain('servers:write')
  })

  it('leads back without what was typed if an address can’t hold that', async () => {
    const owner = await withCodes()
    await letConfirmationExpire(owner.id)
    const form = { action: 'create', name: '🤖'.repeat(100), scopes: 'read' }
    const { location } = await submit(owner.visitor, '/account/keys', form)
    const answer = { action: 'answer', code: codeAt(owner.secret, now) }
    expect((await submit(owner.visitor, location ?? '', answer)).location).toBe('/account/keys')
  })

  it('leads an administrator back to the owner that was typed', async () => {
    const admin = await withCodes()
    await pool.query('update users set is_admin = true where id = $1', [admin.id])
    await letConfirmationExpire(admin.id)
    const [id, other] = [await insertServer(pool, {}), await addPerson(pool)]
    await putStatus(pool, id, {})
    await putVotes(pool, id, 0)
    const path = `/admin/servers?search=${id}`
    const { location } = await submit(admin.visitor, path, { action: 'owner', id, ownerId: other.id })
    const next = `${path}&ownerId=${other.id}`
    expect(location).toBe(`/account/confirm?${new URLSearchParams({ next })}`)
    expect((await show(admin.visitor, next)).html).toMatch(
      new RegExp(`<details open><summary>[\\s\\S]*name="ownerId"[^>]*value="${other.id}"`),
    )
  })

  it('is refused with a wrong code, and nothing is removed', async () => {
    const owner = await withCodes()
    await letConfirmationExpire(owner.id)
    const { location } = await submit(owner.visitor, '/account/second-factor', { action: 'remove-codes' })
    expect(location).toBe('/account/confirm?next=%2Faccount%2Fsecond-factor')
    expect((await submit(owner.visitor, location ?? '', { action: 'answer', code: '000000' })).status).toBe(401)
    expect((await submit(owner.visitor, '/account/second-factor', { action: 'remove-codes' })).location).toBe(location)
    expect((await show(owner.visitor, '/account/second-factor')).html).toContain('You have 10 unused recovery codes.')
  })
})

describe('staff without a second factor', () => {
  const staffPages = PAGES.filter(({ access }) => access === 'admin' || access === 'moderator')
  const pathOf = (path: string) => path.replace(/\{\w+\}/g, '01980000-0000-7000-8000-000000000000')

  it.each(staffPages.map((page) => [pathOf(page.path), page] as const))('are led away from %s', async (path, page) => {
    const admin = await addPerson(pool, { isAdmin: true })
    const moderator = await addPerson(pool, { isModerator: true })
    for (const who of [admin, moderator]) {
      expect(await get(path, who)).toMatchObject({ status: 303, location: '/account/second-factor' })
      if (page.post)
        expect(await formsOf(api.url).post(path, { action: 'x' }, who, { origin: ORIGIN })).toMatchObject({
          status: 303,
        })
    }
    expect((await get(path, await addPerson(pool))).status).toBe(403)
  })

  it('see why, and get in once they have one', async () => {
    const moderator = await addOwner(api)
    await pool.query('update users set is_moderator = true where id = $1', [moderator.id])
    const { html } = await show(moderator.visitor, '/account/second-factor')
    expect(html).toContain('Your rights need a second factor.')
    expect(html).toContain('npm run accounts -- setup-code')
    await pool.query('update users set is_moderator = false where id = $1', [moderator.id])
    await setUpCodes(moderator, now)
    await pool.query('update users set is_moderator = true where id = $1', [moderator.id])
    expect((await show(moderator.visitor, '/admin/reports')).status).toBe(200)
    expect((await show(moderator.visitor, '/admin/users')).status).toBe(403)
  })
})
