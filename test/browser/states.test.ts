// The list and the page of a server in states that are rare: no server, one, hostile ones, and a
// directory that is too old.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { insertServer, putStatus } from '../features/directory/rows-in-database.ts'
import type { TestApi } from '../support/api.ts'
import { isMissing } from '../support/installed.ts'
import { faultsOf } from '../support/page-faults.ts'
import { startSite } from '../support/site.ts'

/** What no form accepts, but a poll or an import could bring. */
const HOSTILE = {
  'of 1,000 characters without a space': 'W'.repeat(1_000),
  'of 1,000 characters': 'A very long name '.repeat(59),
  'right to left': 'سيرفر العرب الرسمي للألعاب',
  'with an override of the direction': '\u202Egnp.exe\u2066 \u200F\u061C evil',
  'with control characters': 'Bell\u0007 tab\t line\n escape\u001B[31m end\u007F',
  'with markup': '</title></script><img src=x onerror="document.title=1"><b>&amp;',
}

describe.skipIf(isMissing('chromium'))('in a browser', () => {
  let browser: Browser
  let api: TestApi
  let base = ''
  let now = 0

  beforeAll(async () => {
    ;({ api, browser, base } = await startSite({ clock: () => Date.now() + now }))
  })

  async function look(address: string, wanted: string) {
    const context = await browser.newContext({ locale: 'en-US' })
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const wrong: string[] = []
    page.on('pageerror', (error) => wrong.push(error.message))
    await page.goto(base + address)
    await page.getByText(wanted).first().waitFor()
    expect(await faultsOf(page)).toEqual([])
    expect(wrong).toEqual([])
    return page
  }

  it('a directory without servers says so, and offers to list one', async () => {
    const page = await look('/', 'This directory is new: no server is listed yet.')
    expect(await page.getByRole('link', { name: 'Add a server' }).getAttribute('href')).toBe('/my/servers/new')
    expect(await page.locator('.totals').textContent()).toContain('0 online 0 players 0 servers 0 votes')
  })

  it('one server with one player and one vote is counted as one', async () => {
    const { pool } = api.database
    const id = await insertServer(pool, { name: 'Alone' })
    await putStatus(pool, id, { currentPlayers: 1, maxPlayers: 1 })
    await api.directory.refresh()
    const page = await look('/', 'Alone')
    expect(await page.locator('.totals').textContent()).toContain('1 online 1 player 1 server 0 votes')
    await page.getByText('1 of 1 player', { exact: true }).first().waitFor({ state: 'attached' })
    await look(`/servers/${id}`, 'Alone')
  })

  it.each(Object.entries(HOSTILE))('a name %s breaks no page', async (what, name) => {
    const { pool } = api.database
    const id = await insertServer(pool, { name, description: name, tags: [what.slice(0, 20)] })
    await putStatus(pool, id, { currentPlayers: 7, map: name.slice(0, 200), version: name.slice(0, 40) })
    await api.directory.refresh()
    const start = (name.match(/[^\p{Cc}\p{Cf}]+/u)?.[0] ?? '').slice(0, 8)
    const list = await look('/', start)
    expect(await list.locator('.server img').count()).toBe(0)
    const page = await look(`/servers/${id}`, start)
    expect(await page.locator('.server-main img[src=x]').count()).toBe(0)
    // The name does not change the direction of what stands around it, and leaves space for the rest.
    expect(await page.locator('h1').getAttribute('dir')).toBe('auto')
    expect((await page.locator('h1').boundingBox())?.height).toBeLessThan(200)
  })

  it('a directory that is too old is a page of its own, in the language of the visitor', async () => {
    await api.directory.stop()
    now = 10 * 60_000
    await look('/', 'Not available at the moment')
    await look('/?lang=de', 'Gerade nicht verfügbar')
  })
})
