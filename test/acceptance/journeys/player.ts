// A player finds a server on the site, joins and votes, and comes back: on a phone, and without scripts.
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { isMissing } from '../../support/installed.ts'
import { deliverPush } from '../../support/push-service.ts'
import { addVotes } from '../directory.ts'
import { openPage, PHONE } from '../pages.ts'
import {
  createServer,
  database,
  type ListedServer,
  listServer,
  newVisitor,
  pushService,
  register,
  siteUrl,
  WAIT_OPTIONS,
} from '../product.ts'
import { passDay } from '../votes.ts'

const linkTo = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const thanks = (page: Page) => page.getByText('Thank you for your vote.').waitFor()

async function namesOfVoters({ id, owner }: ListedServer): Promise<string[]> {
  const { body } = await owner.client.get<{ votes: { username: string }[] }>(`/api/servers/${id}/votes`)
  return body.votes.map(({ username }) => username)
}

/**
 * Lists a server that answers polls, with the country of its address: loopback addresses are in none, and polls
 * keep what is stored.
 */
async function listIn(country: string, fields: Record<string, unknown>): Promise<ListedServer> {
  const server = await listServer(fields, { players: 6 })
  await database.query('update server_status set country = $2 where server_id = $1', [server.id, country])
  await expect
    .poll(async () => (await newVisitor().get(`/api/servers/${server.id}`)).body.country, WAIT_OPTIONS)
    .toBe(country)
  return server
}

