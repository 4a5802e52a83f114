// An owner's pages by forms, without scripts, with a game server on the loopback and the handlers
// that a worker would run.
import fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type SimulatedServer, startSimulatedServer } from '../../../dev/simulator/server.ts'
import { claimCheck } from '../../../src/features/claims/index.ts'
import { createRconRunner, rconCommand } from '../../../src/features/rcon/index.ts'
import { createServers, type ServerProbe, serverProbe } from '../../../src/features/servers/index.ts'
import { createSecretCipher } from '../../../src/platform/config/secret-cipher.ts'
import { PRODUCT_NAME } from '../../../src/platform/product.ts'
import { createClaimChecker } from '../../../workers/claims/claim-check.handler.ts'
import { createProber } from '../../../workers/servers/probe.handler.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { addPerson } from '../../support/people.ts'
import { voteOnce } from '../votes/support.ts'

let api: TestApi
let game: SimulatedServer
let cookie = ''
let stranger = ''
/** Of the server that the first test lists. */
let id = ''

const request = async (path: string, as: string, init: RequestInit = {}, to = api, language = 'en') => {
  const headers = { origin: 'http://localhost:0', 'accept-language': language, cookie: as }
  const reply = await fetch(to.url + path, { ...init, headers, redirect: 'manual' })
  return { status: reply.status, location: reply.headers.get('location') ?? '', html: await reply.text() }
}
const get = (path: string, as = cookie) => request(path, as)
const post = (path: string, form: Record<string, string> | [string, string][], as = cookie) =>
  request(path, as, { method: 'POST', body: new URLSearchParams(form) })
const shown = async (path: string) => (await get(`/my/servers/${id}${path}`)).html

beforeAll(async () => {
  // All votes here come from loopback.
  api = await startTestApi({ settings: { VOTES_PER_ADDRESS_PER_DAY: '0' } })
  const { boss } = api.deps.jobs
  const soon = { pollingIntervalSeconds: 0.5 }
  const [prober, checker] = [createProber(api.deps), createClaimChecker(api.deps)]
  const runCommand = createRconRunner(api.deps, async ({ command }) => ({ response: `<b>${command}</b>` }))
  afterAll(async () => {
    prober.close()
    checker.close()
    await game.close()
  })
  await boss.work<ServerProbe>(serverProbe.queue, soon, ([job]) => prober.handle(job?.data as ServerProbe))
  await boss.work(claimCheck.queue, soon, ([job]) => checker.handle(job?.data as { serverId: string }))
  await boss.work(rconCommand.queue, soon, ([job]) => runCommand(job?.data as { commandId: string }))
  game = await startSimulatedServer({ info: { name: 'Bear <b>Island', maxPlayers: 64 } })
  cookie = (await addPerson(api.database.pool)).cookie
  stranger = (await addPerson(api.database.pool)).cookie
})

const unescaped = (html: string) => html.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
/** What a page keeps between its steps. */
const foundIn = (html: string) => unescaped(/name="found" value="([^"]*)"/.exec(html)?.[1] ?? '')

