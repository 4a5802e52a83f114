// Every page of the site in both languages, from a phone to a wide screen: nothing is cut, and no text
// has words of programs.
import type { Browser } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { PAGES } from '../../src/features/site/pages.ts'
import { bidOnce } from '../features/auctions/support.ts'
import { insertServer, putStatus, putVotes } from '../features/directory/rows-in-database.ts'
import { serverFields } from '../features/servers/support.ts'
import type { TestApi } from '../support/api.ts'
import { addAuction, addSlot } from '../support/auctions.ts'
import { cutTextsOf } from '../support/cut-texts.ts'
import { isMissing } from '../support/installed.ts'
import { addPerson, type Person } from '../support/people.ts'
import { startSite } from '../support/site.ts'

const WIDTHS = [360, 390, 768, 1440, 1920]
/** They leave the site, or end the session. */
const NOT_SHOWN = ['/logout']

describe.skipIf(isMissing('chromium'))('at every width', () => {
  let browser: Browser
  let api: TestApi
  let base = ''
  let admin: Person
  /** A page for each declared path. */
  const addresses = new Map<string, string>()

  beforeAll(async () => {
    ;({ api, browser, base } = await startSite())
    const { pool } = api.database
    admin = await addPerson(pool, { isAdmin: true })
    const post = async <Reply>(path: string, body: object) => {
      const headers = { cookie: admin.cookie, 'content-type': 'application/json' }
      const reply = await api.request(`/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      expect(reply.ok, path).toBe(true)
      return (await reply.json()) as Reply
    }
    const full = { currentPlayers: 12_345, maxPlayers: 65_535, country: 'DE', map: 'Procedural Map', version: '1.20.4' }
    const { server } = await post<{ server: { id: string } }>(
      '/servers',
      serverFields({ name: 'Amber island', gamePort: 65_535, description: 'A description. '.repeat(20) }),
    )
    await putStatus(pool, server.id, full)
    for (let n = 0; n < 3; n++) {
      const id = await insertServer(pool, { name: `Number ${n}`, game: ['rust', 'minecraft', 'unturned'][n] ?? 'rust' })
      await putStatus(pool, id, full)
      await putVotes(pool, id, 1_234_567)
    }
    const slotId = (await addSlot(pool, { location: 'home-top' })).id
    const auction = await addAuction(pool, { slotId, startingBid: 100_000_00 })
    await bidOnce(api, await addPerson(pool), auction, 100_000_00)
    await pool.query(`update servers set is_featured = true, is_verified = true where id = $1`, [server.id])
    const endpoint = await post<{ id: string }>(`/servers/${server.id}/endpoints`, {
      kind: 'votifier2',
      host: '198.51.100.250',
      port: 65_535,
      token: 'a token of the plugin',
    })
    await post(`/servers/${server.id}/reports`, { reason: 'spam', details: 'Details of it.' })
    await api.directory.refresh()
    const { servers } = (await (await api.request('/api/servers?limit=4')).json()) as { servers: { id: string }[] }
    const params: Record<string, string> = {
      id: server.id,
      endpointId: endpoint.id,
      slug: 'rust',
      month: '2026-10',
      name: 'mail',
      operation: 'vote',
    }
    for (const { path } of PAGES) {
      if (NOT_SHOWN.includes(path)) continue
      const isAuction = path.includes('auctions/')
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => (isAuction ? auction : (params[name] ?? '')))
      addresses.set(path, path === '/compare' ? `/compare?ids=${servers.map(({ id }) => id)}` : filled)
    }
    addresses.set('/ filtered', '/?game=rust&country=DE&onlineOnly=true&q=number&minPlayers=5')
  })

  it.each(['en', 'de'])('no page cuts what it says (%s)', async (language) => {
    const context = await browser.newContext({ reducedMotion: 'reduce' })
    const [name = '', value = ''] = admin.cookie.split('=')
    await context.addCookies([{ name, value, url: base }])
    const page = await context.newPage()
    const faults: string[] = []
    for (const [path, address] of addresses) {
      const reply = await page.goto(`${base}${address}${address.includes('?') ? '&' : '?'}lang=${language}`)
      if (!reply?.ok()) faults.push(`${path}: ${reply?.status()}`)
      const at = new Map<string, number[]>()
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await page.evaluate(`document.querySelectorAll('details').forEach((each) => { each.open = true })`)
        for (const fault of await cutTextsOf(page)) at.set(fault, [...(at.get(fault) ?? []), width])
      }
      for (const [fault, widths] of at) faults.push(`${path} at ${widths}: ${fault}`)
    }
    await context.close()
    expect(faults).toEqual([])
  })

  it('the votes of a server stay in their column', async () => {
    const { pool } = api.database
    const id = await insertServer(pool, { name: 'Loved by thousands', game: 'rust' })
    await putStatus(pool, id, { currentPlayers: 1, maxPlayers: 2, country: 'DE' })
    await putVotes(pool, id, 999_999)
    await api.directory.refresh()
    const page = await browser.newPage()
    const found: string[] = []
    for (const address of ['/games/rust', '/', '/featured'])
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(`${base}${address}?lang=de`)
        const wide = await page.evaluate<string[]>(`
          [...document.querySelectorAll('.server > .votes')]
            .filter((votes) => {
              const { left, right } = votes.getBoundingClientRect()
              const lines = [...votes.querySelectorAll('b, b + .quiet')].flatMap((one) => [...one.getClientRects()])
              return lines.some((line) => line.left < left - 1 || line.right > right + 1)
            })
            .map(({ textContent }) => textContent)
        `)
        found.push(...wide.map((votes) => `${address} at ${width}: ${votes}`))
      }
    await page.close()
    expect(found).toEqual([])
  })
})
