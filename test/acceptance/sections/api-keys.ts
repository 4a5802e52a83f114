// API keys: their fields, and what they give access to.
import { expect } from 'vitest'
import { newKey, withHeader } from '../keys.ts'
import { operator, type Person, register, WAIT_OPTIONS } from '../product.ts'
import { section } from '../section.ts'

const SLACK_MS = 1_000

async function listedKeys({ client }: Person): Promise<Record<string, unknown>[]> {
  const { status, body } = await client.get<{ apiKeys: Record<string, unknown>[] }>('/api/user/api-keys')
  expect(status).toBe(200)
  return body.apiKeys
}

/** Status of a request with this credential. */
const statusWith = async (credential: string) =>
  (await withHeader(`Bearer ${credential}`).get('/api/v1/servers?limit=1')).status

section('API key', {
  id: [
    'identifies the key: revoking one leaves the other valid',
    async () => {
      const person = await register()
      const [first, second] = [await newKey(person), await newKey(person)]
      await person.client.delete(`/api/user/api-keys/${first.id}`)
      expect((await listedKeys(person)).map(({ id }) => id)).toEqual([second.id])
      expect(await statusWith(`${first.key}.${first.secret}`)).toBe(401)
      expect(await statusWith(`${second.key}.${second.secret}`)).toBe(200)
    },
  ],
  name: [
    'is the name that the user gave',
    async () => {
      const person = await register()
      expect((await newKey(person, 'The panel of the island')).name).toBe('The panel of the island')
      expect((await listedKeys(person))[0]?.name).toBe('The panel of the island')
    },
  ],
  key: [
    'is the public part, which the list shows and which gives no access without the secret',
    async () => {
      const person = await register()
      const { key, secret } = await newKey(person)
      expect((await listedKeys(person))[0]?.key).toBe(key)
      expect(await statusWith(`${key}.${secret}`)).toBe(200)
      expect(await statusWith(key)).toBe(401)
    },
  ],
  secret: [
    'is only in the creation’s response; another secret gives no access',
    async () => {
      const person = await register()
      const [first, second] = [await newKey(person), await newKey(person)]
      expect(first.secret).not.toBe(second.secret)
      expect(JSON.stringify(await listedKeys(person))).not.toContain(first.secret)
      const { body } = await person.client.patch(`/api/user/api-keys/${first.id}`, { name: 'Renamed' })
      expect(Object.keys(body)).not.toContain('secret')
      expect(await statusWith(`${first.key}.${second.secret}`)).toBe(401)
    },
  ],
  tier: [
    'is the owner’s tier, free at first, and changes with it',
    async () => {
      const person = await register()
      expect((await newKey(person)).tier).toBe('free')
      for (const tier of ['standard', 'premium', 'enterprise', 'free']) {
        await operator.client.patch(`/api/admin/users/${person.id}`, { tier })
        expect((await listedKeys(person))[0]?.tier).toBe(tier)
      }
    },
  ],
  rateLimit: [
    'is how many requests a minute the tier allows',
    async () => {
      const person = await register()
      expect((await newKey(person)).rateLimit).toBe(10)
      for (const [tier, rateLimit] of [
        ['standard', 100],
        ['premium', 1_000],
        ['enterprise', 10_000],
      ]) {
        await operator.client.patch(`/api/admin/users/${person.id}`, { tier })
        expect((await listedKeys(person))[0]?.rateLimit).toBe(rateLimit)
        expect((await newKey(person)).rateLimit).toBe(rateLimit)
      }
    },
  ],
  isActive: [
    'is true, and false while the user has disabled the key, which then gives no access',
    async () => {
      const person = await register()
      const { id, key, secret, isActive } = await newKey(person)
      expect(isActive).toBe(true)
      await person.client.patch(`/api/user/api-keys/${id}`, { isActive: false })
      expect((await listedKeys(person))[0]?.isActive).toBe(false)
      expect(await statusWith(`${key}.${secret}`)).toBe(401)
      await person.client.patch(`/api/user/api-keys/${id}`, { isActive: true })
      expect(await statusWith(`${key}.${secret}`)).toBe(200)
    },
  ],
  lastUsedAt: [
    'is null until the first use, then the time of the last; the creation’s response has none',
    async () => {
      const person = await register()
      const { key, secret, ...created } = await newKey(person)
      expect(Object.keys(created)).not.toContain('lastUsedAt')
      expect((await listedKeys(person))[0]?.lastUsedAt).toBeNull()
      const usedAt = Date.now()
      expect(await statusWith(`${key}.${secret}`)).toBe(200)
      await expect.poll(async () => (await listedKeys(person))[0]?.lastUsedAt, WAIT_OPTIONS).not.toBeNull()
      const lastUsedAt = Date.parse(String((await listedKeys(person))[0]?.lastUsedAt))
      expect(lastUsedAt).toBeGreaterThan(usedAt - SLACK_MS)
      expect(lastUsedAt).toBeLessThan(Date.now() + SLACK_MS)
    },
  ],
  createdAt: [
    'is when the key was created',
    async () => {
      const person = await register()
      const before = Date.now()
      const createdAt = String((await newKey(person)).createdAt)
      expect(Date.parse(createdAt)).toBeGreaterThan(before - SLACK_MS)
      expect(Date.parse(createdAt)).toBeLessThan(Date.now() + SLACK_MS)
      expect((await listedKeys(person))[0]?.createdAt).toBe(createdAt)
    },
  ],
})
