// Public pages in a browser of each kind of visitor: what they may do appears, nothing moves, and the document
// is the same for all.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { serverFields } from '../features/servers/support.ts'
import type { TestApi } from '../support/api.ts'
import { isMissing } from '../support/installed.ts'
import { faultsOf } from '../support/page-faults.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startSite } from '../support/site.ts'

const NAMES = ['owner', 'manager', 'viewer', 'fan', 'admin'] as const
type Name = (typeof NAMES)[number]

const TEXTS = {
  en: {
    claim: 'Claim it',
    manage: 'Manage',
    manageIt: 'Manage it',
    numbers: 'Votes and numbers',
    moderate: 'Moderate',
    add: 'Add to favorites',
    remove: 'Remove favorite',
    removed: 'Removed from your favorites.',
    menu: { login: 'Log in', admin: 'Admin' },
  },
  de: {
    claim: 'Beanspruche ihn',
    manage: 'Verwalten',
    manageIt: 'Verwalte ihn',
    numbers: 'Stimmen und Zahlen',
    moderate: 'Moderieren',
    add: 'Zu Favoriten',
    remove: 'Aus Favoriten entfernen',
    removed: 'Aus deinen Favoriten entfernt.',
    menu: { login: 'Anmelden', admin: 'Verwaltung' },
  },
}
const LANGUAGES = ['en', 'de'] as const

