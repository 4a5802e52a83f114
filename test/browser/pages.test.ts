// Every page in a browser: light and dark, wide and narrow, and its interactions.
import fs from 'node:fs'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { renderBadge } from '../../src/features/widgets/badge.ts'
import { renderBanner } from '../../src/features/widgets/banner.ts'
import { renderChart } from '../../src/features/widgets/chart.ts'
import { type RunningLauncher, startLauncher } from '../commands/support/start-launcher.ts'
import { atFileEnd } from '../support/at-file-end.ts'
import { launchChromium } from '../support/chromium.ts'
import { isMissing } from '../support/installed.ts'

const SOON = { timeout: 20_000, interval: 50 }
const PERSON = { email: 'me@example.com', password: 'plough the 7 seas', username: 'Me' }
/** 320 px: a phone, or a window of 1280 px at 400 % (WCAG 2.2, 1.4.10). */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 320, height: 640 },
]

const outlineOf = (element: unknown) => {
  const { outlineStyle, outlineWidth } = (globalThis as unknown as StyledWindow).getComputedStyle(element)
  return `${outlineStyle} ${outlineWidth}`
}
interface StyledWindow {
  getComputedStyle(element: unknown): { outlineStyle: string; outlineWidth: string }
}

const audit = fs.readFileSync(path.join(import.meta.dirname, 'audit.js'), 'utf8')

