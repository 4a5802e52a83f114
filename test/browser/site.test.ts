// The public pages of the site in a browser: what people do there, with and without scripts, and how the pages look.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { createReminderPushHandler } from '../../workers/push/push-message.handler.ts'
import { insertServer, putStatus, putVotes } from '../features/directory/rows-in-database.ts'
import { age } from '../features/votes/support.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { launchNotifyingChromium } from '../support/chromium.ts'
import { isMissing } from '../support/installed.ts'
import { faultsOf } from '../support/page-faults.ts'
import { addPerson } from '../support/people.ts'
import { deliverPush, type PushService, startPushService } from '../support/push-service.ts'
import { startSite } from '../support/site.ts'
import { insertSamples } from '../support/stored-samples.ts'

describe.skipIf(isMissing('chromium'))('the site in a browser', () => {
  let browser: Browser
  let api: TestApi
  let base = ''
  let island = ''
  let pushService: PushService

  beforeAll(async () => {
    pushService = await startPushService()
    const settings = {
      VOTES_PER_ADDRESS_PER_DAY: '0',
      ALLOW_PRIVATE_TARGETS: 'true',
      PUSH_SERVICE_BASE_URL: pushService.origin,
    }
    ;({ api, browser, base } = await startSite({ settings }))
    const { pool } = api.database
    island = await addServer('Amber island', { game: 'rust', map: 'Procedural Map', currentPlayers: 12 })
    await addServer('<script>alert(1)</script> & "quotes"', { game: 'minecraft', map: '<img src=x onerror=alert(1)>' })
    await addServer('سيرفر العرب الرسمي', { map: 'الجزيرة' })
    await addServer(`${'W'.repeat(60)} ${'long '.repeat(8)}`, { map: 'M'.repeat(200) })
    await pool.query(`update servers set is_featured = true, is_verified = true where id = $1`, [island])
    for (let n = 1; n <= 30; n++) await addServer(`Number ${n}`, {})
    await api.directory.refresh()
  })

  async function addServer(
    name: string,
    { game = 'ase', ...status }: { game?: string; map?: string; currentPlayers?: number },
  ): Promise<string> {
    const { pool } = api.database
    const id = await insertServer(pool, {
      name,
      game,
      description: name,
      tags: ['pve', 'weekly'],
      mods: 'One,Two',
      rates: 'xp:2',
    })
    await putStatus(pool, id, { country: 'DE', version: '1.2', ...status })
    await putVotes(pool, id, 0)
    return id
  }

  async function open(
    address: string,
    options: BrowserContextOptions = {},
    origin = base,
    inBrowser = browser,
  ): Promise<{ page: Page; wrong: string[] }> {
    const context = await inBrowser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => wrong.push(`script: ${error.message}`))
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith('data:'))
        wrong.push(`outside: ${request.url()}`)
    })
    await page.goto(origin + address)
    return { page, wrong }
  }

  /** Documents arrive in pieces, as over a slow network. @returns its address */
  async function startSlowProxy(): Promise<string> {
    const proxy = http.createServer(async (req, res) => {
      const reply = await fetch(base + req.url, { headers: { accept: req.headers.accept ?? '' } })
      const contentType = reply.headers.get('content-type') ?? ''
      const body = Buffer.from(await reply.arrayBuffer())
      res.writeHead(reply.status, { 'content-type': contentType })
      const piece = contentType.startsWith('text/html') ? 1_500 : body.length
      for (let at = 0; at < body.length; at += piece) {
        res.write(body.subarray(at, at + piece))
        await sleep(40)
      }
      res.end()
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => {
      proxy.closeAllConnections()
      proxy.close()
    })
    return `http://localhost:${(proxy.address() as AddressInfo).port}`
  }

  async function pollIsland(currentPlayers: number): Promise<void> {
    const status = { currentPlayers, map: 'Procedural Map', country: 'DE', version: '1.2' }
    await putStatus(api.database.pool, island, status)
    await api.directory.refresh()
  }

  const count = (page: Page) => page.locator('.results-head p').textContent()

  it.each([
    ['the list', '/'],
    ['a filtered list in German', '/?game=rust&country=DE&onlineOnly=true&q=amber&lang=de'],
    ['a list without servers', '/?game=valheim'],
    ['the page of a server', 'island'],
    ['the games', '/games'],
    ['a game', '/games/rust'],
    ['the featured servers', '/featured'],
    ['the contact form', '/contact'],
    ['a comparison', '/compare?find=number&ids='],
    ['an address where nothing is', '/nothing'],
  ])('%s is accessible, fits and has no errors: light and dark, wide and narrow', async (_what, given) => {
    const address = given === 'island' ? `/servers/${island}` : given.endsWith('ids=') ? given + island : given
    const { page, wrong } = await open(address)
    if (given === 'island') await page.locator('.plot').waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(wrong.filter((line) => !line.includes('404'))).toEqual([])
  })

  it('filters, sorts and searches without loading the page, and goes back', async () => {
    const { page, wrong } = await open('/')
    await page.evaluate(() => Object.assign(globalThis, { isSame: true }))
    expect(await count(page)).toBe('34 servers')
    await page.getByRole('link', { name: 'Rust 1' }).click()
    await expect.poll(() => count(page)).toBe('1 server')
    expect(page.url()).toBe(`${base}/?game=rust`)
    await page.getByRole('link', { name: 'Rust (remove)' }).click()
    await expect.poll(() => count(page)).toBe('34 servers')
    await page.getByRole('link', { name: 'Name', exact: true }).click()
    await expect.poll(() => page.url()).toBe(`${base}/?sortBy=name`)
    await page.getByLabel('Search servers').fill('amber')
    await page.keyboard.press('Enter')
    await expect.poll(() => count(page)).toBe('1 server')
    await page.goBack()
    await expect.poll(() => count(page)).toBe('34 servers')
    expect(await page.evaluate('globalThis.isSame')).toBe(true)
    expect(wrong).toEqual([])
  })

  it('leads from the pager to the top of the next page', async () => {
    const { page } = await open('/')
    await page.getByRole('link', { name: 'Next' }).click()
    await expect.poll(() => page.url()).toBe(`${base}/?page=2`)
    await expect.poll(() => page.evaluate('scrollY < innerHeight')).toBe(true)
  })

  it('reports a copied address and a way into the game once for each page, for the numbers of the owner', async () => {
    const { page } = await open('/?q=Amber')
    const reports: unknown[] = []
    page.on('response', async (response) => {
      const [server, operation] = response.url().split('/').slice(-2)
      if (operation === 'activity')
        reports.push([server === island, response.request().postDataJSON(), response.status()])
    })
    const copy = page.locator('li.server [data-action=copy]').first()
    await copy.click()
    await copy.click()
    await expect.poll(() => reports).toEqual([[true, { action: 'copy' }, 200]])
    await page.goto(`${base}/servers/${island}`)
    await page.locator('a[data-action=join]').first().click()
    await expect.poll(() => reports.at(-1)).toEqual([true, { action: 'join' }, 200])
    expect(reports).toHaveLength(2)
  })

  it('leads by an address to its server, and shows what is near to nothing', async () => {
    const { page } = await open('/')
    const address = (await page.locator('[data-copy]').first().getAttribute('data-copy')) ?? ''
    await page.getByLabel('Search servers').fill(address)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/servers\/[\w-]+$/)
    await page.goto(base)
    await page.getByLabel('Search servers').fill('amber nowhere')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing was found for “amber nowhere”.').waitFor()
    await page.locator('.nearby').getByText('Amber island').waitFor()
  })

  it('offers maps within a game only, and finds a value of a long facet', async () => {
    const { page } = await open('/')
    expect(await page.getByRole('heading', { name: 'Map', exact: true }).count()).toBe(0)
    await page.getByRole('link', { name: 'Rust 1' }).click()
    await page.getByRole('heading', { name: 'Map', exact: true }).waitFor()
    expect(await page.title()).toBe('Rust servers · Server Directory')
  })

  it('names continents in the language of the page, also once its script runs', async () => {
    const { page } = await open('/?lang=de')
    await page.locator('.facet a[href^="/?region=Europe"]').click()
    await expect.poll(() => page.title()).toContain('Europa')
    expect(await page.locator('.facet a[aria-current]').textContent()).toContain('Europa')
  })

  it('filters on a phone in a sheet that closes by the number of servers', async () => {
    const { page } = await open('/', { viewport: { width: 390, height: 844 } })
    await page.locator('label[for=show-filters]').first().click()
    await page.getByRole('link', { name: 'Rust 1' }).click()
    await page.getByText('Show 1 server').click()
    await expect.poll(() => page.locator('.filters-body').isVisible()).toBe(false)
    expect(await count(page)).toBe('1 server')
  })

  it('compares four servers on a phone without scrolling sideways', async () => {
    const { servers } = (await (await fetch(`${base}/api/servers?limit=4`)).json()) as { servers: { id: string }[] }
    const { page } = await open(`/compare?ids=${servers.map(({ id }) => id)}`, {
      viewport: { width: 390, height: 844 },
    })
    const widthOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element) => element.scrollWidth)
    expect(await widthOf('.compare')).toBeLessThanOrEqual(390)
    expect(await widthOf('html')).toBeLessThanOrEqual(390)
  })

  it('shows the peak of a server that is compared with none yet', async () => {
    const polledAt = new Date(Date.now() - 3_600_000)
    await insertSamples(api.database.pool, { serverIds: [island], polledAt, players: [61], maxPlayers: [70] })
    const { page } = await open(`/compare?ids=${island}`)
    await page.getByRole('row', { name: /Peak/ }).getByText('61').waitFor()
  })

  it('suggests names while they are typed', async () => {
    const { page } = await open('/')
    await page.getByLabel('Search servers').pressSequentially('amb')
    await expect
      .poll(() => page.locator('#suggestions option').evaluateAll((all) => all.map((one) => one.getAttribute('value'))))
      .toEqual(['Amber island'])
  })

  it('numbers move live, and nothing else does', async () => {
    const { page } = await open('/?game=rust')
    const row = page.locator(`li[data-server="${island}"]`)
    await row.getByText('12 of 70 players').waitFor({ state: 'attached' })
    await page.evaluate(`globalThis.shifts = 0; new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) globalThis.shifts += entry.value }).observe({ type: 'layout-shift' })`)
    await pollIsland(13)
    await row.getByText('13 of 70 players').waitFor({ state: 'attached' })
    expect(await page.evaluate('globalThis.shifts')).toBe(0)
  })

  it.each([
    ['the list', '/'],
    ['the page of a server', 'island'],
    ['a comparison', '/compare?ids='],
  ])('%s hardly moves while it arrives slowly', async (_what, given) => {
    const address = given === 'island' ? `/servers/${island}` : given.endsWith('ids=') ? given + island : given
    const slow = await startSlowProxy()
    const { page } = await open('about:blank', { viewport: { width: 1350, height: 940 } }, '')
    await page.addInitScript(`globalThis.shifts = []; new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        globalThis.shifts.push({ value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
          (node?.outerHTML ?? node?.textContent ?? '').slice(0, 80) + ' ' + [from.x, from.y, from.width] + ' → ' + [to.x, to.y, to.width]) })
      }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(slow + address)
    const shifts = (await page.evaluate('globalThis.shifts')) as { value: number; moved: string[] }[]
    const moved = shifts.reduce((sum, { value }) => sum + value, 0)
    expect(moved, JSON.stringify(shifts, null, 1)).toBeLessThan(0.01)
  })

  it('shows what changed before the stream opened, and while the page was hidden', async () => {
    await pollIsland(14)
    const { page } = await open('about:blank', {}, '')
    const { promise: opens, resolve: openStream } = Promise.withResolvers<void>()
    await page.route('**/api/servers/stream?*', async (route) => {
      await opens
      await route.continue()
    })
    const row = page.locator(`li[data-server="${island}"]`)
    await page.goto(`${base}/?game=rust`)
    await row.getByText('14 of 70 players').waitFor({ state: 'attached' })
    await pollIsland(15)
    openStream()
    await row.getByText('15 of 70 players').waitFor({ state: 'attached' })
    const toggle = (isHidden: boolean) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} })
        document.dispatchEvent(new Event('visibilitychange'))`)
    await toggle(true)
    await pollIsland(16)
    await toggle(false)
    await row.getByText('16 of 70 players').waitFor({ state: 'attached' })
  })

  it('a server that is hidden while it is displayed leaves the list, and its page says so until it is back', async () => {
    const id = await addServer('Short-lived', { game: 'valheim' })
    await api.database.pool.query('update servers set is_featured = true where id = $1', [id])
    await api.directory.refresh()
    const setHidden = async (isHidden: boolean) => {
      const at = isHidden ? 'now()' : 'null'
      await api.database.pool.query(`update servers set hidden_at = ${at} where id = $1`, [id])
      await api.directory.refresh()
    }
    const { page: list } = await open('/')
    const { page: found } = await open('/?game=valheim')
    const { page } = await open(`/servers/${id}`)
    await page.getByText('online').first().waitFor()
    const card = list.locator('.featured-card').filter({ hasText: 'Short-lived' })
    const row = found.locator(`li[data-server="${id}"]`)
    await Promise.all([card.waitFor(), row.waitFor()])
    await setHidden(true)
    await page.getByText('This server is no longer listed.').waitFor()
    expect(await page.locator('#vote, .players, .actions').count()).toBe(0)
    await expect.poll(async () => [await card.count(), await row.count()]).toEqual([0, 0])
    await found.getByRole('status').getByText('0 servers').waitFor()
    await expect.poll(() => list.locator('.facet a[href="/?game=valheim"]').count()).toBe(0)
    await expect.poll(() => list.locator('.servers > li').count()).toBe(25) // the next server takes its place
    await setHidden(false)
    await page.locator('#vote').waitFor()
    expect(await page.getByText('This server is no longer listed.').count()).toBe(0)
    await api.database.pool.query('update servers set deleted_at = now() where id = $1', [id])
    await api.directory.refresh()
    await page.getByText('This server is no longer listed.').waitFor()
  })

  it('what is typed stays while numbers move', async () => {
    const { page } = await open(`/servers/${island}`)
    await page.getByLabel('Player name').fill('Zoe')
    await pollIsland(17)
    await page.getByText('17 of 70 players').waitFor({ state: 'attached' })
    expect(await page.getByLabel('Player name').inputValue()).toBe('Zoe')
  })

  it('what is typed into the search, the ranges and the comparison’s finder stays while numbers move', async () => {
    const { page } = await open('/?game=rust')
    await page.getByLabel('Search servers').fill('amb')
    await page.getByLabel('Players at least').fill('5')
    const { page: comparison } = await open(`/compare?ids=${island}`)
    await comparison.locator('#find').fill('num')
    await pollIsland(19)
    for (const one of [page, comparison]) await one.getByText('19 of 70 players').waitFor({ state: 'attached' })
    expect(await page.getByLabel('Search servers').inputValue()).toBe('amb')
    expect(await page.getByLabel('Players at least').inputValue()).toBe('5')
    expect(await comparison.locator('#find').inputValue()).toBe('num')
  })

  it('the search and the ranges show what the list was filtered by, after each step and back', async () => {
    const { page } = await open('/?q=island&minPlayers=1')
    const typed = async () => [
      await page.getByLabel('Search servers').inputValue(),
      await page.getByLabel('Players at least').inputValue(),
    ]
    await page.getByLabel('Search servers').fill('something else')
    await page.getByRole('link', { name: '“island” (remove)' }).click()
    await expect.poll(typed).toEqual(['', '1'])
    await page.getByLabel('Players at least').fill('77')
    await page.getByRole('link', { name: 'Name', exact: true }).click()
    await expect.poll(typed).toEqual(['', '1'])
    await page.goBack()
    await page.goBack()
    await expect.poll(typed).toEqual(['island', '1'])
  })

  it('what is typed while another list loads stays', async () => {
    const { page } = await open('/?minPlayers=1')
    const { promise: loads, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/api/servers?*', async (route) => {
      await loads
      await route.continue()
    })
    await page.getByLabel('Players at least').fill('77')
    await page.getByRole('link', { name: 'Name', exact: true }).click()
    await page.getByLabel('Search servers').fill('amb')
    load()
    await expect.poll(() => page.getByLabel('Players at least').inputValue()).toBe('1')
    expect(await page.getByLabel('Search servers').inputValue()).toBe('amb')
  })

  it.each([
    ['words', 'The lanterns of the northern marsh, weekly wipes, three max'],
    ['one word', 'W'.repeat(60)],
  ])('on a phone a long name of %s is beside the logo in all its lines', async (_, name) => {
    const { pool } = api.database
    const id = await addServer(name, {})
    await api.directory.refresh()
    const { page } = await open(`/servers/${id}`, { viewport: { width: 390, height: 844 } })
    const [logo, text] = await Promise.all([
      page.locator('h1 .face').boundingBox(),
      page.evaluate<DOMRect>(`(() => {
        const range = document.createRange()
        range.selectNodeContents([...document.querySelectorAll('h1, h1 span')].at(-1))
        const lines = [...range.getClientRects()].filter(({ width }) => width > 0)
        return { left: Math.min(...lines.map(({ left }) => left)), right: Math.max(...lines.map(({ right }) => right)) }
      })()`),
    ])
    expect(text.left).toBeGreaterThan((logo?.x ?? 0) + (logo?.width ?? 0))
    expect(text.right).toBeLessThanOrEqual(390)
    // Other tests count the servers.
    await pool.query('update servers set deleted_at = now() where id = $1', [id])
    await api.directory.refresh()
  })

  it('votes, counts down, and remembers the visitor and what was typed', async () => {
    const { page, wrong } = await open(`/servers/${island}`)
    const counted = page.getByText(/^[\d,]+ votes? counts? as /)
    const before = await counted.textContent()
    await page.getByLabel('Player name').fill('Zoe')
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('Thank you for your vote.').waitFor()
    expect(await page.locator('.countdown').textContent()).toMatch(/^Again in (24:00:00|23:59:\d\d)$/)
    await expect.poll(() => counted.textContent()).not.toBe(before)
    await page.reload()
    await page.getByText('You can vote for this server again in').waitFor()
    expect(await page.evaluate('JSON.parse(localStorage.visitor).username')).toBe('Zoe')
    const second = await page.locator('.countdown').textContent()
    await expect.poll(() => page.locator('.countdown').textContent()).not.toBe(second)
    expect(wrong).toEqual([])
    expect(await page.context().cookies()).toEqual([])
  })

  it('a refused vote says so at its field until the next one', async () => {
    const { page } = await open(`/servers/${island}`)
    await page.evaluate(`document.querySelector('#username').removeAttribute('maxlength')`)
    const name = page.getByLabel('Player name')
    await name.fill('x'.repeat(51))
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.locator('#username-problem').waitFor()
    expect(await page.locator('.vote-status').textContent()).toContain('Check the marked fields.')
    expect([await name.getAttribute('aria-invalid'), await name.inputValue()]).toEqual(['true', 'x'.repeat(51)])
    await name.fill('Eve')
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('Thank you for your vote.').waitFor()
    expect([await name.count(), await page.locator('#username-problem').count()]).toEqual([0, 0])
  })

  it('says what a vote brought, and has the browser remind its visitor until they want no more', async () => {
    const { pool } = api.database
    const id = await addServer('Moss island', {})
    await pool.query(
      `insert into endpoints (id, server_id, url, events, secret) values (gen_random_uuid(), $1, 'url', '{vote.created}', 'secret')`,
      [id],
    )
    await api.directory.refresh()
    const notifying = await launchNotifyingChromium()
    onTestFinished(() => notifying.close())
    const { page, wrong } = await open('about:blank', { permissions: ['notifications'] }, '', notifying)
    const subscription = JSON.stringify(pushService.subscribe())
    // Chromium's own push service is not within reach.
    await page.addInitScript(`PushManager.prototype.subscribe = async () => ({ toJSON: () => (${subscription}) })`)
    await page.goto(`${base}/vote/${id.slice(-12)}`)
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('It was sent to the server.').waitFor()
    await pool.query(`update endpoint_deliveries set status = 'delivered'`)
    await page.getByText('The server has received it.').waitFor()
    await page.getByRole('button', { name: 'Remind me here' }).click()
    await page.getByText('You will be reminded when you can vote again.').waitFor()

    const { rows } = await pool.query('select id from vote_reminders where server_id = $1', [id])
    await page.reload()
    await page.getByText('You will be reminded when you can vote again.').waitFor()
    await age(pool, id, '1 day')
    await createReminderPushHandler(api.deps)({ reminderId: rows[0].id }, AbortSignal.timeout(10_000))
    const [push] = pushService.received
    await deliverPush(page, base, JSON.stringify(push?.payload))
    const shown = `navigator.serviceWorker.ready.then((worker) => worker.getNotifications()).then((list) => list.map(({ title }) => title))`
    await expect.poll(() => page.evaluate(shown)).toEqual(['You can vote for Moss island again'])
    await page.goto(`${base}/vote/${id}`)
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('You will be reminded when you can vote again.').waitFor()
    expect(await page.getByRole('button', { name: 'No reminder' }).count()).toBe(1)

    await page.goto(`${base}/reminders/${rows[0].id}`)
    await page.getByText('You get no more reminders for this server.').waitFor()
    expect((await pool.query('select from vote_reminders where server_id = $1', [id])).rowCount).toBe(0)
    await page.goto(`${base}/vote/${id}`)
    await page.getByRole('button', { name: 'Remind me here' }).waitFor()
    await expect.poll(() => page.evaluate('localStorage.reminders')).toBe('{}')

    // Other tests count the servers.
    await pool.query('update servers set deleted_at = now() where id = $1', [id])
    await api.directory.refresh()
    // Chromium reports each 404 of a script's request: the reminder has ended.
    expect(wrong).toEqual(['console: Failed to load resource: the server responded with a status of 404 (Not Found)'])
  })

  it('ends a reminder by the action of its message', async () => {
    const { pool } = api.database
    const { id: userId } = await addPerson(pool)
    const id = randomUUID()
    await pool.query(
      `insert into vote_reminders (id, server_id, visitor_id, channel, user_id, language, due_at)
       values ($1, $2, 'visitor', 'email', $3, 'en', now() + interval '1 day')`,
      [id, island, userId],
    )
    const { page, wrong } = await open('/')
    await page.evaluate(
      `navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready).then(() => true)`,
    )
    const [worker = expect.fail('no worker')] = page.context().serviceWorkers()
    // No page can click a notification.
    const notification = `{ close() {}, data: { offUrl: '${base}/api/vote-reminders/off?id=${id}' } }`
    await worker.evaluate(
      `dispatchEvent(Object.assign(new Event('notificationclick'), { action: 'off', notification: ${notification}, waitUntil() {} }))`,
    )
    const left = async () => (await pool.query('select from vote_reminders where id = $1', [id])).rowCount
    await expect.poll(left).toBe(0)
    expect(wrong).toEqual([])
  })

  it('sends the alerts of an account to a browser that its user adds, until it is removed', async () => {
    const { pool } = api.database
    const { page, wrong } = await open('about:blank', { permissions: ['notifications'] }, '')
    const { id, cookie } = await addPerson(pool)
    const [name = '', value = ''] = cookie.split('=')
    await page.context().addCookies([{ name, value, url: base }])
    const subscription = JSON.stringify(pushService.subscribe())
    // Chromium's own push service is not within reach.
    await page.addInitScript(`PushManager.prototype.subscribe = async () => ({ toJSON: () => (${subscription}) })`)
    await page.goto(`${base}/account/favorites`)
    await page.getByText('No browser gets your alerts yet.').waitFor()
    await page.getByRole('button', { name: 'Get alerts in this browser' }).click()
    await page.getByText(/^\s*Added /).waitFor()
    expect((await pool.query('select from push_browsers where user_id = $1', [id])).rowCount).toBe(1)
    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No browser gets your alerts yet.').waitFor()
    expect((await pool.query('select from push_browsers where user_id = $1', [id])).rowCount).toBe(0)
    expect(wrong).toEqual([])
  })

  it('says why a browser gets no alerts: notifications are not allowed, or its push service is unknown', async () => {
    const { page } = await open('about:blank', { permissions: ['notifications'] }, '')
    const [name = '', value = ''] = (await addPerson(api.database.pool)).cookie.split('=')
    await page.context().addCookies([{ name, value, url: base }])
    const subscription = JSON.stringify({ ...pushService.subscribe(), endpoint: 'https://push.example/1' })
    await page.addInitScript(`PushManager.prototype.subscribe = async () => ({ toJSON: () => (${subscription}) })`)
    await page.goto(`${base}/account/favorites`)
    await page.getByRole('button', { name: 'Get alerts in this browser' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').textContent()).not.toBe('')
    await page.evaluate(`Notification.requestPermission = async () => 'denied'`)
    await page.getByRole('button', { name: 'Get alerts in this browser' }).click()
    await page.getByText('The browser does not allow notifications from this site.').waitFor()
  })

  it('takes no vote before the script runs, which knows the visitor’s id', async () => {
    const { page, wrong } = await open('about:blank', {}, '')
    const { promise: loads, resolve: load } = Promise.withResolvers<void>()
    await page.route('**/browser/server.ts', async (route) => {
      await loads
      await route.continue()
    })
    await page.goto(`${base}/servers/${island}`, { waitUntil: 'commit' })
    const button = page.getByRole('button', { name: 'Vote' })
    await button.waitFor()
    expect(await button.isDisabled()).toBe(true)
    await page.getByLabel('Player name').fill('Ada')
    await page.keyboard.press('Enter')
    load()
    await expect.poll(() => button.isDisabled()).toBe(false)
    expect(await page.getByLabel('Player name').inputValue()).toBe('Ada')
    expect(page.url()).toContain(island.slice(-12))
    expect(await page.context().cookies()).toEqual([])
    expect(wrong).toEqual([])
  })

  it('votes with a proof of work where one is needed', async () => {
    const port = await freePort()
    const proving = `http://localhost:${port}`
    const settings = { PUBLIC_BASE_URL: proving, VOTE_PROOF: 'altcha', STREAMS_PER_ADDRESS: '0' }
    await startTestApi({ database: api.database, settings, server: { port, host: 'localhost' } })
    const { page, wrong } = await open(`/servers/${island}`, {}, proving)
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('Thank you for your vote.').waitFor()
    expect(wrong).toEqual([])
    const { rowCount } = await api.database.pool.query('select from vote_proofs')
    expect(rowCount).toBe(1)
  })

  it('the chart has every range, also by the keyboard', async () => {
    const { page, wrong } = await open(`/servers/${island}`)
    await page.locator('.plot canvas').waitFor()
    await page.getByRole('link', { name: '7 days' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.url()).toContain('range=7d')
    expect(await page.getByRole('link', { name: '7 days' }).getAttribute('aria-current')).toBe('true')
    expect(wrong).toEqual([])
  })

  /** Presses Tab until the element has the focus. @returns elements on the way whose focus does not show */
  async function tabTo(page: Page, selector: string): Promise<string[]> {
    const unseen: string[] = []
    for (let presses = 0; presses < 100; presses++) {
      await page.keyboard.press('Tab')
      const { isThere, isSeen, html } = await page.evaluate<{ isThere: boolean; isSeen: boolean; html: string }>(
        `(() => { const one = document.activeElement, style = getComputedStyle(one)
          return { isThere: one.matches(${JSON.stringify(selector)}), isSeen: style.outlineStyle !== 'none' || style.boxShadow !== 'none',
            html: one.outerHTML.slice(0, 120) } })()`,
      )
      if (!isSeen) unseen.push(html)
      if (isThere) return unseen
    }
    throw new Error(`Tab does not reach ${selector}`)
  }

  it('by the keyboard alone finds a server, votes, and sees each focus', async () => {
    const { page, wrong } = await open('/')
    const unseen = await tabTo(page, '#q')
    await page.keyboard.type('amber')
    await page.keyboard.press('Enter')
    await expect.poll(() => count(page)).toBe('1 server')
    unseen.push(...(await tabTo(page, '.server h2 a')))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${base}/servers/*-${island.slice(-12)}`)
    unseen.push(...(await tabTo(page, '[name="username"]')))
    await page.keyboard.type('Kim')
    unseen.push(...(await tabTo(page, '#vote button')))
    await page.keyboard.press('Enter')
    await page.getByText('Thank you for your vote.').waitFor()
    expect(unseen).toEqual([])
    expect(wrong).toEqual([])
  })

  it.each([
    ['reduce', []],
    ['no-preference', ['gauge-now']],
  ] as const)('with the preference %s for motion moves %j', async (reducedMotion, moving) => {
    const { page } = await open('/', { reducedMotion })
    const found = await page.evaluate(
      `[...new Set([...document.querySelectorAll('*')].filter((one) => {
        const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one)
        return !/^0s(, 0s)*$/.test(transitionDuration) || animationName !== 'none' || scrollBehavior !== 'auto'
      }).map((one) => one.getAttribute('class')))]`,
    )
    expect(found).toEqual(moving)
  })

  it('without scripts lists, filters, pages and votes', async () => {
    const { page } = await open('/', { javaScriptEnabled: false })
    expect(await page.locator('.server').count()).toBe(25)
    await page.getByRole('link', { name: 'Next' }).click()
    expect(await page.locator('.server').count()).toBe(9)
    await page.getByRole('link', { name: 'Rust 1' }).click()
    expect(await count(page)).toBe('1 server')
    await page.getByLabel('Search servers').fill('island')
    await page.getByRole('button', { name: 'Search' }).click()
    expect(page.url()).toContain('q=island')
    await page.locator('.server h2 a').click()
    const image = page.locator('.chart img')
    await expect
      .poll(() => image.evaluate((img) => (img as unknown as { naturalWidth: number }).naturalWidth))
      .toBe(760)
    await page.getByLabel('Player name').fill('Max')
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('Thank you for your vote.').waitFor()
    expect(await page.getByRole('button', { name: 'Again in' }).isDisabled()).toBe(true)
    await page.reload() // sends no second vote, which would be refused
    await page.getByText('Thank you for your vote.').waitFor()
    await page.goto(`${base}/servers/${island}`)
    await page.getByRole('button', { name: 'Vote' }).click()
    await page.getByText('You can vote for this server again in').waitFor()
  })
})
