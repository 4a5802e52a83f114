// Logging in at the chat platform and at the game platform, the way a browser is sent there and back.
import { expect } from 'vitest'
import type { Answer, Client } from '../support/product-client.ts'
import { chatProvider, gamePlatform } from './product.ts'

let identities = 0

/** Nobody's yet, at either platform. */
export const newIdentity = () => `765611980${String(++identities).padStart(8, '0')}`

/** With a session the identity is linked to its account; without one it is logged in. */
export async function goByChatPlatform(client: Client, id: string, username = 'somebody'): Promise<void> {
  chatProvider.user = { id, username, global_name: null, email: null, verified: false }
  const there = await client.get('/api/auth/chat')
  await comeBack(client, there, (address) => chatProvider.allow(address))
}

/** As `goByChatPlatform`. */
export async function goByGamePlatform(client: Client, id: string): Promise<void> {
  gamePlatform.steamId = id
  const there = await client.get('/api/auth/gameplatform')
  await comeBack(client, there, (address) => gamePlatform.allow(address))
}

async function comeBack(client: Client, there: Answer, allow: (address: string) => Promise<string>): Promise<void> {
  expect(there.status).toBe(302)
  const { pathname, search } = new URL(await allow(there.headers.get('location') ?? ''))
  const { status, headers, body } = await client.get(pathname + search)
  expect([status, body]).toEqual([302, ''])
  expect(new URL(headers.get('location') ?? '').pathname).toBe('/')
}