describe('adding a server', () => {
  const path = '/my/servers/new'
  const find = (form: Record<string, string>, as = cookie) => post(path, { action: 'find', ...form }, as)

  it('is in the header of every page, and leads through the login and back', async () => {
    const { html } = await get('/', '')
    expect(html).toMatch(/<a [^>]*href="\/my\/servers\/new"[^>]*>Add server</)
    const { status, location } = await get(path, '')
    expect([status, location]).toEqual([303, '/login?next=%2Fmy%2Fservers%2Fnew'])
    expect((await get(location, '')).html).toContain('href="/register?next=%2Fmy%2Fservers%2Fnew"')
  })

  it('shows each step when it is reached, and nothing above it', async () => {
    const first = await get(path)
    expect(first.html).toMatch(/<input[^>]*name="address"/)
    expect(first.html).not.toMatch(/name="game"|name="name"/)
    const found = await find({ address: `connect ${game.address}:${game.port}; password x` })
    const order = ['name="address"', 'id="found"', '(<b>Other game (Steam)</b>)', 'class="looks"', 'name="name"']
    const places = order.map((text) => found.html.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual([...places].sort((a, b) => a - b))
  })

  it('asks the address before anything is saved, shows the row of the list, and lists it as the game that was chosen', async () => {
    expect((await get('/my/servers')).html).toContain('no server listed yet')
    const found = await find({ address: `${game.address}:${game.port}` })
    expect(unescaped(found.html)).toContain('Bear <b>Island (<b>Other game (Steam)</b>), 0 of 64 players.')
    expect(found.html).toContain('value="Bear &lt;b>Island"')
    expect(found.html).toMatch(/<div class="looks" inert[^>]*><ol class="servers"><li class="server/)
    const { location } = await find({
      address: `${game.address}:${game.port}`,
      game: 'cs2',
      found: foundIn(found.html),
    })
    expect(location).toBe('')
    const chosen = await find({ address: `${game.address}:${game.port}`, game: 'Counter-Strike 2' })
    expect(chosen.html).toContain('(<b>Counter-Strike 2</b>)')
    expect((await get('/my/servers')).html).toContain('no server listed yet')
    const create = { action: 'create', found: foundIn(chosen.html), name: 'Bear Island', tags: 'pve' }
    const created = await post(path, create)
    expect([created.status, created.location]).toEqual([303, expect.stringMatching(/\/claim\?new=true$/)])
    id = /servers\/([^/]+)/.exec(created.location)?.[1] ?? ''
    const { rows } = await api.database.pool.query(
      'select game, ip_address, game_port, query_port from servers where id = $1',
      [id],
    )
    expect(rows).toEqual([
      { game: 'counterstrike2', ip_address: game.address, game_port: game.port, query_port: game.port },
    ])
    expect((await get('/my/servers')).html).toContain('Bear Island')
  })

  it('checks the claim live', async () => {
    const token = /sd-verify-\w+/.exec(await shown('/claim'))?.[0] ?? ''
    const before = await post(`/my/servers/${id}/claim`, { action: 'verify' })
    expect(before.html).toContain('The server answered, but it does not show the token yet.')
    expect(before.html.replace(/<script[\s\S]*/, '')).not.toContain('POST ')
    const german = await request(
      `/my/servers/${id}/claim`,
      ...([cookie, { method: 'POST', body: new URLSearchParams({ action: 'verify' }) }, api, 'de'] as const),
    )
    expect(german.html).toContain('zeigt den Prüfcode aber noch nicht')
    game.info.name = `Bear ${token}`
    expect((await post(`/my/servers/${id}/claim`, { action: 'verify' })).status).toBe(303)
    expect(await shown('/claim')).toContain('proven to be yours')
  })

  it.each([
    ['minecraft', 25_566, 'motd in server.properties'],
    ['minetest', 30_001, 'server_name in minetest.conf'],
  ])('says where a server of %s shows the token', async (game, gamePort, where) => {
    const listing = { name: 'Words of its own', ipAddress: '127.0.0.9', gamePort, game }
    const server = await createServers(api.deps).add(listing)
    await api.directory.refresh()
    const page = `/my/servers/${server.id}/claim`
    expect((await post(page, { action: 'claim' })).status).toBe(303)
    expect((await get(page)).html).toContain(where)
  })

  it('says on the page of an unclaimed server how it was found', async () => {
    const listing = { name: 'By itself', ipAddress: '127.0.0.9', gamePort: 30_002, game: 'minetest' }
    const server = await createServers(api.deps).add(listing)
    for (const [source, words] of [
      ['announcements', 'it announced itself'],
      ['luanti', 'found by the directory itself'],
    ]) {
      await api.database.pool.query('update servers set source = $2 where id = $1', [server.id, source])
      await api.directory.refresh()
      expect((await get(`/servers/by-itself-${server.id.slice(-12)}`)).html, source).toContain(words)
    }
  })

  it('leads to the listing if the address is listed already', async () => {
    const { html } = await find({ address: `${game.address}:${game.port}` }, stranger)
    expect(html).toContain('listed already')
    expect(html).toContain(`href="/my/servers/${id}/claim"`)
    expect(html).not.toContain('name="name"')
  })

  it('asks for the game if nothing answers, and lists the server all the same once it is chosen', async () => {
    const silent = await find({ address: `${game.address}:9` }, stranger)
    expect(silent.html).toContain(`No game server answered at ${game.address}:9.`)
    expect(silent.html).toContain('<datalist id="games">')
    expect(silent.html).toMatch(/<option value="Counter-Strike 2" label="[^"]*cs2/)
    expect(silent.html).not.toContain('name="name"')
    const chosen = await find({ address: `${game.address}:9`, game: 'rust' }, stranger)
    expect(chosen.html).toContain(`No Rust server answered at ${game.address}:9, query port 9.`)
    expect(chosen.html).toContain('name="name"')
  })

  it.each([
    ['no address', 'Address or join link: must have a port from 1 to 65535 after the address', 'Port von 1 bis 65535'],
    ['https://cfx.re/join/abc', 'only FiveM can open links of cfx.re', 'kann nur FiveM öffnen'],
    ['2001:db8::1:27015x', 'must have an IPv6 address in brackets', 'braucht Klammern um eine IPv6-Adresse'],
  ])('names the rule that %s breaks, at its field and in the language of the page', async (address, rule, german) => {
    const wrong = await find({ address }, stranger)
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain(rule)
    expect(wrong.html).toMatch(/<input[^>]*name="address"[^>]*aria-invalid="true"/)
    const init = { method: 'POST', body: new URLSearchParams({ action: 'find', address }) }
    expect((await request(path, stranger, init, api, 'de')).html).toContain(german)
  })

  it('names the games that a typed name can mean', async () => {
    const person = (await addPerson(api.database.pool)).cookie
    const found = foundIn((await find({ address: `${game.address}:9` }, person)).html)
    const typed = (name: string) => find({ address: `${game.address}:9`, found, game: name }, person)
    expect((await typed('gta v')).html).toContain('is the name of several games: ')
    expect((await typed('Counter-Strik 2')).html).toContain('is no game of the list. Did you mean Counter-Strike 2')
  })

  it('believes no step that it has not shown', async () => {
    const person = (await addPerson(api.database.pool)).cookie
    for (const found of ['', 'no json', '{}', '{"ipAddress":"10.0.0.1"}'])
      expect((await post(path, { action: 'create', found, name: 'Forged' }, person)).status).toBe(400)
  })

  it('never asks a private address in production', async () => {
    const strict = await startTestApi({ database: api.database, settings: { ALLOW_PRIVATE_TARGETS: 'false' } })
    const reply = await fetch(`${strict.url}/api/servers/probe`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ ipAddress: '10.0.0.1', gamePort: 27_015 }),
    })
    expect([reply.status, ((await reply.json()) as { error: string }).error]).toEqual([400, 'validation_failed'])
  })
})

