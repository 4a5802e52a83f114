// Creates API keys as owners do, and clients that call with them.
import { expect } from 'vitest'
import { type Client, createClient } from '../support/product-client.ts'
import { type Person, product } from './product.ts'

export interface CreatedKey extends Record<string, unknown> {
  id: string
  key: string
  secret: string
}

export async function newKey({ client }: Person, name = 'My panel'): Promise<CreatedKey> {
  const { status, body } = await client.post<CreatedKey>('/api/user/api-keys', { name })
  expect(status).toBe(201)
  return body
}

/** A client that sends this header with every request, and no cookie. */
export const withHeader = (authorization: string): Client => createClient(product, { authorization })

export const withKey = ({ key, secret }: Pick<CreatedKey, 'key' | 'secret'>): Client =>
  withHeader(`Bearer ${key}.${secret}`)
