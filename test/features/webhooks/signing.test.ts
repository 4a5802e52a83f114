// The official library verifies exactly our signatures.
import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { signatureHeaders } from '../../../src/features/webhooks/signing.ts'

const newSecret = (bytes = 32) => `whsec_${randomBytes(bytes).toString('base64')}`
const message = fc.record({
  id: fc.uuid(),
  body: fc.jsonValue().map((data) => JSON.stringify({ type: 'vote.created', data })),
})

const verifies = (secret: string, body: string, headers: Record<string, string>) => {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}

describe('a signature', () => {
  it('is verified by the official library, for any body and length of the secret', () => {
    fc.assert(
      fc.property(message, fc.integer({ min: 24, max: 64 }), ({ id, body }, bytes) => {
        const secret = newSecret(bytes)
        const headers = signatureHeaders([secret], { id, at: Date.now(), body })
        expect(headers).toMatchObject({ 'webhook-id': id, 'webhook-signature': expect.stringMatching(/^v1,\S+$/) })
        expect(verifies(secret, body, headers)).toBe(true)
        expect(verifies(newSecret(bytes), body, headers)).toBe(false)
      }),
    )
  })

  it('fails when one bit of the body, the id, the time or the signature differs', () => {
    const parts = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
    fc.assert(
      fc.property(
        message,
        fc.constantFrom(...parts),
        fc.nat(),
        fc.integer({ min: 0, max: 7 }),
        ({ id, body }, part, at, bit) => {
          const secret = newSecret()
          const sent: Record<string, string> = { body, ...signatureHeaders([secret], { id, at: Date.now(), body }) }
          const bytes = Buffer.from(sent[part] ?? '')
          const place = at % bytes.length
          bytes[place] = (bytes[place] ?? 0) ^ (1 << bit)
          const { body: changed = '', ...headers } = { ...sent, [part]: bytes.toString() }
          expect(verifies(secret, changed, headers)).toBe(false)
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('of two secrets, as during a rotation, is verified with either', () => {
    const [present, previous] = [newSecret(), newSecret()]
    const body = '{"type":"webhook.test"}'
    const headers = signatureHeaders([present, previous], { id: 'an-id', at: Date.now(), body })
    expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
    expect(verifies(present, body, headers)).toBe(true)
    expect(verifies(previous, body, headers)).toBe(true)
    expect(verifies(newSecret(), body, headers)).toBe(false)
  })

  it('changes each second, and an old one is refused', () => {
    const secret = newSecret()
    const body = '{}'
    const [then, now] = [600_000, 0].map((age) =>
      signatureHeaders([secret], { id: 'an-id', at: Date.now() - age, body }),
    )
    expect(then?.['webhook-signature']).not.toBe(now?.['webhook-signature'])
    expect(verifies(secret, body, then ?? {})).toBe(false)
    expect(verifies(secret, body, now ?? {})).toBe(true)
  })
})