describe('a server that is not listed', () => {
  const PAGES = ['', '/edit', '/endpoints', '/votes', '/rewards', '/rcon', '/wipes']
  let strict: TestApi
  let owner = ''
  let hidden = ''
  const see = (path: string, as = owner, language = 'en') => request(`/my/servers/${path}`, as, {}, strict, language)
  const send = (path: string, form: Record<string, string>, as = owner) =>
    request(`/my/servers/${path}`, as, { method: 'POST', body: new URLSearchParams(form) }, strict)
  const list = async (name: string, ipAddress: string, port = 27_015) => {
    const found = {
      ipAddress,
      gamePort: port,
      queryPort: port,
      game: 'protocol-valve',
      gameName: '',
      connectAddress: '',
    }
    const unknown = { hasPassword: null, listedId: null, result: { outcome: 'silent' } }
    const { location } = await send('new', { action: 'create', found: JSON.stringify({ ...found, ...unknown }), name })
    expect(location).toMatch(/\/claim\?new=true$/)
    return /servers\/([^/]+)/.exec(location)?.[1] ?? ''
  }

  beforeAll(async () => {
    strict = await startTestApi({ database: api.database, settings: { LISTING_REQUIRES_VERIFICATION: 'true' } })
    owner = (await addPerson(api.database.pool)).cookie
    hidden = await list('Hidden Island', '127.0.0.2')
    await api.database.pool.query('update servers set is_verified = true, hidden_at = now() where id = $1', [hidden])
    await strict.directory.refresh()
  })

  it('is marked in the list of its owner: hidden, or not listed yet', async () => {
    await list('Unproven Island', '127.0.0.33')
    const marks = async (language: string) => {
      const { html } = await request('/my/servers', owner, {}, strict, language)
      return [...html.matchAll(/dir="auto">([^<]+ Island)<[\s\S]*?<span class="tag is-warn">([^<]+)</g)].map(
        ([, name, mark]) => [name, mark],
      )
    }
    expect(Object.fromEntries(await marks('en'))).toEqual({
      'Hidden Island': 'hidden',
      'Unproven Island': 'not listed yet',
    })
    expect(Object.fromEntries(await marks('de'))).toMatchObject({ 'Unproven Island': 'noch nicht angezeigt' })
  })

  it('with an IPv6 address shows it as players type it', async () => {
    const six = await list('Six', '2001:DB8::7')
    expect((await see(six)).html).toContain('[2001:db8::7]:27015')
  })

  it('is proven on the site where listing requires a proof, from its addition to its public page', async () => {
    const game = await startSimulatedServer({ info: { name: 'Otter Island' } })
    onTestFinished(game.close)
    const otter = await list('Otter Island', game.address, game.port)
    const claim = await see(`${otter}/claim?new=true`)
    expect(claim.html).toMatch(/Otter Island[\s\S]*This server is not listed yet/)
    for (const page of PAGES) {
      const { status, html } = await see(otter + page)
      expect([page, status]).toEqual([page, 200])
      expect(html, page).toMatch(/This server is not listed yet[^<]*<a [^>]*href="[^"]*\/claim"/)
      expect(html, page).not.toContain('href="/servers/')
    }
    game.info.name = /sd-verify-\w+/.exec(claim.html)?.[0] ?? ''
    expect((await send(`${otter}/claim`, { action: 'verify' })).status).toBe(303)
    await strict.directory.refresh()
    expect((await see(`${otter}/claim`)).html).toContain('proven to be yours')
    expect((await see(otter)).html).toContain(`href="/servers/otter-island-${otter.slice(-12)}"`)
    expect((await see(otter)).html).not.toContain('not listed')
  })

  it.each(PAGES)('%s works while an administrator hides it, and says so in the visitor’s language', async (page) => {
    const { status, html } = await see(hidden + page)
    expect(status).toBe(200)
    expect(html).toMatch(/Hidden Island[\s\S]*the people who run this directory have hidden it/)
    expect(html).toContain('href="/contact?subject=Hidden+server%3A+Hidden+Island"')
    expect(html).not.toMatch(`(?<!/my)/servers/${hidden}\\b(?!/)`)
    expect(html).not.toContain('href="/servers/')
    expect(html).not.toContain('chart.svg')
    expect((await see(hidden + page, owner, 'de')).html).toContain('Die Verwaltung hat ihn verborgen')
    expect((await see(hidden + page, stranger)).status).toBe(404)
  })

  it('is changed by its owner and by administrators while it is hidden', async () => {
    const admin = (await addPerson(api.database.pool, { isAdmin: true })).cookie
    for (const [as, description] of [
      [owner, 'By the owner'],
      [admin, 'By an administrator'],
    ] as const) {
      expect((await send(`${hidden}/edit`, { action: 'edit', description }, as)).status).toBe(303)
      expect((await see(`${hidden}/edit`, as)).html).toContain(description)
    }
    expect((await send(`${hidden}/wipes`, { action: 'add', kind: 'map', wipedAt: '' })).location).toMatch(/saved=add$/)
  })

  it('is claimed by others while it is unverified, without a look at its details, and by no one while it is hidden', async () => {
    const puffin = await list('Puffin Island', '127.0.0.3')
    expect((await see(puffin, stranger)).status).toBe(403)
    expect((await send(`${puffin}/claim`, { action: 'claim' }, stranger)).status).toBe(303)
    const { html } = await see(`${puffin}/claim`, stranger)
    expect(html).toMatch(/sd-verify-\w+/)
    expect(html).not.toContain('Puffin Island')
    for (const as of [owner, stranger]) expect((await see(`${hidden}/claim`, as)).status).toBe(404)
  })
})

