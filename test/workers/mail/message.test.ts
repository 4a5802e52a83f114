// A mail has the intended headers and recipient, whatever its parts contain.
import { createTransport } from 'nodemailer'
import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError } from '../../../src/platform/config/settings.ts'
import { composeMessage, parseSender } from '../../../workers/mail/message.ts'
import { PermanentJobError } from '../../../workers/permanent-job-error.ts'
import { parse, startMailServer } from '../../support/mail-server.ts'

const from = parseSender('Server Directory <no-reply@localhost>')
const BASE = 'https://directory.example'
const LOOK = { name: 'Server Directory', accent: null, logo: undefined }
const compose = (mail: { to?: string; subject?: string; text?: string }) =>
  composeMessage(
    { to: 'a@example.com', subject: 'Hello', text: 'Text', ...mail },
    { from, id: 'the-id', base: BASE, look: LOOK },
  )

const composeReplyTo = (replyTo: { name: string; address: string }) =>
  composeMessage(
    { to: 'a@example.com', replyTo, subject: 'Hello', text: 'Text' },
    { from, id: 'the-id', base: BASE, look: LOOK },
  )

const HEADERS = ['auto-submitted', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to']

const HOSTILE = [
  'Hello\r\nBcc: other@example.com',
  'Hello\nBcc: other@example.com',
  'Hello\rBcc: other@example.com',
  'Hello\u2028Bcc: other@example.com',
  'Hello\u0085Bcc: other@example.com',
  'Hello\0',
  '=?UTF-8?Q?=0D=0ABcc:_other@example.com?=',
  '\r\n\r\nA body of its own\r\n.\r\nMAIL FROM:<other@example.com>',
  'é'.repeat(5_000),
]

describe('a mail', () => {
  it.each(HOSTILE.map((subject) => [JSON.stringify(subject).slice(0, 60), subject]))(
    'with the subject %s has one recipient and no additional header',
    async (_, subject) => {
      const server = await startMailServer()
      await createTransport({ url: server.url }).sendMail(compose({ subject, text: `${subject}\r\n.\r\nRSET\r\n` }))
      const [received] = server.received
      expect(server.received.length).toBe(1)
      expect(received?.to).toEqual(['a@example.com'])
      expect([...(received?.headers.keys() ?? [])].sort()).toEqual(HEADERS)
    },
  )

  it.each(HOSTILE.map((name) => [JSON.stringify(name).slice(0, 60), name]))(
    'with the reply name %s has one Reply-To mailbox',
    async (_, name) => {
      const server = await startMailServer()
      await createTransport({ url: server.url }).sendMail(composeReplyTo({ name, address: 'c@example.com' }))
      const [received] = server.received
      expect([...(received?.headers.keys() ?? [])].sort()).toEqual([...HEADERS, 'reply-to'].sort())
      expect(received?.headers.get('reply-to')).toMatch(/^("[^"]*"|[^"<>,;:]*) ?<c@example\.com>$/)
      expect(received?.to).toEqual(['a@example.com'])
    },
  )

  it('goes to each of several recipients, and to none when one of them is not a mailbox', () => {
    const to = ['a@example.com', 'b@example.com']
    expect(
      composeMessage({ to, subject: '', text: '' }, { from, id: 'i', base: BASE, look: LOOK }).envelope,
    ).toMatchObject({ to })
    for (const wrong of [[], [...to, 'c@example.com, d@example.com']])
      expect(() =>
        composeMessage({ to: wrong, subject: '', text: '' }, { from, id: 'i', base: BASE, look: LOOK }),
      ).toThrow(PermanentJobError)
  })

  it.each(['no-mailbox', 'b@example.com, c@example.com', 'b@example.com\r\nBcc: c@example.com', '<b@example.com>'])(
    'with the Reply-To %j is never sent',
    (address) => {
      expect(() => composeReplyTo({ name: '', address })).toThrow(PermanentJobError)
    },
  )

  it.each([
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\nRCPT TO:<b@example.com>',
    'Someone <a@example.com>',
    '<a@example.com>',
    'group: a@example.com;',
    '"a b"@example.com',
    'a@b@example.com',
    'a@example.com\u0000',
    'a\u202e@example.com',
    '',
    'no-mailbox',
  ])('to %j is never sent', (to) => {
    expect(() => compose({ to })).toThrow(PermanentJobError)
  })

  it('has the same in HTML, with links to this service only', async () => {
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(
      compose({
        text: `A <script> & "B"\n${BASE}/confirm#token\n\n  - see ${BASE}/a?b=1&c=2.\n  - https://evil.example ${BASE}.evil.example`,
      }),
    )
    const { html } = parse(String(message))
    expect(html).toContain('<p>A &#60;script&#62; &#38; &#34;B&#34;<br>')
    expect(html).toContain(`<a href="${BASE}/confirm#token">${BASE}/confirm</a></p>`)
    expect(html).toContain(
      `<ul><li>see <a href="${BASE}/a?b=1&#38;c=2">${BASE}/a</a>.</li><li>https://evil.example ${BASE}.evil.example</li></ul>`,
    )
  })

  it('reads no file and no URL from its parts', async () => {
    const transport = createTransport({ streamTransport: true, buffer: true })
    const { message } = await transport.sendMail(compose({ text: '/etc/hostname' }))
    expect(parse(String(message)).text).toMatch(/^\/etc\/hostname\n\nServer Directory\n/)
    await expect(transport.sendMail({ ...compose({}), text: { path: '/etc/hostname' } })).rejects.toThrow(/access/i)
  })
})

