// A second factor, the list of sessions, and the file of everything that is stored about an account.
import { TOTP } from 'otpauth'
import { expect } from 'vitest'
import { confirmAddress } from '../mails.ts'
import { newVisitor, PASSWORD, register } from '../product.ts'
import { section } from '../section.ts'

section('defended accounts', {
  'second factor': [
    'is asked for after the password; a recovery code works once',
    async () => {
      const owner = await register()
      await confirmAddress(owner)
      const path = '/api/user/second-factor/codes'
      const { body } = await owner.client.post<{ secret: string }>(path, { password: PASSWORD })
      const code = new TOTP({ secret: body.secret }).generate()
      const confirmed = await owner.client.post<{ recoveryCodes: string[] }>(`${path}/confirm`, { code })
      const [recoveryCode] = confirmed.body.recoveryCodes
      const logIn = async () => {
        const visitor = newVisitor()
        const { status, body } = await visitor.post('/api/auth/login', { email: owner.email, password: PASSWORD })
        expect([status, body.error]).toEqual([401, 'second_factor_needed'])
        expect((await visitor.get('/api/user/profile')).status).toBe(401)
        return (await visitor.post('/api/auth/second-step', { recoveryCode })).status
      }
      expect(await logIn()).toBe(200)
      expect(await logIn()).toBe(401)
    },
  ],
  sessions: [
    'are listed with browser and last use, and one of them is ended',
    async () => {
      const person = await register()
      const other = newVisitor()
      await other.post('/api/auth/login', { email: person.email, password: PASSWORD })
      const { body } = await person.client.get<{ sessions: { id: string; isCurrent: boolean }[] }>('/api/user/sessions')
      expect(body.sessions).toHaveLength(2)
      const ended = body.sessions.find(({ isCurrent }) => !isCurrent)
      expect((await person.client.delete(`/api/user/sessions/${ended?.id}`)).status).toBe(200)
      expect((await other.get('/api/user/profile')).status).toBe(401)
      expect((await person.client.get('/api/user/profile')).status).toBe(200)
    },
  ],
  'GET /api/user/data': [
    'is one file with everything that is stored about the account, and no secret',
    async () => {
      const person = await register()
      const { status, body } = await person.client.get('/api/user/data')
      expect(status).toBe(200)
      expect(JSON.stringify(body)).toContain(person.email)
      expect(JSON.stringify(body)).not.toMatch(/password_?hash|\$argon2|\$scrypt/i)
    },
  ],
})
