// Login through either provider, up to the answer that a browser brings back.
import { expect } from 'vitest'
import type { Browser } from '../../support/browser.ts'
import type { FakeChatProvider } from '../../support/fake-chat-provider.ts'
import type { FakeGamePlatform } from '../../support/fake-game-platform.ts'

export const PUBLIC_BASE_URL = 'http://directory.test'

/** Begins a login. @returns the address of the redirect */
export async function begin(browser: Browser, provider: 'chat' | 'gameplatform'): Promise<string> {
  const response = await browser.go(`/api/auth/${provider}`)
  expect(response.status).toBe(302)
  return response.headers.get('location') ?? ''
}

/** Begins a login and approves it. @returns the redirect back, which is not requested yet */
export const comeBack = async (browser: Browser, from: FakeChatProvider | FakeGamePlatform) =>
  from.allow(await begin(browser, 'steamId' in from ? 'gameplatform' : 'chat'))

/** Completes a login. @throws when it does not end at the front page */
export async function logIn(browser: Browser, from: FakeChatProvider | FakeGamePlatform): Promise<void> {
  const response = await browser.go(await comeBack(browser, from))
  expect([response.status, response.headers.get('location')]).toEqual([302, `${PUBLIC_BASE_URL}/`])
}

export async function profileOf(browser: Browser): Promise<Record<string, unknown>> {
  const response = await browser.go('/api/user/profile')
  expect(response.status).toBe(200)
  return (await response.json()) as Record<string, unknown>
}

export const isLoggedIn = async (browser: Browser) => (await browser.go('/api/auth/session')).status === 200

/** @returns status, code, and the reason in the message */
export async function failureOf(response: Response): Promise<unknown[]> {
  const { error, message } = (await response.json()) as { error: string; message: string }
  return [response.status, error, /\((\w+)\)/.exec(message)?.[1]]
}

export const failed = (reason: string) => [400, 'provider_login_failed', reason]
