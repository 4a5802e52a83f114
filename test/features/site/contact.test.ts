// The contact form of the site.
import { describe, expect, it } from 'vitest'
import { startTestApi } from '../../support/api.ts'
import { addPerson, type Person } from '../../support/people.ts'
import { formsOf } from './forms.ts'

const api = await startTestApi({ settings: { TRUST_PROXY: '1' } })
const { pool } = api.database
const { get, post } = formsOf(api.url)

const MESSAGE = {
  name: 'Jörg',
  email: 'joerg@example.com',
  subject: 'A question',
  message: 'First line\nSecond line',
  website: '',
}

let visitors = 0
/** From an address that has not sent a message before. */
const send = (form: Record<string, string>, path = '/contact') =>
  post(path, form, undefined, { 'x-forwarded-for': `198.51.100.${++visitors}` })

const stored = async (email: string) => {
  const columns = 'name, email, subject, message, is_suspect as "isSuspect"'
  return (await pool.query(`select ${columns} from contact_messages where email = $1`, [email])).rows as object[]
}

const profileOf = async ({ id }: Person) =>
  (await pool.query('select username, email from users where id = $1', [id])).rows[0] as Record<
    'username' | 'email',
    string
  >

describe('the contact form', () => {
  it('is linked from every page and needs no account', async () => {
    expect((await get('/games')).html).toContain('<a href="/contact">Contact</a>')
    expect((await get('/games?lang=de')).html).toContain('<a href="/contact?lang=de">Kontakt</a>')
    const { status, html } = await get('/contact')
    expect(status).toBe(200)
    expect(html).toContain('<h1>Contact</h1>')
    const sent = await send(MESSAGE)
    expect([sent.status, sent.location]).toEqual([303, '/contact?done=sent'])
    expect((await get('/contact?done=sent')).html).toContain('Your message has been sent.')
    const { website: _empty, ...message } = MESSAGE
    expect(await stored(MESSAGE.email)).toEqual([{ ...message, isSuspect: false }])
  })

  it('is filled in with the name and address of an account, and the subject of the link', async () => {
    const person = await addPerson(pool)
    const { username, email } = await profileOf(person)
    const { html } = await get('/contact?subject=Hidden+server', person)
    for (const value of [username, email, 'Hidden server']) expect(html).toContain(`value="${value}"`)
    expect((await get('/contact')).html).not.toContain(email)
  })

  it('says what is wrong at its field and keeps what was typed', async () => {
    const refused = await send({ ...MESSAGE, email: 'no address', message: '' }, '/contact?lang=de')
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('Deine E-Mail-Adresse: muss eine E-Mail-Adresse sein')
    expect(refused.html).toContain('id="message-problem"')
    expect(refused.html).toContain('value="A question"')
    expect(await stored('no address')).toEqual([])
  })

  it('stores a message as suspect if the field that only bots see is filled in', async () => {
    const email = 'bot@example.com'
    expect((await send({ ...MESSAGE, email, website: 'https://spam.example' })).status).toBe(303)
    expect(await stored(email)).toMatchObject([{ isSuspect: true }])
  })

  it('keeps the message that exceeds the limit, and says when the next is possible', async () => {
    const from = { 'x-forwarded-for': '192.0.2.77' }
    for (let n = 0; n < 5; n++) expect((await post('/contact', MESSAGE, undefined, from)).status).toBe(303)
    const refused = await post('/contact', MESSAGE, undefined, from)
    expect(refused.status).toBe(429)
    expect(refused.html).toContain('Second line')
    expect(refused.html).toContain('class="notice is-bad"')
  })
})
