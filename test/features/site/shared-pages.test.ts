// Pages that are rendered once for all visitors: nothing of the request that rendered them may be in them.
import { beforeAll, describe, expect, it } from 'vitest'
import { serverPath } from '../../../src/features/site/components/server-parts.ts'
import { PAGES } from '../../../src/features/site/pages.ts'
import { startTestApi } from '../../support/api.ts'
import { addAuction } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { insertServer, putStatus } from '../directory/rows-in-database.ts'

const SECRET = 'foreign-secret'
const FOREIGN_QUERY = { token: SECRET, utm_source: SECRET, [SECRET]: '1', Game: SECRET, 'q[]': SECRET, lang: SECRET }
const FOREIGN_HEADERS = {
  origin: `https://${SECRET}.example`,
  referer: `https://${SECRET}.example/${SECRET}`,
  'user-agent': SECRET,
  'x-forwarded-for': '192.0.2.99',
  'x-forwarded-host': `${SECRET}.example`,
  'x-forwarded-proto': SECRET,
  'x-original-url': `/${SECRET}`,
  'x-request-id': SECRET,
  'last-event-id': SECRET,
  'accept-language': 'en, xx',
}
const FOREIGN_COOKIES = `visitor=${SECRET}; lang=${SECRET}; ${SECRET}=1`

let ahead = 0
const api = await startTestApi({ clock: () => Date.now() + ahead })
const { pool } = api.database
const one = await insertServer(pool, { name: 'One', game: 'rust' })
const other = await insertServer(pool, { name: 'Other', game: 'rust' })

const page = serverPath({ id: one, name: 'One' })

/** An address of each shared page with each kind of its own parameters. */
const ADDRESSES: Record<string, string[]> = {
  '/': ['/', '/?game=rust&sortBy=name', '/?q=one&page=1'],
  '/servers/{id}': [page, `${page}?range=7d`, `${page}?done=report`, `${page}?done=voted`],
  '/vote/{id}': [`/vote/${one}?username=Zoe`, `/vote/${one}?done=voted`],
  '/ranking': ['/ranking'],
  '/top/{month}': ['/top/2026-10', '/top/2026-10?page=2'],
  '/games/{slug}/top/{month}': ['/games/rust/top/2026-10'],
  '/games': ['/games'],
  '/games/{slug}': ['/games/rust'],
  '/featured': ['/featured'],
  '/compare': ['/compare', `/compare?ids=${one},${other}&find=o`],
  '/auctions': ['/auctions'],
}

beforeAll(async () => {
  for (const id of [one, other]) await putStatus(pool, id, { isOnline: true, currentPlayers: 3, maxPlayers: 10 })
  await addAuction(pool)
  await api.directory.refresh()
})

/** Renders the page for this request, since a page from the future counts as outdated; then what all others get. */
async function render(path: string, headers: Record<string, string>): Promise<string> {
  ahead -= 60_000
  const reply = await fetch(api.url + path, { headers: { 'accept-language': 'en', ...headers } })
  expect([path, reply.status]).toEqual([path, 200])
  // They, and an auction’s countdown, follow the time and the database, not the request.
  return (await reply.text()).replaceAll(/"(cursor|now)":("[^"]*"|\d+)/g, '').replaceAll(/>\d\d:\d\d:\d\d</g, '><')
}

function withForeign(path: string): string {
  const url = new URL(path, api.url)
  const own = [...url.searchParams].reverse()
  // Between the declared ones, which come in another order, and an empty one before them.
  const all = [...own.map(([name]) => [name, '']), ...Object.entries(FOREIGN_QUERY), ...own]
  return `${url.pathname}?${new URLSearchParams(all as [string, string][])}`
}

it('each shared page is tested', () => {
  expect(Object.keys(ADDRESSES).sort()).toEqual(
    PAGES.filter(({ shared }) => shared)
      .map(({ path }) => path)
      .sort(),
  )
})

describe.each(Object.values(ADDRESSES).flat())('%s', (path) => {
  it('is the same, byte for byte, whatever else the first visitor sent', async () => {
    const plain = await render(path, {})
    const foreign = await render(withForeign(path), { ...FOREIGN_HEADERS, cookie: FOREIGN_COOKIES })
    expect(foreign).not.toContain(SECRET)
    expect(foreign).toBe(plain)
  })

  it('is the same for all who have a session', async () => {
    const [first, second] = [await addPerson(pool), await addPerson(pool)]
    const plain = await render(path, { cookie: first.cookie })
    const foreign = await render(withForeign(path), {
      ...FOREIGN_HEADERS,
      cookie: `${FOREIGN_COOKIES}; ${second.cookie}`,
    })
    expect(foreign).toBe(plain)
  })

  it('in a chosen language is the same', async () => {
    const inGerman = (address: string) => {
      const url = new URL(address, api.url)
      url.searchParams.set('lang', 'de')
      return url.pathname + url.search
    }
    const plain = await render(inGerman(path), {})
    const foreign = await render(inGerman(withForeign(path)), { ...FOREIGN_HEADERS, cookie: FOREIGN_COOKIES })
    expect(foreign).toContain('<html lang="de">')
    expect(foreign).toBe(plain)
  })
})

it('an error’s page has no foreign parameters either', async () => {
  for (const path of ['/nothing', `/servers/${crypto.randomUUID()}`, '/?minPlayers=many']) {
    const url = new URL(path, api.url)
    url.searchParams.set('token', SECRET)
    const reply = await fetch(url, { headers: { accept: 'text/html' } })
    expect(reply.status).toBeGreaterThanOrEqual(400)
    expect(await reply.text()).not.toContain(SECRET)
  }
})
