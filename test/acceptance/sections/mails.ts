// Notification mails, and what their recipients change by them without logging in.
import { expect } from 'vitest'
import { findMails, theNotified } from '../mails.ts'
import { newVisitor, product, register, WAIT_OPTIONS } from '../product.ts'
import { onceNeeded, section } from '../section.ts'

/** The mail that reports the lost lead. The job that orders mails runs each minute. */
const theMail = onceNeeded(async () => {
  const { email } = await theNotified()
  const found = () => findMails('/notifications#').filter(({ headers }) => headers.get('to') === email)
  await expect.poll(found, { ...WAIT_OPTIONS, timeout: 90_000 }).toHaveLength(1)
  const [mail] = found()
  if (!mail) throw new Error('no mail')
  return mail
})

const preferences = async () => (await (await theNotified()).client.get('/api/user/notification-preferences')).body

section('notification mails', {
  link: [
    'leads to a page where the recipient chooses what is mailed, without logging in and without access to anything else',
    async () => {
      const { text } = await theMail()
      const [, origin, token] = /^(http\S+)\/notifications#([\w-]{44})$/m.exec(text) ?? []
      expect(origin).toBe(new URL(origin ?? '').origin)
      expect((await fetch(`${product.url}/notifications`)).status).toBe(200)
      const change = (fields: object = {}) =>
        newVisitor().post('/api/notifications/mail-settings', { token, ...fields })
      const { chat, ...shown } = await preferences()
      expect(await change()).toMatchObject({ status: 200, body: shown })
      expect((await change({ events: { auctionOutbid: false } })).status).toBe(200)
      expect(await preferences()).toMatchObject({
        chat,
        email: true,
        events: { auctionOutbid: false, auctionWon: true },
      })
      expect((await change({ token: `${token?.slice(0, -4)}AAAA` })).body).toMatchObject({ error: 'invalid_token' })
      const confirmed = await newVisitor().post('/api/auth/verify-email', { token })
      expect(confirmed).toMatchObject({ status: 400, body: { error: 'invalid_token' } })
    },
    120_000,
  ],
  'one click': [
    'of a mail program ends these mails, and again changes nothing',
    async () => {
      const { headers } = await theMail()
      expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
      const [, link = ''] = /^<(http\S+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? []
      const { pathname, search } = new URL(link)
      expect(await preferences()).toMatchObject({ email: true })
      for (let time = 1; time <= 2; time++) {
        const response = await fetch(product.url + pathname + search, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'List-Unsubscribe=One-Click',
        })
        expect([response.status, await response.json()]).toEqual([200, { success: true }])
      }
      expect(await preferences()).toMatchObject({ email: false, events: { auctionWon: true } })
      const { client } = await register()
      expect((await client.get('/api/user/notification-preferences')).body).toMatchObject({ email: true })
    },
    120_000,
  ],
})