describe('a server of one’s own', () => {
  it.each(['', '/edit', '/endpoints', '/votes', '/rewards', '/rcon', '/wipes'])('%s is for its owner', async (tab) => {
    const mine = await get(`/my/servers/${id}${tab}`)
    expect(mine.status).toBe(200)
    expect(mine.html).toContain('Bear Island')
    expect((await get(`/my/servers/${id}${tab}`, stranger)).status).toBe(403)
    expect((await get(`/my/servers/${id}${tab}`, '')).location).toMatch(/^\/login\?next=/)
  })

  it('is edited, and says which field is wrong', async () => {
    const edit = (form: Record<string, string>) => post(`/my/servers/${id}/edit`, { action: 'edit', ...form })
    expect((await edit({ name: 'Bear Island', rates: 'many' })).html).toContain('Rates: must be pairs such as xp:2')
    const ports = { gamePort: String(game.port), queryPort: String(game.port) }
    expect((await edit({ name: 'Wolf Island', rates: 'xp:2', ...ports })).status).toBe(303)
    expect(await shown('/edit?saved=edit')).toMatch(/Saved\.[\s\S]*value="Wolf Island"/)
    const refused = await post(`/my/servers/${id}/edit?saved=edit`, {
      action: 'edit',
      name: 'Wolf Island',
      rates: 'many',
    })
    expect(refused.html).toContain('Rates: must be pairs such as xp:2')
    expect(refused.html).not.toContain('>Saved.<')
    await edit({ name: 'Bear Island' })
  })

  /** The form of the page, as a browser fills it in. */
  function fieldsIn(html: string): Record<string, string> {
    const [form = ''] = html.match(/<form[^>]*>(?:(?!<\/form>)[\s\S])*name="ipAddress"[\s\S]*?<\/form>/) ?? []
    const inputs = [...form.matchAll(/<input type="(?:text|hidden|url)"[^>]*>/g)].map(([tag]) => [
      / name="([^"]*)"/.exec(tag)?.[1] ?? '',
      unescaped(/ value="([^"]*)"/.exec(tag)?.[1] ?? ''),
    ])
    const selects = [...form.matchAll(/<select[^>]* name="([^"]*)"[\s\S]*?<\/select>/g)].map(([select, name]) => [
      name,
      / value="([^"]*)" selected/.exec(select)?.[1] ?? '',
    ])
    const areas = [...form.matchAll(/<textarea[^>]* name="([^"]*)"[^>]*>([^<]*)</g)].map(([, name, text = '']) => [
      name,
      unescaped(text).replaceAll(/\r?\n/g, '\r\n'),
    ])
    return Object.fromEntries([...inputs, ...selects, ...areas])
  }

  it('saves only what was changed in a tab: what another tab saved stays', async () => {
    const path = `/my/servers/${id}/edit`
    await post(path, { action: 'edit', description: 'First line\r\nSecond line', tags: 'pve' })
    const [first, second] = [fieldsIn(await shown('/edit')), fieldsIn(await shown('/edit'))]
    expect(first).toMatchObject({ action: 'edit', tags: 'pve', description: 'First line\r\nSecond line' })
    const moved = { ...second, description: 'Moved', ipAddress: '127.0.0.77' }
    expect((await post(path, moved)).status).toBe(303)
    // Refused at first: the form that is shown again knows what its fields had.
    const refused = await post(path, { ...first, tags: 'pvp', rates: 'many' })
    expect(refused.status).toBe(400)
    const again = fieldsIn(refused.html)
    expect((await post(path, { ...again, rates: '' })).status).toBe(303)
    const { description, ipAddress, tags } = fieldsIn(await shown('/edit'))
    expect({ description, ipAddress, tags }).toEqual({ description: 'Moved', ipAddress: '127.0.0.77', tags: 'pvp' })
    await post(path, { action: 'edit', ipAddress: game.address })
  })

  it('of an account that has one page of them leads back from an address of a later one', async () => {
    const { html } = await get('/my/servers?page=50')
    expect(html).not.toContain('no server listed yet')
    expect(html).toMatch(/<a href="\/my\/servers"[^>]* rel="prev"/)
  })

  it('has endpoints, with a test in the log, and their secrets are never shown again', async () => {
    const path = `/my/servers/${id}/endpoints`
    const refused = await post(path, { kind: 'votifier2', host: 'a b', port: 'x', token: 'my token' })
    expect(refused.html).toContain('Host: must be a host name or an IP address')
    expect(refused.html).not.toContain('my token')
    const added = await post(path, { kind: 'votifier2', host: '127.0.0.1', port: '9', token: 'my token' })
    expect(added.status).toBe(303)
    await post(added.location, { action: 'test' })
    const { html } = await get(added.location)
    expect(html).toMatch(/on its way[\s\S]*Test[\s\S]*webhook\.test/)
    expect(html).not.toContain('my token')
    const hook = await post(path, [
      ['kind', 'standard'],
      ['url', 'http://127.0.0.1:9/'],
      ['events', 'vote.created'],
      ['events', 'server.wiped'],
    ])
    const hookPath = new RegExp(`${path}/[^"]+`).exec(hook.html)?.[0] ?? ''
    const rotated = await post(hookPath, { action: 'rotate' })
    expect(rotated.html).toContain('whsec_')
    expect((await get(hookPath)).html).not.toContain('whsec_')
    expect(await shown('/endpoints')).toMatch(/A vote · The server was wiped/)
    await post(hookPath, { action: 'remove' })
    expect(await shown('/endpoints')).not.toContain('<b>Webhook</b>')
  })

  it('keeps the filter and the page of the log when a delivery is sent again', async () => {
    const path = `/my/servers/${id}/endpoints`
    const { location } = await post(path, { kind: 'votifier2', host: '127.0.0.1', port: '9', token: 'my token' })
    await post(location, { action: 'test' })
    const { rows } = await api.database.pool.query<{ id: string }>(
      `update endpoint_deliveries set status = 'dead', due_at = null, settled_at = now() where endpoint_id = $1 returning id`,
      [location.split('/').at(-1)],
    )
    const again = { action: 'redeliver', deliveryId: rows[0]?.id ?? '' }
    const sent = await post(`${location}?status=dead&page=2&done=test`, again)
    expect([sent.status, sent.location]).toEqual([303, `${location}?status=dead&page=2&done=redeliver`])
    await post(location, { action: 'remove' })
  })

  it('keeps the period of one chart of the overview when that of the other is chosen, and when events are saved', async () => {
    const linksOf = async (query: string) =>
      [...(await shown(query)).matchAll(/<a href="([^"]*)"[^>]*>(?:7 days|90 days)</g)].map(([, href = '']) =>
        unescaped(href).replace(`/my/servers/${id}`, ''),
      )
    expect(await linksOf('')).toEqual(['?range=7d', '?range=90d', '?days=7#visitors', '?days=90#visitors'])
    expect(await linksOf('?range=30d&days=365')).toEqual([
      '?days=365&range=7d',
      '?days=365&range=90d',
      '?range=30d&days=7#visitors',
      '?range=30d&days=90#visitors',
    ])
    const saved = await post(`/my/servers/${id}?range=30d&days=365`, { events: 'serverOffline' })
    expect(saved.location).toBe(`/my/servers/${id}?range=30d&days=365&saved=events`)
  })

  it('adds a Discord message that shows the status, with a preview of it, and never its address', async () => {
    const path = `/my/servers/${id}/endpoints`
    expect(await shown('/endpoints')).toMatch(/<figure[\s\S]*Bear Island[\s\S]*Last 24 hours/)
    const added = await post(path, { kind: 'discord-status', url: 'https://discord.com/api/webhooks/1/a-token' })
    expect(added.status).toBe(303)
    const { html } = await get(added.location)
    expect(html).toMatch(/Discord status[\s\S]*not sent yet[\s\S]*<figure/)
    expect(html).not.toMatch(/a-token|>Send a test</)
    expect((await post(added.location, { action: 'edit', kind: 'discord-status', url: '' })).status).toBe(303)
    await post(added.location, { action: 'remove' })
  })

  it('shows the secret of a new webhook once, with a link to it: the one that signs its deliveries', async () => {
    const path = `/my/servers/${id}/endpoints`
    const added = await post(path, { kind: 'standard', url: 'http://127.0.0.1:9/', events: 'vote.created' })
    expect(added.status).toBe(200)
    const secret = /whsec_[\w+/=]+/.exec(added.html)?.[0] ?? 'none'
    const endpoint = new RegExp(`<div class="notice[\\s\\S]*?href="(${path}/[^"]+)"`).exec(added.html)?.[1] ?? 'none'
    const { rows } = await api.database.pool.query<{ secret: string }>('select secret from endpoints where id = $1', [
      endpoint.split('/').at(-1),
    ])
    expect(createSecretCipher(api.deps.settings).decrypt('webhook', rows[0]?.secret ?? '')).toBe(secret)
    for (const page of [path, endpoint]) expect((await get(page)).html).not.toContain('whsec_')
    await post(endpoint, { action: 'remove' })
  })

  it('has a vote key that is shown once, in the blocks too', async () => {
    expect(await shown('/votes')).toContain('vk_…')
    const { html } = await post(`/my/servers/${id}/votes`, { action: 'make' })
    const key = /vk_[0-9a-f]{40}/.exec(html)?.[0] ?? 'none'
    expect(html).toContain(`&amp;key=${key}&amp;username={player}`)
    expect(await shown('/votes')).not.toContain(key)
    const status = `${api.url}/api/plugins/votes?action=status&key=${key}&username=Ann`
    expect(await (await fetch(status)).text()).toBe('0')
  })

  it('has the configurations of docs/VOTES.md with the values of the server', async () => {
    const guide = fs.readFileSync(new URL('../../../docs/VOTES.md', import.meta.url), 'utf8')
    const [link = '', ...configurations] = [
      ...(await shown('/votes')).matchAll(/<pre[^>]*><code>([^<]*)<\/code>/g),
    ].map(([, text = '']) => unescaped(text))
    expect(configurations).toHaveLength(6)
    for (const text of configurations)
      expect(guide.replaceAll(/vk_[0-9a-f]{40}/g, 'vk_…')).toContain(
        text
          .replaceAll(new URL(link).origin, 'https://directory.example')
          .replaceAll(PRODUCT_NAME, 'Our Directory')
          .replaceAll(id, '019abcde-0000-7000-8000-000000000000'),
      )
  })

  it('shows the last votes first, and leads to older ones while there are any', async () => {
    for (let n = 1; n <= 21; n++) await voteOnce(api, id, { username: `Voter ${n}.` })
    const namesOf = (html: string) =>
      html.match(/(?<=<li class="row spread"><span dir="auto">)Voter \d+\.(?=<\/span><span> )/g)
    const latest = await shown('/votes')
    expect(namesOf(latest)).toEqual(Array.from({ length: 20 }, (_, n) => `Voter ${21 - n}.`))
    const older = await get(/href="([^"]+\?cursor=[^"]+)">Older/.exec(latest)?.[1] ?? '')
    expect(namesOf(older.html)).toEqual(['Voter 1.'])
    expect(older.html).not.toContain('>Older<')
  })

  it('sends commands by RCON, and rewards', async () => {
    const path = `/my/servers/${id}/rcon`
    expect((await post(path, { action: 'configure', port: '', password: 'x' })).html).toContain('RCON port: must be')
    await post(path, { action: 'configure', port: '27015', password: 'the rcon password' })
    const { html } = await post(path, { action: 'send', command: 'status' })
    expect(html).toContain('&lt;b>status&lt;/b>')
    expect(html).not.toContain('the rcon password')
    await post(`/my/servers/${id}/rewards`, {
      action: 'set',
      when: 'claim',
      commands: 'say {username}\r\n\r\nsay thanks',
    })
    expect(await shown('/rewards')).toContain('say {username}\nsay thanks')
  })

  it('has wipes and notifications', async () => {
    const path = `/my/servers/${id}/wipes`
    await post(path, { action: 'add', kind: 'map', wipedAt: '2026-01-02T03:04', note: 'New map' })
    expect(await shown('/wipes')).toMatch(/Jan 2, 2026, 3:04[\s\S]*the map[\s\S]*New map/)
    const wipe = /name="id" value="([^"]+)"/.exec(await shown('/wipes'))?.[1] ?? ''
    await post(path, { action: 'remove', id: wipe })
    expect(await shown('/wipes')).toContain('No wipe is known.')
    await post(`/my/servers/${id}`, [
      ['events', 'serverOffline'],
      ['events', 'serverWiped'],
    ])
    expect((await shown('')).match(/<input type="checkbox"[^>]* checked/g)).toHaveLength(2)
  })

  it('shows the description as players will see it, with all that was typed, before it is saved', async () => {
    const form = { action: 'edit', name: 'Typed', description: '**Twice**', tags: 'pvp', ipAddress: game.address }
    const { status, html } = await post(`/my/servers/${id}/edit`, { ...form, preview: 'true' })
    expect(status).toBe(200)
    expect(html).toMatch(/<div id="preview"[^>]*>.*<strong>Twice<\/strong>/)
    expect(html).toContain('name="name" required minlength="3" maxlength="100" value="Typed"')
    expect(await shown('/edit')).not.toContain('Twice')
    expect((await post(`/my/servers/${id}/edit`, { action: 'edit', description: '**Once**' })).status).toBe(303)
    const listing = await fetch(`${api.url}/api/servers/${id}`)
    expect(await listing.json()).toMatchObject({ description: '**Once**' })
  })

  it('is removed', async () => {
    expect((await post(`/my/servers/${id}/edit`, { action: 'remove' })).location).toBe('/my/servers')
    expect((await get('/my/servers')).html).toContain('no server listed yet')
  })
})
