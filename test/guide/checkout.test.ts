// From `npm start` to a paid tier, offline: with the guide's curl commands, and in a browser.
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type RunningLauncher, startLauncher, temporaryFolder } from '../commands/support/start-launcher.ts'
import { launchChromium } from '../support/chromium.ts'
import { guideBlocks, isShellMissing, runBlocks } from '../support/guide.ts'
import { isMissing } from '../support/installed.ts'

const WAIT_OPTIONS = { timeout: 45_000, interval: 100 }

async function startProduct(): Promise<RunningLauncher> {
  const launcher = await startLauncher({ RATE_LIMIT_IP_PER_MINUTE: '0', LOG_LEVEL: 'warn' })
  await vi.waitFor(() => expect(launcher.output()).toContain('The server directory is running.'), WAIT_OPTIONS)
  expect(launcher.output()).toMatch(/Payments +http:\/\/127\.0\.0\.1:\d+ \(sandbox: play money\)/)
  return launcher
}

const REGISTRATION = { email: 'me@example.com', password: 'plough the 7 seas', username: 'Me' }

async function register(apiUrl: string): Promise<string> {
  const response = await fetch(`${apiUrl}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(REGISTRATION),
  })
  expect(response.status).toBe(201)
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

const subscriptionOf = async (apiUrl: string, cookie: string) =>
  (await (await fetch(`${apiUrl}/api/user/subscription`, { headers: { cookie } })).json()) as Record<string, unknown>

test.skipIf(isShellMissing())('the guide’s commands pay for a tier', async () => {
  const blocks = guideBlocks('checkout')
  expect(blocks).toHaveLength(3)
  const { apiUrl } = await startProduct()
  const registering = `curl -sS -c cookies.txt http://localhost:3000/api/auth/register -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(REGISTRATION)}'\n`
  const [, ordered, paid = '', ended = ''] = await runBlocks([registering, ...blocks], {
    'http://localhost:3000': apiUrl,
    'cookies.txt': path.join(temporaryFolder(), 'cookies.txt'),
  })
  expect(ordered).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/pay\/\w+ and press Pay$/)
  expect(JSON.parse(paid)).toMatchObject({ tier: 'premium', status: 'active', cancelAtPeriodEnd: false })
  expect(JSON.parse(ended)).toMatchObject({ tier: 'premium', status: 'active', cancelAtPeriodEnd: true })
})

test.skipIf(isMissing('chromium'))('a person pays for a tier in a browser', async () => {
  const { apiUrl } = await startProduct()
  const cookie = await register(apiUrl)
  const ordered = await fetch(`${apiUrl}/api/billing/checkout`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ tier: 'premium' }),
  })
  const { url } = (await ordered.json()) as { url: string }
  expect(await subscriptionOf(apiUrl, cookie)).toMatchObject({ tier: 'free', status: 'none' })

  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  await page.goto(url)
  expect(await page.getByRole('heading').textContent()).toBe('Pay')
  expect(await page.getByText('15.00 USD a month').isVisible()).toBe(true)

  await page.getByRole('button', { name: 'Fail' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('declined')
  expect(await subscriptionOf(apiUrl, cookie)).toMatchObject({ tier: 'free' })

  await page.getByRole('button', { name: 'Pay', exact: true }).click()
  await page.waitForURL(/\/payment\?checkout=success&session_id=cs_test_\w+$/)
  // The page has no session of the directory, so it claims nothing.
  await page.getByRole('heading', { name: 'Your payment' }).waitFor()
  await vi.waitFor(
    async () => expect(await subscriptionOf(apiUrl, cookie)).toMatchObject({ tier: 'premium', status: 'active' }),
    WAIT_OPTIONS,
  )
})
