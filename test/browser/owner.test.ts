// The life of an owner with the mouse: register, add a server, prove it, an endpoint, the vote key, an API key, and
// delete the account; without scripts too.
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startSimulatedServer } from '../../dev/simulator/server.ts'
import { startLauncher } from '../commands/support/start-launcher.ts'
import { serverFields } from '../features/servers/support.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { launchChromium } from '../support/chromium.ts'
import { isMissing } from '../support/installed.ts'
import { faultsOf } from '../support/page-faults.ts'

const SOON = { timeout: 45_000, interval: 50 }
const PASSWORD = 'plough the 7 seas'

describe.skipIf(isMissing('chromium'))('an owner', () => {
  let browser: Browser
  let baseUrl = ''

  beforeAll(async () => {
    const [product, launched] = await Promise.all([
      startLauncher({ RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '0' }, { atEnd: atFileEnd }),
      launchChromium(),
    ])
    browser = launched
    atFileEnd(() => browser.close())
    await vi.waitFor(() => expect(product.output()).toContain('The server directory is running.'), SOON)
    baseUrl = /Site +(http:\S+)/.exec(product.output())?.[1] ?? ''
  })

  async function open(javaScriptEnabled: boolean): Promise<{ page: Page; wrong: string[] }> {
    const context = await browser.newContext({ javaScriptEnabled, locale: 'en', reducedMotion: 'reduce' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    page.on('pageerror', (error) => wrong.push(error.message))
    return { page, wrong }
  }

  async function register(page: Page, name: string): Promise<void> {
    await page.goto(`${baseUrl}/my/servers`)
    await page.getByRole('link', { name: 'Create one' }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('E-mail address').fill(`${name}@example.com`)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'My servers' }).waitFor()
  }

  it.each([
    ['with', true],
    ['without', false],
  ])('from the first server to the end of the account: %s scripts', async (_, hasScripts) => {
    const game = await startSimulatedServer({
      info: { name: 'Bear Island', appId: 252_490, players: 7, maxPlayers: 64 },
    })
    onTestFinished(() => game.close())
    const { page, wrong } = await open(hasScripts)
    const faults: string[] = []
    const look = async () => hasScripts && faults.push(...(await faultsOf(page)))
    await page.goto(`${baseUrl}/login`)
    await look()
    await register(page, hasScripts ? 'Ann' : 'Ben')
    await look()

    await page.getByRole('link', { name: 'Add server', exact: true }).click()
    await page.getByRole('heading', { name: 'Add your server' }).waitFor()
    await look()
    await page.getByLabel('Address or join link').fill(`steam://connect/${game.address}:${game.port}/secret`)
    await page.getByRole('button', { name: 'Find the server' }).click()
    await page.getByText('Server found:').waitFor()
    expect(await page.locator('#found').innerText()).toContain('Bear Island (Rust), 7 of 64 players.')
    await look()
    await page.getByText('It is another game').click()
    await page.getByLabel('Which game is it?').fill('minecarft')
    await page.getByRole('button', { name: 'Ask again' }).click()
    await page.getByText('is no game of the list. Did you mean').first().waitFor()
    expect(wrong.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')])
    await look()
    await page.getByLabel('Address or join link').fill(`connect ${game.address}:${game.port}`)
    await page.getByRole('button', { name: 'Find the server' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Bear Island of tests')
    if (hasScripts) expect(await page.locator('.looks h2').innerText()).toBe('Bear Island of tests')
    await look()
    await page.getByRole('button', { name: 'List this server' }).click()
    await page.getByRole('heading', { name: 'Prove that it is yours' }).waitFor()
    game.info.name = `Bear Island ${await page.locator('.copy-block code').innerText()}`
    await look()
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('proven to be yours').waitFor()
    await page.getByRole('link', { name: 'Manage the server' }).click()
    await page.getByRole('img', { name: /^Players of/ }).waitFor()
    await look()

    await page.getByRole('link', { name: 'Endpoints' }).click()
    await page.getByText('Add: Votifier 2').click()
    await page.getByLabel('Host').first().fill('127.0.0.1')
    await page.getByLabel('Port').first().fill(String(game.port))
    await page.getByLabel('Token').fill('the token of the plugin')
    await look()
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Send a test' }).click()
    await page.getByText('The test is on its way').waitFor()
    const attempt = page.getByText('the game server refused the connection').first()
    if (hasScripts) await attempt.waitFor()
    else
      await expect
        .poll(async () => {
          await page.reload()
          return attempt.isVisible()
        }, SOON)
        .toBe(true)
    await look()

    await page.getByRole('link', { name: 'Votes' }).click()
    await page.getByRole('button', { name: 'Make a vote key' }).click()
    const key = await page.locator('.notice code').innerText()
    expect(key).toMatch(/^vk_/)
    await page.getByText('Plugins that know Steam ids').scrollIntoViewIfNeeded()
    expect(await page.locator('.blocks').textContent()).toContain(`key=${key}`)
    await look()
    for (const tab of ['Rewards', 'Console', 'Wipes', 'Listing']) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await look()
    }

    await page.getByRole('link', { name: hasScripts ? 'Ann' : 'Ben' }).click()
    await look()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByLabel('Purpose').fill('my bot')
    await page.getByRole('button', { name: 'Create key' }).click()
    const credential = await page.locator('.notice code').first().innerText()
    const { status } = await fetch(`${baseUrl}/api/user/servers`, {
      headers: { authorization: `Bearer ${credential}` },
    })
    expect(status).toBe(200)
    await look()
    for (const tab of ['Favorites', 'Notifications', 'Subscription']) {
      await page.getByRole('link', { name: tab, exact: true }).click()
      await look()
    }
    await page.getByText('$15.00 a month').waitFor()
    await page.getByRole('button', { name: 'Choose Premium' }).click()
    await page.getByText('15.00 USD a month').waitFor()
    await page.getByRole('link', { name: 'Back to Server Directory' }).click()
    await page.getByRole('heading', { name: 'You left the payment page' }).waitFor()
    await look()
    await page.getByRole('link', { name: 'Back to your subscription' }).click()
    await page.getByRole('button', { name: 'Choose Premium' }).click()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    const renewal = page.getByText('Your tier: Premium · Renews on')
    if (hasScripts) await renewal.waitFor()
    else
      await expect
        .poll(async () => {
          await page.reload()
          return renewal.isVisible()
        }, SOON)
        .toBe(true)
    await look()
    await page.getByRole('link', { name: 'Back to your subscription' }).click()
    await page.getByRole('button', { name: 'Change to Enterprise' }).waitFor()
    await look()

    await page.getByRole('link', { name: 'Profile', exact: true }).click()
    await page.getByText('Delete account').last().click()
    await look()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('I understand').check()
    await page.getByRole('button', { name: 'Yes, delete my account' }).click()
    await page.getByText('Your account was deleted.').waitFor()
    await look()
    expect(faults).toEqual([])
    expect(wrong).toEqual([])
  })

  it('chooses events of an endpoint while its log moves, and saves the new choice', async () => {
    const { page, wrong } = await open(true)
    await register(page, 'Cid')
    const post = async (path: string, data: object) => {
      const reply = await page.request.post(`${baseUrl}/api${path}`, { data })
      expect(reply.ok(), await reply.text()).toBe(true)
      return reply.json()
    }
    const { server } = await post('/servers', serverFields())
    const path = `/servers/${server.id}/endpoints`
    const { id } = await post(path, { kind: 'standard', url: 'http://127.0.0.1:9/', events: ['vote.created'] })
    await page.goto(`${baseUrl}/my${path}/${id}`)
    const choices = () =>
      Promise.all(['A vote', 'The server was wiped'].map((name) => page.getByLabel(name).isChecked()))
    await page.getByText('Settings', { exact: true }).click()
    await page.getByLabel('A vote').uncheck()
    await page.getByLabel('The server was wiped').check()
    await post(`${path}/${id}/test`, {})
    await page.locator('.deliveries details').first().waitFor()
    expect(await choices()).toEqual([false, true])
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL((url) => url.searchParams.get('done') === 'edit')
    await page.getByText('Saved.').waitFor()
    expect(await choices()).toEqual([false, true])
    expect(wrong).toEqual([])
  })
})