describe.skipIf(isMissing('chromium'))('a player', () => {
  const fits = async (page: Page) =>
    Number(await page.evaluate('document.documentElement.scrollWidth')) <= PHONE.viewport.width

  /** Waits for a reminder and has the browser show it. @returns the notification's body, and the link that it opens */
  async function showReminder(page: Page, title: string, nth: number): Promise<{ body: string; url: string }> {
    const reminders = () => pushService.received.filter(({ payload }) => payload.title === title)
    await expect.poll(() => reminders().length, WAIT_OPTIONS).toBe(nth)
    const { payload } = reminders()[nth - 1] ?? {}
    await deliverPush(page, siteUrl, JSON.stringify(payload))
    const shown = () =>
      page.evaluate<{ title: string; body: string; url: string }[]>(
        `navigator.serviceWorker.ready.then((worker) => worker.getNotifications())
          .then((list) => list.map(({ title, body, data }) => ({ title, body, url: data.url })))`,
      )
    const notification = { title, body: payload?.body ?? '', url: payload?.url ?? '' }
    await expect.poll(shown, WAIT_OPTIONS).toEqual([notification])
    return notification
  }

  test('on a phone finds a server of a game and country, joins it, votes by a link, and keeps a streak by reminders', async () => {
    const server = await listIn('DE', { name: 'Foundry of the marsh', game: 'rust', gamePort: 28_015 })
    await listIn('SE', { name: 'Foundry of the fjord', game: 'rust', gamePort: 28_016 })
    const named = await listIn('DE', { name: 'Rusty lanterns' })
    await addVotes(named.id, 2)
    const page = await openPage('/', { ...PHONE, permissions: ['clipboard-read', 'clipboard-write', 'notifications'] })
    // Chromium's own push service is not within reach.
    await page.addInitScript(
      `PushManager.prototype.subscribe = async () => ({ toJSON: () => (${JSON.stringify(pushService.subscribe())}) })`,
    )

    await page.getByLabel('Search servers').tap()
    await page.keyboard.type('rust')
    await page.getByRole('button', { name: 'Search' }).tap()
    await page.getByRole('heading', { name: 'Game servers for “rust”' }).waitFor()
    const rows = await page.locator('.server').allInnerTexts()
    const isOfRust = rows.map((row) => /^\s*Rust$/m.test(row))
    expect(isOfRust.slice(0, 2)).toEqual([true, true])
    expect(isOfRust.lastIndexOf(true)).toBeLessThan(isOfRust.indexOf(false))
    expect(rows[isOfRust.indexOf(false)]).toContain('Rusty lanterns')
    expect(await fits(page)).toBe(true)

    await page.locator('label[for=show-filters]').first().tap()
    await page.getByRole('link', { name: 'Germany 2' }).tap()
    await page.getByText('Show 2 servers').tap()
    await expect.poll(() => page.locator('.filters-body').isVisible(), WAIT_OPTIONS).toBe(false)
    expect(await page.locator('.server h2').allInnerTexts()).toEqual(['Foundry of the marsh', 'Rusty lanterns'])
    await linkTo(page, 'Foundry of the marsh').tap()
    await page.getByRole('heading', { name: 'Foundry of the marsh', exact: true }).waitFor()
    await page.waitForLoadState()
    expect(await fits(page)).toBe(true)

    const { connectAddress, joinUrl } = (await newVisitor().get(`/api/servers/${server.id}`)).body
    expect(joinUrl).toMatch(/^steam:/)
    expect(await linkTo(page, 'Connect').getAttribute('href')).toBe(joinUrl)
    await page.locator('.actions .copy').tap()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()'), WAIT_OPTIONS).toBe(connectAddress)

    // As the game's chat shows it to Zoe.
    await page.goto(`${siteUrl}/vote/${server.id.slice(-12)}?username=Zoe`)
    const name = page.getByLabel('Player name')
    const vote = page.getByRole('button', { name: 'Vote', exact: true })
    expect(await name.inputValue()).toBe('Zoe')
    expect(await fits(page)).toBe(true)
    await vote.tap()
    await thanks(page)
    await page.getByRole('button', { name: 'Remind me here' }).tap()
    await page.getByText('You will be reminded when you can vote again.').waitFor()
    await page.goto(`${siteUrl}/servers/${server.id}`)
    await page.getByText('You can vote for this server again in').waitFor()
    expect(await page.locator('.countdown').innerText()).toMatch(/^Again in 2[34]:\d\d:\d\d$/)

    const title = 'You can vote for Foundry of the marsh again'
    for (const day of [2, 3]) {
      await passDay(server.id)
      const { body, url } = await showReminder(page, title, day - 1)
      if (day === 3) expect(body).toBe('Vote within 23 hours to keep your streak of 2 days.')
      await page.goto(url)
      await expect.poll(() => name.inputValue(), WAIT_OPTIONS).toBe('Zoe')
      await vote.tap()
      await thanks(page)
      await page.getByText(`${day} days in a row!`).waitFor()
    }
    expect(await namesOfVoters(server)).toEqual(['Zoe', 'Zoe', 'Zoe'])
    expect(await page.context().cookies()).toEqual([])
  })

  test('without scripts finds a server, votes, is shown the cooldown also after coming back, and votes again a day later', async () => {
    const fields = { name: 'Wanderers of the marsh', game: 'rust', gamePort: 28_015 }
    const server = await listServer(fields, { players: 6 })
    await createServer(await register(), { name: 'Wanderers of the dunes' })
    const page = await openPage('/', { javaScriptEnabled: false })
    const found = (text: string) => page.locator('.results-head').getByText(text, { exact: true }).waitFor()
    const press = () => page.getByRole('button', { name: 'Vote', exact: true }).click()
    const find = async () => {
      await page.goto(siteUrl)
      await page.getByLabel('Search servers').fill('wanderers')
      await page.getByRole('button', { name: 'Search' }).click()
      await found('2 servers')
      await page.getByRole('link', { name: 'Rust 1' }).click()
      await found('1 server')
      await linkTo(page, 'Wanderers of the marsh').click()
      await page.getByRole('heading', { name: 'Wanderers of the marsh', exact: true }).waitFor()
      await page.getByText('6 of 70 players').first().waitFor({ state: 'attached' })
    }
    await find()
    await page.getByLabel('Player name').fill('Max')
    await press()
    await thanks(page)

    await find()
    await press()
    await page.getByText('You can vote for this server again in').waitFor()

    await passDay(server.id)
    await page.goto(`${siteUrl}/servers/${server.id}`)
    await page.getByLabel('Player name').fill('Max')
    await press()
    await thanks(page)
    expect(await namesOfVoters(server)).toEqual(['Max', 'Max'])
  })
})