describe('the look of the site', () => {
  const mail = { to: 'a@example.com', subject: 'Hello', text: `See ${BASE}/a.` }
  const look = { name: 'North <b>& South', accent: '#ffd400', logo: Buffer.from('a picture') } as const
  const sent = async (given: Partial<typeof look> = {}, sender = from) => {
    const options = composeMessage(mail, { from: sender, id: 'i', base: BASE, look: { ...LOOK, ...given } })
    const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(options)
    return { source: String(message), html: String(options.html), options }
  }

  it('gives a mail its name, its logo within the mail, and a colour that can be read', async () => {
    const { source, html, options } = await sent(look)
    expect(options).toMatchObject({ from: { name: look.name, address: 'no-reply@localhost' } })
    expect(options.text).toContain(`\n\nNorth <b>& South\n${BASE}\n`)
    expect(html).toContain('<b>North &#60;b&#62;&#38; South</b>')
    expect(html).not.toContain('ffd400') // yellow on white
    expect(html).toMatch(/<a href="https:\/\/directory.example\/a" style="color:#[0-9a-f]{6}">/)
    expect(html).toContain('src="cid:logo"')
    expect(source).toMatch(/Content-Type: image\/png/i)
    expect(source).toMatch(/Content-ID: <logo>/i)
  })

  it('leaves a mail as it was while nothing is set, and a sender who has a name with it', async () => {
    const { source, html } = await sent()
    expect(html).not.toMatch(/color:|cid:/)
    expect(source).not.toMatch(/image/)
    const own = await sent(look, parseSender('Postmaster <post@example.org>'))
    expect(own.options.from).toEqual({ name: 'Postmaster', address: 'post@example.org' })
  })
})

describe('MAIL_FROM', () => {
  it.each([
    ['post@example.org', { name: '', address: 'post@example.org' }],
    ['<post@example.org>', { name: '', address: 'post@example.org' }],
    ['The Directory <post@example.org>', { name: 'The Directory', address: 'post@example.org' }],
  ])('%j is a sender', (setting, sender) => {
    expect(parseSender(readSettings({ MAIL_FROM: setting }).MAIL_FROM)).toEqual(sender)
  })

  it.each(['no-mailbox', 'a@b, c@d', 'A\r\nBcc: c@d <a@b>', 'A <a@b> <c@d>', 'a@b\n', 'A <a b@c>'])(
    '%j prevents the start',
    (setting) => {
      expect(() => readSettings({ MAIL_FROM: setting })).toThrow(SettingsError)
    },
  )
})

it.each(['mail.example.com', 'https://mail.example.com', 'smtp:mail'])('SMTP_URL %j prevents the start', (setting) => {
  expect(() => readSettings({ SMTP_URL: setting })).toThrow(/bad setting: SMTP_URL/)
})
