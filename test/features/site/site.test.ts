// The site's foundation: pages made from the directory in memory, their headers, languages, errors and files.
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text as body } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { serverPath } from '../../../src/features/site/components/server-parts.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addWonAuction } from '../../support/auctions.ts'
import { addPerson } from '../../support/people.ts'
import { insertServer, putStatus, putVotes } from '../directory/rows-in-database.ts'

const HOSTILE = '</script><img src=x onerror=alert(1)> & "Co" \u202Eevil'
let api: TestApi
let id = ''
/** Of its page. */
let path = ''

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(api.url + path, { headers: { accept: 'text/html', ...headers }, redirect: 'manual' })
const text = async (path: string, headers?: Record<string, string>) => (await get(path, headers)).text()

beforeAll(async () => {
  api = await startTestApi()
  const { pool } = api.database
  id = await insertServer(pool, { name: HOSTILE, description: '<b>bold</b>', tags: ['pve'], game: 'rust' })
  path = serverPath({ id, name: HOSTILE })
  await putStatus(pool, id, { isOnline: true, currentPlayers: 12, maxPlayers: 70, map: '"><script>', country: 'DE' })
  for (let n = 1; n <= 30; n++) await putStatus(pool, await insertServer(pool, { name: `Number ${n}` }))
  await api.directory.refresh()
})

