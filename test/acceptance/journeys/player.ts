// A player finds a server on the site, votes on its page and comes back, with scripts and without.
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { launchChromium } from '../../support/chromium.ts'
import { isMissing } from '../../support/installed.ts'
import {
  createServer,
  database,
  detailOf,
  type ListedServer,
  listServer,
  newVisitor,
  product,
  register,
  WAIT_OPTIONS,
} from '../product.ts'
import { onceNeeded } from '../section.ts'

/** Chosen among two servers that the same words find. */
const theChosen = onceNeeded(async (): Promise<ListedServer> => {
  const chosen = await listServer({ name: 'Wanderers of the marsh', game: 'rust', gamePort: 28_015 }, { players: 6 })
  await createServer(await register(), { name: 'Wanderers of the dunes' })
  return chosen
})

const address = product.url.replace('127.0.0.1', 'localhost') // PUBLIC_BASE_URL, whose forms it accepts

async function openSite(javaScriptEnabled: boolean): Promise<Page> {
  const browser = await launchChromium()
  onTestFinished(() => browser.close())
  const page = await browser.newPage({
    javaScriptEnabled,
    locale: 'en',
    extraHTTPHeaders: { 'x-forwarded-for': newVisitor().address },
  })
  page.setDefaultTimeout(60_000)
  await page.goto(address)
  return page
}

/** Searches, keeps the servers of one game, and opens the only one left. */
async function find(page: Page): Promise<void> {
  const found = (text: string) => page.locator('.results-head').getByText(text, { exact: true }).waitFor()
  await page.getByLabel('Search servers').fill('wanderers')
  await page.getByRole('button', { name: 'Search' }).click()
  await found('2 servers')
  await page.getByRole('link', { name: 'Rust 1' }).click()
  await found('1 server')
  await page.getByRole('link', { name: 'Wanderers of the marsh' }).click()
  await page.getByRole('heading', { name: 'Wanderers of the marsh', exact: true }).waitFor()
  await page.getByText('6 of 70 players').first().waitFor({ state: 'attached' })
  await page.waitForLoadState() // a form is posted without scripts until they are there
}

const press = (page: Page) => page.getByRole('button', { name: 'Vote', exact: true }).click()

/** As if a day had passed since the last votes. */
const passDay = ({ id }: ListedServer) =>
  database.query(`update vote_cooldowns set last_voted_at = last_voted_at - interval '24 hours' where server_id = $1`, [
    id,
  ])

async function namesOfVoters({ id, owner }: ListedServer): Promise<string[]> {
  const { body } = await owner.client.get<{ votes: { username: string }[] }>(`/api/servers/${id}/votes`)
  return body.votes.map(({ username }) => username)
}

describe.skipIf(isMissing('chromium'))('a player', () => {
  test('finds a server, votes, is shown the cooldown also after coming back, and votes again a day later', async () => {
    const server = await theChosen()
    const before = await namesOfVoters(server)
    const page = await openSite(true)
    await find(page)
    await page.getByLabel('Player name').fill('Zoe')
    await press(page)
    await page.getByText('Thank you for your vote.').waitFor()
    expect(await page.locator('.countdown').innerText()).toMatch(/^Again in 2[34]:\d\d:\d\d$/)
    await expect.poll(async () => (await detailOf(server.id)).totalVotes, WAIT_OPTIONS).toBe(before.length + 1)

    await page.goto(address)
    await find(page)
    await page.getByText('You have voted within the last 24 hours.').waitFor()

    await passDay(server)
    await page.reload()
    await expect.poll(() => page.getByLabel('Player name').inputValue(), WAIT_OPTIONS).toBe('Zoe')
    await press(page)
    await page.getByText('Thank you for your vote.').waitFor()
    expect(await namesOfVoters(server)).toEqual([...before, 'Zoe', 'Zoe'])
    expect(await page.context().cookies()).toEqual([])
  }, 90_000)

  test('does the same without scripts', async () => {
    const server = await theChosen()
    const before = await namesOfVoters(server)
    const page = await openSite(false)
    await find(page)
    await page.getByLabel('Player name').fill('Max')
    await press(page)
    await page.getByText('Thank you for your vote.').waitFor()

    await page.goto(address)
    await find(page)
    await press(page)
    await page.getByText('You can vote for this server again in').waitFor()

    await passDay(server)
    await page.goto(`${address}/servers/${server.id}`)
    await page.getByLabel('Player name').fill('Max')
    await press(page)
    await page.getByText('Thank you for your vote.').waitFor()
    expect(await namesOfVoters(server)).toEqual([...before, 'Max', 'Max'])
  }, 90_000)
})
