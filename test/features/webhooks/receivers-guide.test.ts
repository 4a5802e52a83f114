// The receivers' guide (docs/WEBHOOKS.md) is correct.
import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { EVENT_TYPES } from '../../../src/features/webhooks/event-types.ts'
import { signatureHeaders } from '../../../src/features/webhooks/signing.ts'

const guide = fs.readFileSync(path.resolve(import.meta.dirname, '../../../docs/WEBHOOKS.md'), 'utf8')
const snippet = /```js\n(.*?)```/s.exec(guide)?.[1] ?? ''
const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(snippet)}`)) as {
  isGenuine: (secret: string, headers: Record<string, string>, body: Buffer) => boolean
}

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`

test('its code accepts exactly what either secret signed', () => {
  const [present, previous] = [newSecret(), newSecret()]
  const body = '{"type":"vote.created","data":{"username":"Zoë"}}'
  const headers = signatureHeaders([present, previous], { id: 'an-id', at: Date.now(), body })
  for (const secret of [present, previous]) expect(isGenuine(secret, headers, Buffer.from(body))).toBe(true)
  expect(isGenuine(newSecret(), headers, Buffer.from(body))).toBe(false)
  expect(isGenuine(present, headers, Buffer.from(body.replace('ë', 'e')))).toBe(false)
  expect(isGenuine(present, { ...headers, 'webhook-id': 'another' }, Buffer.from(body))).toBe(false)
  for (const age of [-600_000, 600_000]) {
    const old = signatureHeaders([present], { id: 'an-id', at: Date.now() - age, body })
    expect(isGenuine(present, old, Buffer.from(body))).toBe(false)
  }
  expect(isGenuine(present, { ...headers, 'webhook-timestamp': 'now' }, Buffer.from(body))).toBe(false)
})

test('it lists every event', () => {
  const named = [...guide.matchAll(/^\| `([a-z]+\.[a-z]+)` \|/gm)].map(([, type]) => type)
  expect(named.sort()).toEqual([...EVENT_TYPES, 'webhook.test'].sort())
})