describe.skipIf(isMissing('chromium'))('in a browser', () => {
  let browser: Browser
  let product: RunningLauncher
  /** As displayed on the screen, to type it. */
  let baseUrl = ''
  let sandboxUrl = ''
  let cookie = ''

  async function api<Body>(method: string, route: string, body?: object): Promise<Body> {
    const response = await fetch(baseUrl + route, {
      method,
      headers: { cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (response.headers.has('set-cookie'))
      cookie = response.headers
        .getSetCookie()
        .map((line) => line.split(';', 1)[0])
        .join('; ')
    expect(response.ok, `${method} ${route}: ${response.status}`).toBe(true)
    return (await response.json()) as Body
  }
  const payPage = async () => (await api<{ url: string }>('POST', '/api/billing/checkout', { tier: 'premium' })).url

  beforeAll(async () => {
    ;[product, browser] = await Promise.all([
      startLauncher(
        { RATE_LIMIT_IP_PER_MINUTE: '0', RATE_LIMIT_IP_PER_HOUR: '0', LOG_LEVEL: 'warn' },
        { atEnd: atFileEnd },
      ),
      launchChromium(),
    ])
    atFileEnd(() => browser.close())
    await vi.waitFor(() => expect(product.output()).toContain('The server directory is running.'), {
      ...SOON,
      timeout: 45_000,
    })
    baseUrl = /Site +(http:\S+)/.exec(product.output())?.[1] ?? ''
    sandboxUrl = /Payments +(http:\S+)/.exec(product.output())?.[1] ?? ''
    await api('POST', '/api/auth/register', PERSON)
  })

  /** Opens a page in a new browser context, with the person's session if given, and collects its errors. */
  async function open({
    isStranger = false,
    ...options
  }: {
    javaScriptEnabled?: boolean
    isStranger?: boolean
  } = {}): Promise<{ page: Page; wrong: string[] }> {
    const context = await browser.newContext({
      colorScheme: 'dark',
      reducedMotion: 'reduce',
      ...options,
    })
    onTestFinished(() => context.close())
    context.setDefaultTimeout(60_000)
    const pairs = isStranger ? [] : cookie.split('; ').map((pair) => pair.split('='))
    await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: baseUrl })))
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(`console: ${message.text()}`))
    page.on('pageerror', (error) => wrong.push(`script: ${error.message}`))
    page.on('requestfailed', (request) => {
      const why = request.failure()?.errorText
      if (why === 'net::ERR_ABORTED') return // left for another page
      if (why === 'csp' && options.javaScriptEnabled === false) return // a script, which this browser does not load
      wrong.push(`${why}: ${request.url()}`)
    })
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url())
      if (protocol !== 'data:' && hostname !== '127.0.0.1' && hostname !== 'localhost')
        wrong.push(`outside: ${request.url()}`)
    })
    return { page, wrong }
  }

  /** Faults in every appearance of the page, which is loaded dark and then follows the system. */
  async function faultsOf(page: Page): Promise<string[]> {
    const faults: string[] = []
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const size of SIZES) {
        await page.setViewportSize(size)
        const found = await page.evaluate<string[]>(audit)
        faults.push(...found.map((fault) => `${colorScheme}, ${size.width} px: ${fault}`))
      }
    }
    return faults
  }

  async function expectWell(address: string, shows: string): Promise<Page> {
    const { page, wrong } = await open()
    await page.goto(address)
    await page.locator(shows).first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(wrong).toEqual([])
    return page
  }

  it('the reference finds while typing, remembers the language, and answers', async () => {
    const page = await expectWell(`${baseUrl}/docs#vote`, '.operation')
    expect(new URL(page.url()).pathname).toBe('/docs/vote')
    const sample = page.locator('.samples [data-language]:visible pre')
    expect(await sample.textContent()).toMatch(/^curl /)
    await page.getByText('Python', { exact: true }).click()
    expect(await sample.textContent()).toMatch(/^import requests/)

    await page.getByLabel('Search operations').fill('zebra')
    await page.getByText('No operation has all of these words.').waitFor()
    await page.getByLabel('Search operations').fill('list servers public')
    await page.getByText(/^\d+ operations$/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.locator('a[href="/docs/listPublicServers"]:visible').click()
    await page.waitForURL('**/docs/listPublicServers')
    expect(await sample.textContent()).toBe(
      `import requests\n\nreply = requests.get("${baseUrl}/api/public/servers").json()`,
    )
    // A search that is sent has an address of its own.
    const found = await open()
    await found.page.goto(`${baseUrl}/docs?q=zebra`)
    await found.page.getByRole('heading', { name: /^No operation has all of these words/ }).waitFor()
    expect(new URL(found.page.url()).search).toBe('?q=zebra')

    await page.getByText('Try it').click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .locator('.try > pre')
      .filter({ hasText: /^200[\s\S]*"pagination"/ })
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    // A logged-in user's writes from this page are accepted.
    expect(
      await page.evaluate(`fetch('/api/auth/verify-email/send', { method: 'POST' }).then(({ status }) => status)`),
    ).toBe(200)
  })

  it('the ways through the payment sandbox: declined, paid, changed, and what comes after', async () => {
    const pay = await payPage()
    const page = await expectWell(pay, 'h1')
    await page.getByRole('button', { name: 'Fail' }).click()
    await page.getByRole('alert').waitFor()
    expect(await faultsOf(page)).toEqual([])
    await expectWell(`${sandboxUrl}/`, 'text=Open payment pages')

    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByText('Your tier: Premium · Renews on').waitFor()
    expect(await page.getByRole('heading').textContent()).toBe('Thank you')
    expect(await faultsOf(page)).toEqual([])
    await expectWell(pay, 'text=This is paid')

    const { url } = await api<{ url: string }>('POST', '/api/user/subscription/portal')
    const portal = await expectWell(url, 'text=Tier premium')
    await portal.getByRole('button', { name: 'Cancel with the period' }).click()
    await portal.getByRole('button', { name: 'Keep it' }).waitFor()
    expect(await faultsOf(portal)).toEqual([])
    await expectWell(`${sandboxUrl}/`, 'text=customer.subscription.created')
    await portal.getByRole('link', { name: 'Back to Server Directory' }).click()
    await portal.getByText('Your tier: Premium · Ends on').waitFor()
    expect(await faultsOf(portal)).toEqual([])

    const lost = await open()
    expect((await lost.page.goto(`${sandboxUrl}/nothing`))?.status()).toBe(404)
    expect(await faultsOf(lost.page)).toEqual([])
  })

  it('the return page claims no payment that is not known, whatever its address says', async () => {
    const own = cookie
    onTestFinished(() => {
      cookie = own
    })
    await api('POST', '/api/auth/register', { ...PERSON, email: 'back@example.com' })
    const unpaid = new URL(await payPage()).pathname.split('/').at(-1)
    for (const [query, title] of [
      [`&session_id=${unpaid}`, 'Your payment is being processed'],
      ['&session_id=cs_test_unknown', 'Your payment'],
      ['', 'Your payment'],
    ]) {
      const { page } = await open()
      await page.goto(`${baseUrl}/payment?checkout=success${query}`)
      await page.getByRole('heading', { name: title ?? '' }).waitFor()
      expect(await page.getByRole('status').textContent()).not.toContain('went through')
      expect(await faultsOf(page)).toEqual([])
    }
  })

  it('the payment pages work without scripts, and by keyboard', async () => {
    const own = cookie
    onTestFinished(() => {
      cookie = own
    })
    await api('POST', '/api/auth/register', { ...PERSON, email: 'keys@example.com' })
    const { page, wrong } = await open({ javaScriptEnabled: false })
    await page.goto(await payPage())
    for (const name of ['Back to Server Directory', 'Pay', 'Fail: the card is declined', 'Cancel']) {
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe(name)
      expect(await page.locator(':focus').evaluate(outlineOf)).toMatch(/^solid 3px/)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/payment\?checkout=canceled$/)
    await page.goBack()
    await page.getByRole('button', { name: 'Pay', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/payment\?checkout=success&session_id=cs_test_\w+$/)
    // The page loads itself again until the payment is confirmed.
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    expect(await page.getByRole('link', { name: 'Back to your subscription' }).isVisible()).toBe(true)
    expect(wrong).toEqual([])
  })

  /** The page the newest mail with these words leads to. */
  async function linkOf(words: string): Promise<string> {
    const folder = path.join(product.env.DATA_DIR ?? '', 'mail')
    const newest = () =>
      (fs.existsSync(folder) ? fs.globSync(path.join(folder, '*.eml')) : [])
        .sort((a, b) => fs.statSync(b).mtimeMs - fs.statSync(a).mtimeMs)
        .map((file) => fs.readFileSync(file, 'utf8'))
        .find((mail) => mail.includes(words) && mail.includes(PERSON.email))
    await expect.poll(newest, SOON).toBeDefined()
    return /^http:.*#.*$/m.exec(newest() ?? '')?.[0] ?? ''
  }

  it('a mail’s link opened elsewhere confirms nothing without the password, and leads to a reset, by keyboard', async () => {
    const link = await linkOf('Confirm your e-mail address')
    const { page } = await open({ isStranger: true })
    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm' }).waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Tab') // the link to the site
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Enter the account’s password').waitFor()
    const field = page.getByLabel('Password of the account')
    expect(await field.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true)
    expect(await field.evaluate(outlineOf)).toMatch(/^solid 3px/)
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await page.getByText('The password is wrong').waitFor()

    for (const name of ['Confirm', 'reset the password']) {
      await page.keyboard.press('Tab')
      expect(await page.locator(':focus').textContent()).toBe(name)
      expect(await page.locator(':focus').evaluate(outlineOf)).toMatch(/^solid 3px/)
    }
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/password$/)
    await page.getByLabel('E-mail address of the account').fill('unknown@example.com')
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('If there is an account with this address').waitFor()
    expect(await faultsOf(page)).toEqual([])
  })

  it('a mail’s link confirms its address once the button is pressed, and only once', async () => {
    await api('POST', '/api/auth/login', { email: PERSON.email, password: PERSON.password })
    const link = await linkOf('Confirm your e-mail address')
    const page = await expectWell(link, 'button')
    await page.getByRole('button', { name: 'Confirm' }).press('Enter')
    await page.getByText('Your e-mail address is confirmed.').waitFor()
    expect(page.url()).not.toContain('#') // no token stays in the history
    expect(await faultsOf(page)).toEqual([])

    const again = await open()
    await again.page.goto(link)
    await again.page.getByRole('button', { name: 'Confirm' }).click()
    await again.page.locator('[role=status].bad:not(:empty)').waitFor()
    expect(await faultsOf(again.page)).toEqual([])
    expect(await expectWell(link.split('#')[0] ?? '', 'text=not whole')).toBeDefined()
  })

  it('a mail’s link sets a new password, and says what is wrong with one', async () => {
    await api('POST', '/api/user/api-keys', { name: 'Of before' })
    await api('POST', '/api/auth/password-reset', { email: PERSON.email })
    const page = await expectWell(await linkOf('Set a new password'), 'button')
    const field = page.getByLabel('New password')
    await field.fill('password')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page
      .getByRole('status')
      .filter({ hasText: /password/i })
      .waitFor()
    expect(await faultsOf(page)).toEqual([])
    await page.getByLabel('Also revoke all API keys').press('Space')
    await page.getByLabel('Show it').check()
    expect(await field.getAttribute('type')).toBe('text')
    await field.fill('sow the 8 fields')
    await page.getByRole('button', { name: 'Set the password' }).click()
    await page.getByText('Your password is set.').waitFor()
    await api('POST', '/api/auth/login', { email: PERSON.email, password: 'sow the 8 fields' })
    expect(await api('GET', '/api/user/api-keys')).toEqual({ apiKeys: [] })
  })

  it('without scripts /confirm says what to do', async () => {
    const { page } = await open({ javaScriptEnabled: false })
    await page.goto(`${baseUrl}/confirm`)
    expect(await page.locator('noscript').isVisible()).toBe(true)
    expect(await page.locator('noscript').textContent()).toContain('needs scripts')
  })

  const NAMES = [
    'A',
    'W'.repeat(100),
    'i'.repeat(100),
    '🔥 Fire 👩‍👩‍👧',
    'سيرفر العرب الرسمي',
    'サーバー 日本',
    'ÀÉÎ <b> & "Co"',
  ]

  it('a badge’s words lie within their halves, whatever the name', async () => {
    const { page } = await open()
    for (const name of NAMES)
      for (const isOnline of [true, false]) {
        await page.setContent(renderBadge({ name, isOnline, currentPlayers: 1000, maxPlayers: 1000 }))
        const [split = 0, width = 0, ...ends] = await page.evaluate<number[]>(`(() => {
          const [first, second] = [...document.querySelectorAll('text')].map((text) => text.getBBox())
          const half = document.querySelector('circle').cx.baseVal.value
          return [half, document.querySelector('svg').width.baseVal.value, first.x + first.width, second.x + second.width]
        })()`)
        expect(ends[0], name).toBeLessThan(split)
        expect(ends[1], name).toBeLessThan(width)
      }
  })

  it('the words of a chart and of a banner lie in their places and not on each other, whatever the name', async () => {
    const { page } = await open()
    const points = [0, null, 2_000_000_000].map((players, hour) => ({
      at: new Date(hour * 3_600_000),
      players,
      peak: players,
      maxPlayers: 70,
    }))
    const history = {
      points,
      polledFrom: 0,
      polledTo: points.length,
      peak: 2_000_000_000,
      average: 1_000_000_000,
      uptime: 0.5,
    }
    const most = { isOnline: true, currentPlayers: 2 ** 31 - 1, maxPlayers: 2 ** 31 - 1 }
    for (const name of NAMES)
      for (const image of [
        renderChart({ name, range: '90d', history }),
        renderBanner({
          name,
          gameName: name,
          map: name,
          ipAddress: name,
          gamePort: 65_535,
          connectAddress: name,
          ...most,
          lastDay: history,
        }),
      ]) {
        await page.setContent(image)
        const wrong = await page.evaluate<string[]>(`(() => {
          const place = document.querySelector('rect.card').getBoundingClientRect()
          const boxes = [...document.querySelectorAll('text')].map((text) => ({
            text: text.textContent, box: text.getBoundingClientRect(),
            within: text.parentNode === document.querySelector('svg') ? place : text.parentNode.getBoundingClientRect() }))
          const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom - 3 && b.top < a.bottom - 3
          return boxes.flatMap(({ text, box, within }, index) => [
            ...(box.left < within.left || box.right > within.right ? [text + ' leaves its place'] : []),
            ...boxes.slice(0, index).filter((other) => overlap(other.box, box)).map((other) => other.text + ' on ' + text)])
        })()`)
        expect(wrong, name).toEqual([])
      }
  })

  it('a chart and a banner are light or dark as the system is, also when they are opened themselves', async () => {
    const { server } = await api<{ server: { id: string } }>('POST', '/api/servers', {
      name: 'The isle of images',
      ipAddress: '127.0.0.1',
      gamePort: 7777,
      queryPort: 1,
    })
    const { page, wrong } = await open()
    for (const image of ['chart.svg', 'banner.svg'])
      for (const [colorScheme, fill] of [
        ['light', 'rgb(255, 255, 255)'],
        ['dark', 'rgb(27, 33, 41)'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(`${baseUrl}/api/servers/${server.id}/${image}`)
        expect(await page.evaluate(`getComputedStyle(document.querySelector('.card')).fill`)).toBe(fill)
      }
    expect(wrong).toEqual([])
  })
})
