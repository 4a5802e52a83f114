// Logs in at the chat platform or the game platform as a browser does.
import { expect } from 'vitest'
import type { FakeChatProvider } from './fake-chat-provider.ts'
import type { FakeGamePlatform } from './fake-game-platform.ts'
import type { Client } from './product-client.ts'

/** Links the identity to the session's account, or logs in when there is no session. */
export async function goByPlatform(client: Client, platform: FakeChatProvider | FakeGamePlatform, id: string) {
  if ('steamId' in platform) platform.steamId = id
  else platform.user = { id, username: 'someone', global_name: null, email: null, verified: false }
  const there = await client.get(`/api/auth/${'steamId' in platform ? 'gameplatform' : 'chat'}`)
  expect(there.status).toBe(302)
  const { pathname, search } = new URL(await platform.allow(there.headers.get('location') ?? ''))
  const { status, headers, body } = await client.get(pathname + search)
  expect([status, body]).toEqual([302, ''])
  expect(new URL(headers.get('location') ?? '').pathname).toBe('/')
}
