// Live pages in a browser: how often they read, what they show by a wrong clock, without a connection, and in two tabs.
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { bidOnce } from '../features/auctions/support.ts'
import { insertServer, putStatus, putVotes } from '../features/directory/rows-in-database.ts'
import { serverFields } from '../features/servers/support.ts'
import { age } from '../features/votes/support.ts'
import type { TestApi } from '../support/api.ts'
import { addAuction } from '../support/auctions.ts'
import { isMissing } from '../support/installed.ts'
import { addPerson, fieldsOf, type Person } from '../support/people.ts'
import { startSite } from '../support/site.ts'

const HOUR_MS = 3_600_000
const STEP_MS = 15_000

describe.skipIf(isMissing('chromium'))('live pages', () => {
  let browser: Browser
  let api: TestApi
  let base = ''
  let island = ''
  /** The owner's. */
  let mine = ''
  let owner: Person
  let admin: Person

  beforeAll(async () => {
    const settings = { VOTES_PER_ADDRESS_PER_DAY: '0', ALLOW_PRIVATE_TARGETS: 'true' }
    ;({ api, browser, base } = await startSite({ settings }))
    const { pool } = api.database
    ;[owner, admin] = [await addPerson(pool), await addPerson(pool, { isAdmin: true })]
    island = await addServer('Amber island', 'rust')
    await pool.query('update servers set is_featured = true where id = $1', [island])
    for (let n = 1; n <= 2; n++) await addServer(`Number ${n}`)
    const { server } = await post('/servers', serverFields({ name: 'Number 3', game: 'ase' }))
    mine = (server as { id: string }).id
    await api.directory.refresh()
  })

  async function addServer(name: string, game = 'ase'): Promise<string> {
    const { pool } = api.database
    const id = await insertServer(pool, { name, game })
    await putStatus(pool, id, { country: 'DE', currentPlayers: 12 })
    await putVotes(pool, id, 0)
    return id
  }

  /** As the owner. */
  async function post(path: string, body: object): Promise<Record<string, unknown>> {
    const added = await api.request(`/api${path}`, {
      method: 'POST',
      headers: { cookie: owner.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(added.status).toBe(201)
    return fieldsOf(added)
  }

  /** @returns its page */
  async function addEndpoint(): Promise<string> {
    const events = ['vote.created']
    const { id } = await post(`/servers/${mine}/endpoints`, { kind: 'standard', url: 'http://127.0.0.1:9/', events })
    return `/my/servers/${mine}/endpoints/${id}`
  }

  async function openContext(who?: Person, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(60_000)
    const [name = '', value = ''] = who?.cookie.split('=') ?? []
    if (who) await context.addCookies([{ name, value, url: base }])
    return context
  }

  async function open(path: string, who?: Person, prepare?: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = await (await openContext(who)).newPage()
    await prepare?.(page)
    await page.goto(base + path)
    return page
  }

  /** Counts the requests of a page to the API, and waits for their replies. */
  function readsOf(page: Page) {
    const running = new Set<Request>()
    const reads = { count: 0, settle: () => expect.poll(() => running.size, { interval: 2 }).toBe(0) }
    page.on('request', (request) => {
      if (!request.url().startsWith(`${base}/api/`) || request.url().includes('/stream')) return
      reads.count++
      running.add(request)
    })
    page.on('requestfinished', (request) => running.delete(request))
    page.on('requestfailed', (request) => running.delete(request))
    return reads
  }

  /** Lets time pass in the page, with a reply to each request. */
  async function pass(page: Page, reads: ReturnType<typeof readsOf>, ms: number, stepMs = STEP_MS): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      await page.clock.runFor(stepMs)
      await reads.settle()
    }
  }

  const count = (page: Page) => page.locator('.results-head p').textContent()

  describe('an hour of a page costs few of the thousand requests that its visitor has', () => {
    it.each<[what: string, most: number, who: 'owner' | 'admin' | undefined, path: () => Promise<string>]>([
      ['the list of auctions', 260, undefined, async () => (await addAuction(api.database.pool)) && '/auctions'],
      ['an auction', 260, 'owner', async () => `/auctions/${await addAuction(api.database.pool, { endsIn: 86_400 })}`],
      [
        'an auction in its last minutes',
        350,
        'owner',
        async () => `/auctions/${await addAuction(api.database.pool, { endsIn: 100 })}`,
      ],
      ['the overview', 320, 'admin', async () => '/admin'],
      ['the log of an endpoint', 260, 'owner', addEndpoint],
    ])('%s: at most %i', async (_, most, who, pathOf) => {
      const path = await pathOf()
      const page = await (await openContext(who && { owner, admin }[who])).newPage()
      const reads = readsOf(page)
      await page.clock.install()
      await page.goto(base + path)
      await reads.settle()
      await pass(page, reads, HOUR_MS / 6, 3_000)
      await pass(page, reads, (HOUR_MS * 5) / 6)
      expect(reads.count).toBeLessThan(most)
      expect(reads.count).toBeGreaterThan(50)
    })

    it('attempts of deliveries are shown as they happen, and no more than a hundred an hour', async () => {
      const path = await addEndpoint()
      await api.database.pool.query(
        `insert into endpoint_deliveries (id, endpoint_id, type, body, due_at)
         values (gen_random_uuid(), $1, 'vote.created', '{}', now() + interval '4 seconds')`,
        [path.split('/').at(-1)],
      )
      const page = await (await openContext(owner)).newPage()
      const reads = readsOf(page)
      await page.clock.install()
      await page.goto(base + path)
      await page.locator('.deliveries details').waitFor()
      await page.route('**/deliveries?*', async (route) => {
        const response = await route.fetch()
        const list = (await response.json()) as { deliveries: object[] }
        const nextAttemptAt = new Date().toISOString()
        await route.fulfill({
          response,
          json: { ...list, deliveries: list.deliveries.map((one) => ({ ...one, nextAttemptAt })) },
        })
      })
      await pass(page, reads, 40_000, 1_000)
      expect(reads.count).toBeGreaterThan(10)
      await pass(page, reads, 300_000, 1_000)
      expect(reads.count).toBeLessThan(125)
    })

    it('a refused read is repeated when the reply says so', async () => {
      const page = await (await openContext()).newPage()
      const reads = readsOf(page)
      await page.route('**/api/auctions', (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '120' },
          json: { error: 'rate_limited', message: 'Too many.' },
        }),
      )
      await page.clock.install()
      await page.goto(`${base}/auctions`)
      await reads.settle()
      await pass(page, reads, 120_000)
      expect(reads.count).toBe(2)
      await pass(page, reads, 60_000)
      expect(reads.count).toBe(3)
    })
  })

  describe('the list', () => {
    const isSame = (page: Page) => page.evaluate('globalThis.isSame')
    const mark = (page: Page) => page.evaluate('globalThis.isSame = true')

    it('stays as it is when the link to the content is followed', async () => {
      const page = await open('/')
      await page.getByLabel('Search servers').fill('amb')
      await mark(page)
      await page.locator('.skip').focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${base}/#main`)
      await page.waitForLoadState('networkidle')
      expect(await page.locator('.featured-card').count()).toBe(1)
      expect(await page.getByLabel('Search servers').inputValue()).toBe('amb')
      expect(await isSame(page)).toBe(true)
    })

    it('without a result does not load itself again and again by the link to the content', async () => {
      const page = await open('/?game=valheim')
      const loads: string[] = []
      page.on('request', (request) => loads.push(request.url()))
      await page.locator('.skip').focus()
      await page.keyboard.press('Enter')
      await page.waitForURL(`${base}/?game=valheim#main`)
      await page.waitForLoadState('networkidle')
      expect(loads).toEqual([])
    })

    it('shows what was bought again after a step back, a chip that is removed, and “Clear all”', async () => {
      const page = await open('/')
      const cards = page.locator('.featured-card')
      await mark(page)
      await page.getByRole('link', { name: 'Rust 1' }).click()
      await expect.poll(() => count(page)).toBe('1 server')
      expect(await cards.count()).toBe(0)
      await page.goBack()
      await cards.waitFor()
      await page.getByRole('link', { name: 'Rust 1' }).click()
      await expect.poll(() => count(page)).toBe('1 server')
      await page.getByRole('link', { name: 'Clear all' }).click()
      await cards.waitFor()
      expect(await isSame(page)).toBe(true)

      const filtered = await open('/?game=rust')
      await filtered.getByRole('link', { name: 'Clear all' }).click()
      await filtered.locator('.featured-card').waitFor()
      expect(await count(filtered)).toBe('4 servers')
    })

    it('stays when an older request fails, and a double click is one step of the history', async () => {
      const page = await open('/')
      await mark(page)
      const { promise: fails, resolve: fail } = Promise.withResolvers<void>()
      const { promise: failed, resolve: noteFailure } = Promise.withResolvers<void>()
      await page.route('**/api/servers?*sortBy=name*', async (route) => {
        await fails
        await route.abort()
        noteFailure()
      })
      await page.getByRole('link', { name: 'Name', exact: true }).click()
      await page.getByRole('link', { name: 'Rust 1' }).dblclick()
      await expect.poll(() => count(page)).toBe('1 server')
      fail()
      await failed
      await page.waitForLoadState('networkidle')
      expect([page.url(), await isSame(page)]).toEqual([`${base}/?game=rust`, true])
      await page.goBack()
      await expect.poll(() => count(page)).toBe('4 servers')
      expect(page.url()).toBe(`${base}/`)
    })
  })

  describe('a vote', () => {
    const button = (page: Page) => page.getByRole('button', { name: 'Vote' })

    it('of a first visitor in a second tab is of the same visitor', async () => {
      const id = await addServer('Two tabs')
      await api.directory.refresh()
      const context = await openContext()
      const [first, second] = [await context.newPage(), await context.newPage()]
      for (const page of [first, second]) await page.goto(`${base}/vote/${id}`)
      await button(first).click()
      await first.getByText('Thank you for your vote.').waitFor()
      await button(second).click()
      await second.getByText('You can vote for this server again in').waitFor()
    })

    it('counts down by the server’s clock, and offers a reminder after each vote', async () => {
      const id = await addServer('Wrong clock')
      await api.directory.refresh()
      const page = await open(`/vote/${id}`, undefined, (opened) =>
        opened.clock.install({ time: Date.now() + 25 * HOUR_MS }),
      )
      await button(page).click()
      await page.getByText('Thank you for your vote.').waitFor()
      await page.clock.runFor(2_000)
      expect(await page.locator('.countdown').textContent()).toMatch(/^Again in (24:00:00|23:59:\d\d)$/)
      await page.getByRole('button', { name: 'Remind me here' }).waitFor()
      await age(api.database.pool, id, '1 day')
      await page.clock.runFor('24:00:01')
      await button(page).click()
      await page.getByText('Thank you for your vote.').waitFor()
      await page.getByRole('button', { name: 'Remind me here' }).waitFor()
    })

    it.each([
      ['en-US', 'The directory can’t be reached.'],
      ['de', 'Das Verzeichnis ist nicht erreichbar.'],
    ])('without a connection says so in the language of the page (%s)', async (locale, text) => {
      const context = await openContext(undefined, { locale })
      const page = await context.newPage()
      await page.goto(`${base}/servers/${island}`)
      await page.locator('[data-vote] .script-button:enabled').waitFor()
      await context.setOffline(true)
      await page.locator('[data-vote] .script-button').click()
      await page.locator('.vote-status').getByText(text).waitFor()
    })
  })

  describe('an auction', () => {
    it('of a visitor whose session ends shows the price on, and the way to the login', async () => {
      const { pool } = api.database
      const [anna, bert] = [await addPerson(pool), await addPerson(pool)]
      const id = await addAuction(pool, { startingBid: 500 })
      const page = await open(`/auctions/${id}`, anna, (opened) => opened.clock.install())
      await page.getByRole('button', { name: 'Bid', exact: true }).waitFor()
      await page.getByLabel('Your bid').fill('9.25')
      await pool.query('delete from sessions where user_id = $1', [anna.id])
      await bidOnce(api, bert, id, 750)
      await page.clock.runFor(STEP_MS)
      await expect.poll(() => page.locator('.price').textContent()).toBe('$7.50')
      const login = page.locator('.auction-page').getByRole('link', { name: 'Log in' })
      expect(await login.getAttribute('href')).toBe(
        `/login?${new URLSearchParams({ next: `/auctions/${id}?amount=9.25` })}`,
      )
      expect(await page.getByRole('button', { name: 'Bid', exact: true }).count()).toBe(0)
    })

    it('counts down by the server’s clock', async () => {
      const id = await addAuction(api.database.pool, { endsIn: 3_600 })
      const page = await open(`/auctions/${id}`, undefined, (opened) =>
        opened.clock.install({ time: Date.now() + 30_000 }),
      )
      await page.clock.runFor(2_000)
      await expect.poll(() => page.locator('.figures time').first().textContent()).toMatch(/^00:59:[45]\d$/)
    })
  })

  describe('a form', () => {
    it('is sent once by a double click, and again when the browser shows its page again', async () => {
      const page = await open('/account/keys', owner)
      await page.getByLabel('Purpose').fill('My bot')
      const [sent, isDisabled, isDisabledAgain] = await page.evaluate<[number, string | null, string | null]>(
        `(() => {
          let sent = 0
          addEventListener('submit', ({ defaultPrevented }) => { if (!defaultPrevented) sent++ })
          const button = document.querySelector('.form button')
          button.click()
          button.click()
          const { ariaDisabled } = button
          dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
          return [sent, ariaDisabled, button.ariaDisabled]
        })()`,
      )
      expect([sent, isDisabled, isDisabledAgain]).toEqual([1, 'true', null])
      await page.locator('.notice code').first().waitFor()
      const { rowCount } = await api.database.pool.query('select from api_keys where user_id = $1', [owner.id])
      expect(rowCount).toBe(1)
    })
  })

  it('without a clipboard there are no buttons to copy, and no copy is counted', async () => {
    const page = await open('/', undefined, (opened) => opened.addInitScript('delete Navigator.prototype.clipboard'))
    const reads = readsOf(page)
    const address = page.locator('.server .copy').first()
    await expect.poll(() => address.locator('.copy-word').isVisible()).toBe(false)
    expect(await address.locator('code').isVisible()).toBe(true)
    await address.click()
    await page.waitForLoadState('networkidle')
    expect(reads.count).toBe(0)
  })

  describe('the chart', () => {
    const legend = (page: Page) => page.locator('#chart-legend').textContent()

    it('is an image of the chosen range where the API does not answer', async () => {
      const page = await open(`/servers/${island}`)
      await page.locator('.plot canvas').waitFor()
      expect(await page.getByRole('img', { name: 'Players of Amber island, 24 hours' }).count()).toBe(1)
      await page.route('**/player-history?range=7d', (route) => route.abort())
      await page.getByRole('link', { name: '7 days' }).click()
      await page.locator('#chart > img[src$="range=7d"]').waitFor()
      expect(await legend(page)).toBe('')
      await page.getByRole('link', { name: '30 days' }).click()
      await page.getByRole('img', { name: 'Players of Amber island, 30 days' }).and(page.locator('.plot')).waitFor()
      expect(await legend(page)).not.toBe('')
    })

    it('keeps the range that was chosen last when an earlier one is answered later', async () => {
      const page = await open(`/servers/${island}`)
      await page.locator('.plot canvas').waitFor()
      const { promise: answers, resolve: answer } = Promise.withResolvers<void>()
      const late = page.waitForResponse('**/player-history?range=7d')
      await page.route('**/player-history?range=7d', async (route) => {
        await answers
        await route.continue()
      })
      await page.getByRole('link', { name: '7 days' }).click()
      await page.getByRole('link', { name: '30 days' }).click()
      const chosen = page.getByRole('img', { name: 'Players of Amber island, 30 days' }).and(page.locator('.plot'))
      await chosen.waitFor()
      await page.evaluate(`document.querySelector('.plot canvas').dataset.isSame = 'true'`)
      answer()
      await (await late).finished()
      await page.waitForLoadState('networkidle')
      expect(await page.locator('.plot canvas').getAttribute('data-is-same')).toBe('true')
    })
  })
})