describe('the server list', () => {
  it('shows what the API lists, page by page, and its filters in the address', async () => {
    const first = await text('/')
    expect(first).toMatch(/<b>31<\/b> servers/)
    expect(first.match(/<li class="server /g)).toHaveLength(25)
    expect((await text('/?page=2')).match(/<li class="server /g)).toHaveLength(6)
    const filtered = await text('/?game=rust&country=DE')
    expect(filtered.match(/<li class="server /g)).toHaveLength(1)
    expect(filtered).toContain('<title>Rust servers in Germany · Server Directory</title>')
    expect(filtered).toContain('<h1>Rust servers in Germany</h1>')
  })

  it('of several countries names them, and nothing that is no country', async () => {
    expect(await text('/?country=DE,US')).toContain('<h1>Game servers in Germany, the United States</h1>')
    expect(await text('/?gameMode=PvE&game=rust&map=Isle&tags=pve&q=a&lang=de')).toContain(
      '<h1>PvE Rust-Server auf Isle mit pve zu „a“</h1>',
    )
    expect((await get('/?country=%20')).status).toBeLessThan(500)
  })

  it('escapes names in markup, attributes and the data of its script', async () => {
    for (const page of [await text('/?game=rust'), await text(path)]) {
      expect(page).not.toContain('<img src=x')
      expect(page.match(/<\/script>/g)?.length).toBe(page.match(/<script/g)?.length)
      expect(page).toContain('&lt;img src=x onerror=alert(1)>')
    }
  })

  it('keeps a name that reads from right to left apart from the sentence around it', async () => {
    expect(await text(`/?map=${encodeURIComponent('الجزيرة')}&lang=en`)).toContain(' on \u2068الجزيرة\u2069<')
    expect(await text(`/?map=${encodeURIComponent('\u202EIsle\u2069')}&lang=en`)).toContain(' on \u2068Isle\u2069<')
    expect(await text('/?map=Isle&lang=en')).toContain(' on Isle<')
  })

  it('says which parameter is wrong', async () => {
    const reply = await get('/?minPlayers=many')
    expect(reply.status).toBe(400)
    expect(await reply.text()).toContain('The address has a value that can’t be used: Players at least.')
    const german = await text('/?sortBy=best&lang=de')
    expect(german).toContain('Sortierung.')
    expect(german).not.toMatch(/sortBy:|must be/)
  })

  it('takes rates with a decimal comma, and the higher one first', async () => {
    const page = await text('/?minMultiplier=5,5&maxMultiplier=2')
    expect(page).toMatch(/name="minMultiplier"[^>]* value="2"/)
    expect(page).toMatch(/name="maxMultiplier"[^>]* value="5.5"/)
  })

  it('leads from a page after the last one to that, with what is filtered', async () => {
    const locationOf = async (path: string) => {
      const { status, headers } = await get(path)
      return [status, headers.get('location')]
    }
    expect(await locationOf('/?page=99')).toEqual([302, '/?page=2'])
    expect(await locationOf('/?game=rust&page=2&lang=en')).toEqual([302, '/?game=rust&lang=en'])
    expect(await locationOf('/?page=2')).toEqual([200, null])
  })

  it('leads from an address to the server at it', async () => {
    const { rows } = await api.database.pool.query<{ ip_address: string }>(
      'select ip_address from servers where id = $1',
      [id],
    )
    const [{ ip_address: address } = { ip_address: '' }] = rows
    for (const typed of [address, `${address}:7777`, ` steam://connect/${address}:7777 `]) {
      const { status, headers } = await get(`/?${new URLSearchParams({ q: typed })}`)
      expect([typed, status, headers.get('location')]).toEqual([typed, 302, expect.stringContaining(id.slice(-12))])
    }
    expect((await get(`/?q=${address}:1`)).status).toBe(200)
  })

  it('takes the short form of a game for it, and offers games and servers where there is none', async () => {
    const reply = await get('/?game=RUST&country=DE')
    expect([reply.status, reply.headers.get('location')]).toEqual([302, '/?game=rust&country=DE'])
    const unknown = await text('/?game=rusty')
    expect(unknown).toContain('There is no game called “rusty” here.')
    expect(unknown).toContain('<a class="chip" href="/?game=rust">Rust <span class="quiet">1</span></a>')
    expect(unknown).not.toMatch(/gamedig|type id/)
    expect(unknown).toContain('content="noindex"')
  })

  it('shows what is near where nothing is found', async () => {
    const nothing = await text('/?q=number+nowhere')
    expect(nothing).toContain('Nothing was found for “number nowhere”.')
    expect(nothing).toMatch(/Number \d+<\/a>/)
    expect(await text('/?q=Number&game=rust')).toMatch(/Number \d+<\/a>/)
    expect(await text('/?game=valheim')).toContain('Games with the most servers')
  })

  it('calls nothing similar that is not', async () => {
    const unlike = await text('/?q=qqqqqq')
    expect(unlike).toContain('<h2>Games with the most servers</h2>')
    expect(unlike).toContain('<h2>Popular servers</h2>')
    const alike = await text('/?q=rsut+number')
    expect(alike).toContain('<h2>Perhaps one of these servers</h2>')
    expect(await text('/?q=rusty')).toContain('<h2>Games with a similar name</h2>')
  })

  it('has no id twice on a page with several lists', async () => {
    for (const path of ['/', '/games/rust']) {
      const ids = [...(await text(path)).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
      expect(new Set(ids).size, path).toBe(ids.length)
    }
  })

  it('keeps equal pages of all visitors: 304, an entity tag, one language each', async () => {
    const reply = await get('/')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=1')
    expect(reply.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
    const etag = reply.headers.get('etag') ?? ''
    expect((await get('/', { 'if-none-match': etag })).status).toBe(304)
    expect((await get('/', { 'if-none-match': etag, 'accept-language': 'de' })).status).toBe(200)
  })

  it('shows a change at most a second later', async () => {
    const { pool } = api.database
    await expect.poll(() => text('/?game=rust')).toContain('12 of 70 players')
    await putStatus(pool, id, { isOnline: true, currentPlayers: 13, maxPlayers: 70, map: 'x', country: 'DE' })
    await api.directory.refresh()
    await expect.poll(() => text('/?game=rust')).toContain('13 of 70 players')
  })
})

describe('the menu', () => {
  it('leads visitors to the login, and those with a session to their account', async () => {
    const { cookie } = await addPerson(api.database.pool)
    for (const shown of ['/', path, '/nowhere']) {
      const menu = async (headers: Record<string, string>) => (await text(shown, headers)).split('</nav>')[0]
      expect(await menu({})).toContain('<a href="/login">Log in</a>')
      expect(await menu({ cookie })).toMatch(/<a class="account" href="\/account"[^>]*>Account<\/a>/)
    }
  })

  it('shows the owner’s Markdown on the server’s page, and its plain text to search engines', async () => {
    const description = '**Twice** as [fast](https://example.org)\n\n<img src=x> ![i](https://example.org/i.png)'
    const name = 'Markdown'
    const owned = await insertServer(api.database.pool, { name, description })
    await api.database.pool.query('update servers set created_at = now(), updated_at = now() where id = $1', [owned])
    await api.directory.refresh()
    const page = await text(`${serverPath({ id: owned, name })}?range=90d`)
    expect(page).toContain(
      '<strong>Twice</strong> as <a href="https://example.org" rel="ugc nofollow noopener">fast</a>',
    )
    expect(page).not.toMatch(/<img src=(x|"https:)/)
    expect(page).toMatch(/<meta name="description" content="[^"]*Twice as fast &lt;img src=x/)
    expect(page).toContain('"description":"Twice as fast \\u003cimg src=x')
    expect(page).toMatch(/Collecting since \w+ \d+, \d{4}/)
  })

  it('cuts a long description between characters for search engines', async () => {
    const owned = await insertServer(api.database.pool, { name: 'Emoji', description: `a${'🦊'.repeat(400)}` })
    await api.directory.refresh()
    const page = await text(serverPath({ id: owned, name: 'Emoji' }))
    const [, description = ''] = /<meta name="description" content="([^"]*)"/.exec(page) ?? []
    expect([description.includes('🦊'), description.includes('\uFFFD'), [...description].length <= 300]).toEqual([
      true,
      false,
      true,
    ])
  })

  it('an unproven server can be claimed from its page', async () => {
    expect(await text(path)).toContain(`<a href="/my/servers/${id}/claim"`)
    await api.database.pool.query('update servers set is_verified = true where id = $1', [id])
    await api.directory.refresh()
    await expect.poll(() => text(path)).not.toContain('/claim"')
  })
})

describe('languages', () => {
  it.each([
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['fr,en;q=0.5', 'en'],
    ['en;q=0.1, de;q=0.2', 'de'],
    ['de;q=0', 'en'],
    ['', 'en'],
  ])('%s is answered in %s', async (accepted, language) => {
    expect(await text('/', { 'accept-language': accepted })).toContain(`<html lang="${language}">`)
  })

  it('an address with ?lang= has that language, and its links keep it', async () => {
    const page = await text('/?lang=de&game=rust', { 'accept-language': 'en' })
    expect(page).toContain('<html lang="de">')
    expect(page).toContain(`href="${path}?lang=de"`)
    expect(page).toContain('hreflang="en" href="http://localhost:0/?game=rust&amp;lang=en"')
    expect(page).toContain('rel="canonical" href="http://localhost:0/?game=rust&amp;lang=de"')
  })
})

describe('a page', () => {
  it('allows scripts of this origin and its import map only, and no cookie is set', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/default-src 'none';script-src 'self' 'sha256-[\w+/]+=';style-src 'self'/)
    expect(policy).not.toContain('unsafe')
    expect(headers.get('set-cookie')).toBeNull()
  })

  it('may have a service worker, which may ask the API: it ends messages', async () => {
    const { headers } = await get('/service-worker.js')
    expect(headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain(`;connect-src 'self';`)
  })

  it('loads files that are there, from addresses that may be kept for ever, and none from elsewhere', async () => {
    const page = await text(path)
    const linked = [...page.matchAll(/<(?:script|link|img)[^>]* (?:src|href)="([^"]+)"/g)].map(([, to]) => to ?? '')
    const own = linked.filter((address) => address.startsWith('/assets/'))
    expect(linked.filter((address) => !address.startsWith('/') && !address.startsWith('http://localhost:0/'))).toEqual(
      [],
    )
    expect(own.length).toBeGreaterThan(5)
    for (const address of own) {
      const file = await get(address, { 'accept-encoding': 'br' })
      expect([address, file.status]).toEqual([address, 200])
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
      expect(file.headers.get('content-encoding')).toBe('br')
    }
    const [file = ''] = own
    const ofAnotherVersion = await get(file.replace(/assets\/[^/]+/, 'assets/older'))
    expect(ofAnotherVersion.headers.get('cache-control')).toBe('public, max-age=60')
  })

  it.each([
    '/assets/x/index.ts',
    '/assets/x/browser/tsconfig.json',
    '/assets/x/..%2findex.ts',
    '/assets/x/browser/../index.ts',
  ])('%s is no file for browsers', async (address) => expect((await get(address)).status).toBe(404))

  it('that fails shows the reference by which its failure is found in the log', async () => {
    const broken = await startTestApi()
    const { cookie } = await addPerson(broken.database.pool)
    await broken.database.pool.query('alter table sessions rename to elsewhere')
    const headers = { accept: 'text/html', cookie, 'x-request-id': 'ref-1' }
    const reply = await fetch(`${broken.url}/account`, { headers })
    expect(reply.status).toBe(500)
    expect(await reply.text()).toContain('<code>ref-1</code>')
  })

  it.each([
    ['/nothing', 'Not found'],
    [`/servers/${crypto.randomUUID()}`, 'Not found'],
    ['/servers/malformed', 'Not found'],
  ])('%s is a page of the site: %s', async (path, title) => {
    const reply = await get(path, { 'accept-language': 'en' })
    expect(reply.status).toBe(404)
    const page = await reply.text()
    expect(page).toContain(`<h1>${title}</h1>`)
    expect(page).toContain('<header class="top">')
    expect(page).toContain('name="robots" content="noindex"')
  })

  it.each([
    ['http://evil.example/featured', 200],
    ['http://evil.example/servers/malformed', 404],
    ['//evil.example/x', 404],
    ['/.//evil.example/x', 404],
    ['/\\evil.example/x', 404],
    ['http://[', 200],
    ['//', 404],
    ['*', 404],
  ])('a request for %s gets links to this origin only', async (target, status) => {
    const { port } = new URL(api.url)
    const [reply] = (await once(
      request({ port, path: target, headers: { accept: 'text/html' } }).end(),
      'response',
    )) as [IncomingMessage]
    const page = await body(reply)
    expect(reply.statusCode).toBe(status)
    const linked = [...page.matchAll(/ (?:href|src|content)="([^"]*evil[^"]*)"/g)].map(([, to]) => to)
    expect(linked.filter((to) => !/^(http:\/\/localhost:0)?\/(evil|servers\/)/.test(String(to)))).toEqual([])
  })

  it('answers 405 to other methods', async () => {
    const reply = await fetch(`${api.url}/`, { method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})

describe('other processes', () => {
  it('a stale directory is answered by a page with 503 and Retry-After', async () => {
    let now = Date.now()
    const stale = await startTestApi({ database: api.database, clock: () => now })
    expect((await fetch(`${stale.url}/`)).status).toBe(200)
    await stale.directory.stop()
    now += 60_000
    const reply = await fetch(`${stale.url}/`, { headers: { accept: 'text/html' } })
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    const page = await reply.text()
    expect(page).toContain('<h1>Not available at the moment</h1>')
    expect(page).toContain('<a class="button" href="/">Try again</a>')
    const filtered = await fetch(`${stale.url}/?game=rust&lang=en`, { headers: { accept: 'text/html' } })
    expect(await filtered.text()).toContain('href="/?game=rust&amp;lang=en">Try again</a>')
  })

  it('pages count against the limit of the address, and their files apart: twenty for each request', async () => {
    const limited = await startTestApi({ database: api.database, settings: { RATE_LIMIT_IP_PER_MINUTE: '2' } })
    const visit = (path: string) => fetch(limited.url + path)
    const [style = ''] = /\/assets\/[^"]+\.css/.exec(await (await visit('/')).text()) ?? []
    for (const path of ['/favicon.svg', '/pages/page.css', ...Array<string>(38).fill(style)])
      expect([path, (await visit(path)).status]).toEqual([path, 200])
    expect((await visit(style)).status).toBe(429)
    expect((await visit('/')).status).toBe(200)
    const refused = await visit('/')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('content-type')).toContain('text/html')
    expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(await refused.text()).toMatch(/You can try again in (1 minute|\d+ seconds)\./)
    expect(await (await visit('/?lang=de')).text()).toMatch(/<p>Es geht in (1 Minute|\d+ Sekunden) wieder\.</)
  })

  it('SITE=off leaves the API and its reference', async () => {
    const alone = await startTestApi({ database: api.database, settings: { SITE: 'off' } })
    const root = await fetch(`${alone.url}/`, { redirect: 'manual' })
    expect([root.status, root.headers.get('location')]).toEqual([302, '/docs'])
    expect((await fetch(`${alone.url}/servers/${id}`)).status).toBe(404)
    expect((await alone.request(`/api/servers/${id}`)).status).toBe(200)
  })
})

describe('other public pages', () => {
  it('/featured lists the servers with a running placement, and / shows them above the list', async () => {
    expect(await text('/featured')).toContain('No server is featured at the moment. The place is free:')
    const { pool } = api.database
    const featured = await insertServer(pool, { name: 'Golden gate', isFeatured: true })
    await putStatus(pool, featured, { map: 'x' })
    await api.directory.refresh()
    await expect.poll(() => text('/featured')).toContain('Golden gate')
    await expect.poll(() => text('/')).toContain('<article class="card featured-card">')
    expect(await text('/?onlineOnly=true')).not.toContain('featured-card')
  })

  it('/ shows a server whose place was bought, however many with more votes are featured', async () => {
    const { pool } = api.database
    const popular = await Promise.all(
      [1, 2, 3, 4].map((n) => insertServer(pool, { name: `Popular ${n}`, isFeatured: true })),
    )
    await pool.query('update server_counters set total_votes = 500 where server_id = any($1)', [popular])
    const owner = await addPerson(pool)
    const bought = await insertServer(pool, { name: 'Bought the place', isFeatured: true })
    const auctionId = await addWonAuction(pool, owner.id, bought)
    await pool.query(
      `insert into placements (id, slot_id, offer_id, server_id, starts_at, ends_at)
       select gen_random_uuid(), slot_id, offer.id, $2, now(), now() + interval '1 day'
       from auctions join auction_offers as offer on offer.auction_id = auctions.id where auctions.id = $1`,
      [auctionId, bought],
    )
    await api.directory.refresh()
    const cards = async () =>
      (await text('/'))
        .split('<article class="card featured-card">')
        .slice(1)
        .map((card) => /dir="auto">([^<]+)/.exec(card)?.[1])
    // A page that was rendered within the last second is still shown.
    await expect.poll(async () => (await cards())[0]).toBe('Bought the place')
    expect(await cards()).toHaveLength(3)
  })

  it('/compare shows servers side by side, finds more, and leaves out what is not there', async () => {
    const other = await insertServer(api.database.pool, { name: 'Another one' })
    await api.directory.refresh()
    const page = await text(`/compare?ids=${id},${other},${crypto.randomUUID()}&find=number`)
    expect(page.match(/<th scope="col"/g)).toHaveLength(2)
    expect(page).toContain('Another one</a>')
    expect(page).toMatch(/href="\/compare\?ids=[^"]*" dir="auto">\+ Number/)
    expect(page).toContain('name="robots" content="noindex"')
    expect(await text('/compare')).toContain('Find two or more servers')
  })

  it('every other address of a server’s page leads to the one with its name, and a new name changes it', async () => {
    const { pool } = api.database
    const moved = await insertServer(pool, { name: 'Ödland’s Öl 24/7' })
    await api.directory.refresh()
    const leadsTo = async (address: string) => {
      const { status, headers } = await get(address)
      return [status, headers.get('location')]
    }
    const short = moved.slice(-12)
    for (const old of [
      moved,
      moved.toUpperCase(),
      short,
      `-${short}`,
      `other-${short}`,
      `odlands-ol-24-7-${short.toUpperCase()}`,
    ])
      expect(await leadsTo(`/servers/${old}?range=7d&lang=de`)).toEqual([
        301,
        `/servers/odlands-ol-24-7-${short}?range=7d&lang=de`,
      ])
    expect((await get(`/servers/odlands-ol-24-7-${short}`)).status).toBe(200)
    await pool.query(`update servers set name = '日本' where id = $1`, [moved])
    await api.directory.refresh()
    await expect.poll(() => leadsTo(`/servers/odlands-ol-24-7-${short}`)).toEqual([301, `/servers/server-${short}`])
    expect(await text(`/servers/server-${short}`)).toContain(
      `<link rel="canonical" href="http://localhost:0/servers/server-${short}"`,
    )
  })

  it('a vote by an old address counts for the server, whatever words are in the address', async () => {
    await putVotes(api.database.pool, id, 0)
    const body = new URLSearchParams({ action: 'vote', username: 'Zoe', gamePlatformId: '76561198000000001' })
    const address = `/servers/%0D%0Ax-${id.slice(-12)}`
    const reply = await fetch(api.url + address, { method: 'POST', body, redirect: 'manual' })
    expect([reply.status, await reply.text()]).toEqual([303, ''])
    expect(reply.headers.get('location')).toBe(`${address}?done=voted#vote`)
  })

  it('the games have pages: all with servers, and the best, newest and just wiped servers of one', async () => {
    const { pool } = api.database
    await pool.query('update servers set last_wipe_at = now() where id = $1', [id])
    await api.directory.refresh()
    expect(await text('/games')).toMatch(/href="\/games\/rust"[\s\S]*<b>Rust<\/b>[\s\S]*1 server · \d+ players now/)
    const rust = await text('/games/rust')
    expect(rust).toContain('<title>Rust servers · Server Directory</title>')
    for (const list of ['Best', 'New', 'Just wiped']) expect(rust).toMatch(`<h2>${list}</h2><ol class="servers">`)
    expect(rust).toContain('href="/?game=rust&amp;country=DE"')
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(rust) ?? []
    expect(JSON.parse(data)).toMatchObject({
      numberOfItems: 1,
      itemListElement: [{ url: `http://localhost:0${path}` }],
    })
    expect(await text('/games/valheim')).toContain('name="robots" content="noindex"')
    const byType = await get('/games/ase')
    expect([byType.status, byType.headers.get('location')]).toEqual([301, '/games/ark-survival-evolved'])
    for (const unknown of ['nosuchgame', 'Rust', 'constructor'])
      expect((await get(`/games/${unknown}`)).status).toBe(404)
  })

  it('the page of a server has structured data and a preview', async () => {
    const page = await text(path)
    const [, data = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(page) ?? []
    expect(JSON.parse(data)).toMatchObject({ '@type': 'GameServer', name: HOSTILE, game: { name: 'Rust' } })
    expect(page).toContain(`property="og:image" content="http://localhost:0/api/servers/${id}/card.png"`)
    for (const [name, value] of [
      ['og:image:width', '1200'],
      ['og:image:height', '630'],
      ['og:image:type', 'image/png'],
    ])
      expect(page).toContain(`property="${name}" content="${value}"`)
    expect(page).toContain('name="twitter:card" content="summary_large_image"')
    expect(page).toMatch(/href="steam:\/\/connect\/198\.18\.\d+\.\d+:\d+"/)
    expect(page).toContain(`src="/api/servers/${id}/chart.svg?range=24h"`)
    expect(await text(`${path}?range=7d`)).toContain('chart.svg?range=7d"')
    expect(await text(`${path}?range=7d&lang=de`)).toContain('chart.svg?range=7d&amp;lang=de"')
  })

  it('the page of a server begins with what can be done with it, and ends with servers like it', async () => {
    const { pool } = api.database
    const add = async (name: string, country: string) =>
      putStatus(pool, await insertServer(pool, { name, game: 'valheim' }), { isOnline: true, country })
    const viking = await insertServer(pool, { name: 'Viking hall', game: 'valheim' })
    await putStatus(pool, viking, { isOnline: true, country: 'NO' })
    await add('Far away', 'BR')
    await add('Near by', 'NO')
    await api.directory.refresh()
    const page = await (await fetch(`${api.url}/servers/${viking}`, { headers: { 'accept-language': 'en' } })).text()
    const [, actions = ''] = /<div class="actions">(.*?)<\/header>/s.exec(page) ?? []
    for (const action of ['Add to favorites', 'Copy link', 'Compare', 'data-copy=']) expect(actions).toContain(action)
    const [, related = ''] = /<ul class="related">(.*?)<\/ul>/s.exec(page) ?? []
    expect([...related.matchAll(/dir="auto"><b>([^<]*)<\/b>/g)].map(([, name]) => name).slice(0, 2)).toEqual([
      'Near by',
      'Far away',
    ])
    expect(related).not.toContain('Viking hall')
  })

  it('filtered lists are for search engines only by one game, map or country', async () => {
    const isIndexed = async (path: string) => !(await text(path)).includes('content="noindex"')
    for (const path of ['/', '/?game=rust', '/?country=DE', '/?page=2'])
      expect([path, await isIndexed(path)]).toEqual([path, true])
    for (const path of ['/?game=rust&country=DE', '/?q=a', '/?sortBy=name', '/?onlineOnly=true', '/?game=rust,ase'])
      expect([path, await isIndexed(path)]).toEqual([path, false])
  })

  it('crawlers may fetch what pages show: charts and the cards of chats', async () => {
    const rules = [...(await text('/robots.txt')).matchAll(/^(Allow|Disallow): (\S+)$/gm)]
    // RFC 9309: the longest rule that matches counts.
    const isAllowed = (address: string) =>
      rules
        .filter(([, , rule = '']) =>
          new RegExp(`^${rule.replace(/[.?+]/g, '\\$&').replaceAll('*', '.*')}`).test(address),
        )
        .sort(([, , a = ''], [, , b = '']) => b.length - a.length)[0]?.[1] !== 'Disallow'
    for (const address of [`/api/servers/${id}/chart.svg?range=24h`, `/api/servers/${id}/card.png`, '/'])
      expect([address, isAllowed(address)]).toEqual([address, true])
    expect(isAllowed(`/api/servers/${id}`)).toBe(false)
  })

  it('crawlers find the servers by robots.txt and the sitemap', async () => {
    const robots = await text('/robots.txt')
    expect(robots).toContain('Sitemap: http://localhost:0/sitemap.xml')
    expect(robots).toContain('Disallow: /admin')
    const index = await text('/sitemap.xml')
    expect(index).toContain('<loc>http://localhost:0/sitemap-1.xml</loc>')
    const part = await get('/sitemap-1.xml')
    expect(part.headers.get('content-type')).toBe('application/xml')
    expect(await part.text()).toContain(`<loc>http://localhost:0${path}</loc>`)
    // Other spellings of a part's number, of which each would be rendered and kept, and fractions are no parts.
    for (const missing of ['2', '0', 'x', '01', '1e0', '0x1', '1.', '1.5'])
      expect([missing, (await get(`/sitemap-${missing}.xml`)).status]).toEqual([missing, 404])
  })
})

describe('the weight of public pages', () => {
  const MAX_BYTES = 48 * 1024

  it.each(['/', '/featured', '/compare', 'the page of a server'])(
    'the scripts of %s have at most 48 kB compressed',
    async (name) => {
      const page = await text(name.startsWith('/') ? name : path)
      const scripts = new Set(
        [...page.matchAll(/(?:modulepreload" href|module" src)="([^"]+)"/g)].map(([, address]) => address ?? ''),
      )
      // Loaded when the chart is about to be seen.
      const [folder] = [...scripts].map((address) => address.replace(/browser\/.*/, ''))
      if (!name.startsWith('/'))
        for (const later of ['browser/chart.ts', 'packages/uplot.js']) scripts.add(folder + later)
      let bytes = 0
      for (const address of scripts) {
        const file = await get(address, { 'accept-encoding': 'gzip' })
        expect(file.status).toBe(200)
        bytes += Number(file.headers.get('content-length'))
      }
      expect(bytes).toBeGreaterThan(5_000)
      expect(bytes).toBeLessThan(MAX_BYTES)
    },
  )
})
