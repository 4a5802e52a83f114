// Requests of the owner of keys.

import type { TestApi } from '../../support/api.ts'
import type { Person } from '../../support/people.ts'

export interface Created {
  id: string
  name: string
  key: string
  secret: string
  tier: string
  rateLimit: number
}

export const bearer = ({ key, secret }: Pick<Created, 'key' | 'secret'>) => ({
  authorization: `Bearer ${key}.${secret}`,
})

const json = (method: string, { cookie }: Person, body: unknown): RequestInit => ({
  method,
  headers: { cookie, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export async function createKey(api: TestApi, person: Person, name = 'a key', more: object = {}): Promise<Created> {
  const response = await api.request('/api/user/api-keys', json('POST', person, { name, ...more }))
  if (response.status !== 201) throw new Error(`creating a key answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Created
}

export const patchKey = (api: TestApi, person: Person, id: string, body: unknown) =>
  api.request(`/api/user/api-keys/${id}`, json('PATCH', person, body))

export const revokeKey = (api: TestApi, { cookie }: Person, id: string) =>
  api.request(`/api/user/api-keys/${id}`, { method: 'DELETE', headers: { cookie } })

export async function listKeys(api: TestApi, { cookie }: Person): Promise<Record<string, unknown>[]> {
  const response = await api.request('/api/user/api-keys', { headers: { cookie } })
  return ((await response.json()) as { apiKeys: Record<string, unknown>[] }).apiKeys
}