describe.skipIf(isMissing('chromium'))('public pages know who looks', () => {
  let browser: Browser
  let api: TestApi
  let base = ''
  let id = ''
  const people = {} as Record<Name, Person>

  beforeAll(async () => {
    ;({ api, browser, base } = await startSite())
    const { pool } = api.database
    for (const name of NAMES) {
      people[name] = await addPerson(pool, { isAdmin: name === 'admin' })
      await pool.query('update users set username = $2 where id = $1', [people[name].id, `The ${name}`])
    }
    const listed = await api.request('/api/servers', {
      method: 'POST',
      headers: { cookie: people.owner.cookie, 'content-type': 'application/json' },
      body: JSON.stringify(serverFields({ name: 'Amber island' })),
    })
    id = ((await listed.json()) as { server: { id: string } }).server.id
    const join = 'insert into server_members (server_id, user_id, owner_id, role) values ($1, $2, $3, $4)'
    for (const role of ['manager', 'viewer'] as const)
      await pool.query(join, [id, people[role].id, people.owner.id, role])
    await api.request(`/api/servers/${id}/favorite`, { method: 'POST', headers: { cookie: people.fan.cookie } })
    await api.directory.refresh()
  })

  async function open(path: string, who: Name | undefined, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
    onTestFinished(() => context.close())
    const [name = '', value = ''] = who ? people[who].cookie.split('=') : []
    if (who) await context.addCookies([{ name, value, url: base }])
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
    page.on('pageerror', (error) => wrong.push(error.message))
    /** Paths of the questions about the visitor. */
    const asked: string[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (/\/(access|session)$/.test(pathname)) asked.push(pathname)
    })
    await page.addInitScript(`globalThis.shifts = []; new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries())
        globalThis.shifts.push({ value, moved: sources.map(({ node, previousRect: from, currentRect: to }) =>
          (node?.outerHTML ?? String(node?.nodeName)).slice(0, 80) + ' ' + JSON.stringify({ from, to })) })
    }).observe({ type: 'layout-shift', buffered: true })`)
    await page.goto(base + path)
    return { page, wrong, asked }
  }

  async function expectNothingMoved(page: Page): Promise<void> {
    const shifts = (await page.evaluate('globalThis.shifts')) as { value: number }[]
    const moved = shifts.reduce((sum, { value }) => sum + value, 0)
    // A part of a pixel, on a busy machine; a link that moves by its width is a hundred times more.
    expect(moved, JSON.stringify(shifts, null, 1)).toBeLessThan(0.000_01)
  }

  const serverPage = (language: string) => `/servers/${id}?lang=${language}`
  const link = (page: Page, name: string) => page.locator('main').getByRole('link', { name, exact: true })
  const hrefOf = async (page: Page, name: string) => (await link(page, name).getAttribute('href'))?.split('?')[0]

  it.each(LANGUAGES)('a stranger may claim and add, and is not asked about (%s)', async (language) => {
    const { page, wrong, asked } = await open(serverPage(language), undefined)
    const t = TEXTS[language]
    expect(await hrefOf(page, t.claim)).toBe(`/my/servers/${id}/claim`)
    await page.getByRole('button', { name: t.add }).waitFor()
    await page.getByRole('link', { name: t.menu.login }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toEqual([])
    expect(await page.locator('.access, .account').count()).toBe(0)
    expect(wrong).toEqual([])
  })

  it.each(
    LANGUAGES.flatMap((language) =>
      (
        [
          ['owner', ['manage', 'manageIt'], ['claim', 'moderate', 'numbers']],
          ['manager', ['manage', 'manageIt'], ['claim', 'moderate', 'numbers']],
          ['viewer', ['numbers'], ['claim', 'moderate', 'manage']],
          ['fan', ['claim'], ['manage', 'manageIt', 'numbers', 'moderate']],
          ['admin', ['manage', 'moderate', 'claim'], ['numbers', 'manageIt']],
        ] as const
      ).map(([who, sees, misses]) => ({ who, sees, misses, language })),
    ),
  )('the $who sees what they may do, and nothing moves ($language)', async ({ who, sees, misses, language }) => {
    const { page, wrong, asked } = await open(serverPage(language), who)
    const t = TEXTS[language]
    await page.getByRole('link', { name: `The ${who}`, exact: true }).waitFor()
    for (const name of sees) await link(page, t[name]).first().waitFor()
    for (const name of misses) expect(await link(page, t[name]).count(), name).toBe(0)
    const isFan = who === 'fan'
    await page.getByRole('button', { name: isFan ? t.remove : t.add }).waitFor()
    expect(await page.getByRole('link', { name: t.menu.admin, exact: true }).count()).toBe(who === 'admin' ? 1 : 0)
    expect(asked).toEqual([`/api/servers/${id}/access`])
    await expectNothingMoved(page)
    expect(wrong).toEqual([])
  })

  it('the links lead to where the visitor may do it', async () => {
    const { page: owners } = await open(serverPage('en'), 'owner')
    await link(owners, 'Manage').click()
    await owners.getByRole('heading', { name: 'Amber island' }).waitFor()
    expect(new URL(owners.url()).pathname).toBe(`/my/servers/${id}`)
    const { page: admins } = await open(serverPage('en'), 'admin')
    await link(admins, 'Moderate').click()
    await admins.getByRole('button', { name: 'Hide', exact: true }).waitFor()
    expect(await admins.locator('.admin').getByText('Amber island').count()).toBe(1)
  })

  it('a favorite is added and removed, with and without scripts', async () => {
    const { page } = await open(serverPage('en'), 'viewer')
    await page.getByRole('button', { name: 'Add to favorites' }).click()
    await page.getByText('Added to your favorites.').waitFor()
    await page.getByRole('button', { name: 'Remove favorite' }).click()
    await page.getByText('Removed from your favorites.').waitFor()
    await page.getByRole('button', { name: 'Add to favorites' }).waitFor()
    const { page: plain } = await open(serverPage('en'), 'fan', { javaScriptEnabled: false })
    await plain.getByRole('button', { name: 'Add to favorites' }).click()
    await plain.getByText('Added to your favorites.').waitFor()
  })

  it('without scripts, the way to a claim leads members to what they manage', async () => {
    const { page } = await open(serverPage('en'), 'manager', { javaScriptEnabled: false })
    await link(page, 'Claim it').click()
    await page.getByText('You are in the team of this server.').waitFor()
    await link(page, 'Manage the server').click()
    await page.getByRole('heading', { name: 'Amber island' }).waitFor()
  })

  it.each(['/', '/games', '/ranking', '/games/ark-survival-evolved', '/docs/vote'])(
    'the menu of %s names the visitor',
    async (path) => {
      const { page, wrong, asked } = await open(path, 'admin')
      await page.getByRole('link', { name: 'The admin', exact: true }).waitFor()
      await page.getByRole('link', { name: 'Admin', exact: true }).waitFor()
      expect(asked).toEqual(['/api/auth/session'])
      await expectNothingMoved(page)
      expect(wrong).toEqual([])
    },
  )

  it('a session that has ended leaves a page that works', async () => {
    const context = await browser.newContext()
    onTestFinished(() => context.close())
    await context.addCookies([{ name: 'session', value: 'A'.repeat(43), url: base }])
    const page = await context.newPage()
    await page.goto(base + serverPage('en'))
    await page.waitForLoadState('networkidle')
    await link(page, 'Claim it').waitFor()
    await page.getByRole('link', { name: 'Account' }).click()
    await page.getByLabel('E-mail address').waitFor()
  })

  it.each(['/', 'server'])(
    'the document of %s is the same bytes for all with a session, and for all without',
    async (path) => {
      const address = base + (path === 'server' ? serverPage('en') : path)
      const textOf = async (cookie?: string) => (await fetch(address, { headers: cookie ? { cookie } : {} })).text()
      const texts = await Promise.all(NAMES.map((name) => textOf(people[name].cookie)))
      expect(new Set(texts.map((text) => text.replaceAll(/"now":\d+/g, ''))).size).toBe(1)
      const stranger = await textOf()
      for (const name of NAMES) expect(stranger + texts[0]).not.toContain(`The ${name}`)
      expect(stranger).not.toContain('viewer.ts')
    },
  )

  it.each(LANGUAGES)(
    'the header fits one line on every screen, and is a menu on narrow ones (%s)',
    async (language) => {
      const { page } = await open(`/?lang=${language}`, 'admin')
      await page.getByRole('link', { name: 'The admin', exact: true }).waitFor()
      const button = page.locator('.menu-button')
      for (const width of [360, 390, 768, 1024, 1440, 1920]) {
        await page.setViewportSize({ width, height: 800 })
        expect((await page.locator('.top').boundingBox())?.height, String(width)).toBeLessThan(60)
        expect(await page.evaluate('document.documentElement.scrollWidth'), String(width)).toBeLessThanOrEqual(width)
        const nav = page.locator('.top nav')
        if (await button.isVisible()) await button.click()
        const cut = await nav.evaluate((element) => element.scrollWidth - element.clientWidth)
        expect(cut, `cut at ${width}`).toBeLessThanOrEqual(0)
        for (const item of await nav.getByRole('link').all()) {
          const box = await item.boundingBox()
          expect((box?.x ?? -1) >= 0 && (box?.x ?? 0) + (box?.width ?? width) <= width, `${width}`).toBe(true)
        }
        if (await button.isVisible()) await page.keyboard.press('Escape')
      }
      expect(await faultsOf(page)).toEqual([])
    },
  )

  it('the menu of a phone opens and closes without scripts, by keyboard', async () => {
    const viewport = { width: 360, height: 740 }
    const { page } = await open('/', undefined, { javaScriptEnabled: false, viewport })
    expect(await page.getByRole('link', { name: 'Log in' }).isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Menu' }).press('Enter')
    await page.getByRole('link', { name: 'Log in' }).waitFor()
    expect(await page.getByRole('link', { name: 'My servers' }).isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Log in' }).waitFor({ state: 'hidden' })
  })
})
