// The main flows in Firefox, which speaks WebDriver BiDi to puppeteer without another driver.
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { startSimulatedServer } from '../../dev/simulator/server.ts'
import { startLauncher } from '../commands/support/start-launcher.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { findProgram, isMissing } from '../support/installed.ts'

const PERSON = { email: 'fox@example.com', username: 'Fox', password: 'plough the 7 seas' }

const button = (name: string) => `::-p-aria([name="${name}"][role="button"])`
const link = (name: string) => `::-p-aria([name="${name}"][role="link"])`
const text = (words: string) => `main ::-p-text(${words})`

describe.skipIf(isMissing('firefox-esr'))('in Firefox', () => {
  let browser: Browser
  let baseUrl = ''

  beforeAll(async () => {
    const limits = { RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '0' }
    const [product, launched] = await Promise.all([
      startLauncher(limits, { atEnd: atFileEnd }),
      puppeteer.launch({
        browser: 'firefox',
        executablePath: findProgram('firefox-esr') ?? '',
        extraPrefsFirefox: { 'intl.accept_languages': 'en' },
      }),
    ])
    browser = launched
    atFileEnd(() => browser.close())
    await vi.waitFor(() => expect(product.output()).toContain('The server directory is running.'), {
      timeout: 45_000,
      interval: 50,
    })
    baseUrl = /Site +(http:\S+)/.exec(product.output())?.[1] ?? ''
    const response = await fetch(`${baseUrl}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(PERSON),
    })
    expect(response.status).toBe(201)
  })

  async function open(): Promise<{ page: Page; wrong: string[] }> {
    const context = await browser.createBrowserContext()
    onTestFinished(() => context.close())
    const page = await context.newPage()
    page.setDefaultTimeout(45_000)
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    page.on('pageerror', (error) => wrong.push(String(error)))
    return { page, wrong }
  }

  it('an owner logs in, lists a server and tests an endpoint; a player filters, votes and sees the cooldown', async () => {
    const game = await startSimulatedServer({ info: { name: 'Fox Island', players: 7, maxPlayers: 64 } })
    onTestFinished(() => game.close())
    const { page: owner, wrong } = await open()
    await owner.goto(`${baseUrl}/my/servers`)
    await owner.locator('[name="email"]').fill(PERSON.email)
    await owner.locator('[name="password"]').fill(PERSON.password)
    await owner.locator(button('Log in')).click()
    await owner.locator(link('Add a server')).click()
    await owner.locator('[name="address"]').fill(`${game.address}:${game.port}`)
    await owner.locator(button('Find the server')).click()
    await owner.locator(text('7 of 64 players')).wait()
    await owner.locator(button('List this server')).click()
    await owner.locator(text('Prove that it is yours')).wait()
    const id = /servers\/([^/]+)/.exec(owner.url())?.[1]

    await owner.goto(`${baseUrl}/my/servers/${id}/endpoints`)
    await owner.locator(text('Add: Votifier 2')).click()
    await owner.locator('details[open] [name="host"]').fill('127.0.0.1')
    await owner.locator('details[open] [name="port"]').fill(String(game.port))
    await owner.locator('details[open] [name="token"]').fill('the token of the plugin')
    await owner.locator('details[open] button').click()
    await owner.locator(button('Send a test')).click()
    await owner.locator(text('the game server refused the connection')).wait()
    expect(wrong).toEqual([])

    const { page: player, wrong: problems } = await open()
    await player.goto(baseUrl)
    await player.locator('[name="q"]').fill('fox')
    await player.keyboard.press('Enter')
    await player.locator('.server h2 ::-p-text(Fox Island)').click()
    await player.locator('[name="username"]').fill('Zoe')
    await player.locator(button('Vote')).click()
    await player.locator(text('Thank you for your vote.')).wait()
    await player.reload()
    await player.locator(text('You can vote for this server again in')).wait()
    expect(await player.$eval('.countdown', ({ textContent }) => textContent)).toMatch(/^Again in 2[34]:\d\d:\d\d$/)
    expect(problems).toEqual([])
  })
})
