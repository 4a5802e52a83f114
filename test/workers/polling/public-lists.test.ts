// Games whose publishers serve a public list of servers: which those are, and that each list is
// downloaded once a minute.
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { games, protocols } from 'gamedig'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isGameType, refusalReason } from '../../../src/features/games/index.ts'
import { createPublicLists, PUBLIC_LISTS } from '../../../workers/polling/public-lists.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { httpServer, tcpServer } from './far-end.ts'
import { createTestDirectory, createTestPoller, RULES } from './support.ts'

const SOURCES = 'node_modules/gamedig/protocols'

/**
 * Web addresses with a fixed host in gamedig's sources, by protocol. Those in comments and error messages
 * lead to documentation.
 */
function fixedAddresses(): Record<string, string[]> {
  return Object.fromEntries(
    readdirSync(SOURCES).flatMap((file) => {
      const code = readFileSync(`${SOURCES}/${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '')
      const found = [...code.matchAll(/['"`](https?:\/\/[a-z0-9.-]+\.[a-z]{2,}[^'"`\s$]*)/g)].map((match) => match[1])
      return found.length ? [[file.replace('.js', ''), found.filter((url) => url !== undefined)]] : []
    }),
  )
}

describe('gamedig', () => {
  test('contacts these publishers; an update that changes this needs a decision on its protocol', () => {
    expect(fixedAddresses()).toEqual({
      // Lists of all servers.
      altvmp: ['https://api.alt-mp.com/servers', 'https://api.alt-mp.com/servers/'],
      beammpmaster: ['https://backend.beammp.com/servers-info'],
      brokeprotocolmaster: [
        'https://bp.userr00t.com/serverbrowser/api/server',
        'https://bp.userr00t.com/serverbrowser/api/server/{id}',
        'https://bp.userr00t.com/serverbrowser/api/',
        'https://brokeprotocol.com/servers.json',
      ],
      geneshift: ['http://geneshift.net/game/receiveLobby.php'],
      hawakeningmaster: ['https://hawakening.com/api'],
      minetest: ['https://servers.minetest.net/list'],
      ragemp: ['https://cdn.rage.mp/master/v2/'],
      renegadex: ['https://serverlist-rx.totemarts.services/servers.jsp'],
      vintagestorymaster: ['https://masterserver.vintagestory.at/api/v1/servers/list'],
      // Services that are asked about one server.
      discord: ['https://discordapp.com/api/guilds/', 'https://discordapp.com/channels/'],
      epic: ['https://api.epicgames.dev'],
      factorio: ['https://multiplayer.factorio.com/get-game-details/'],
      scpsl: ['https://api.scpslgame.com/serverinfo.php'],
    })
  })

  test('has these types that need such a list: each shares its downloads or is refused with a reason', () => {
    const own = Object.keys(protocols).filter((protocol) => {
      const source = readFileSync(`${SOURCES}/${protocol}.js`, 'utf8')
      return Object.keys(fixedAddresses()).some((file) => file === protocol || source.includes(`'./${file}.js'`))
    })
    const ASKED_ABOUT_ONE = ['asa', 'discord', 'epic', 'factorio', 'renown', 'scpsl', 'squad', 'theisleevrima']
    const listed = own.filter((protocol) => !ASKED_ABOUT_ONE.includes(protocol))
    const [shared, refused] = [
      listed.filter((protocol) => PUBLIC_LISTS[protocol]),
      listed.filter((protocol) => !PUBLIC_LISTS[protocol]),
    ]
    expect(shared.sort()).toEqual(Object.keys(PUBLIC_LISTS).sort())
    for (const protocol of refused) {
      expect([protocol, isGameType(`protocol-${protocol}`)]).toEqual([protocol, false])
      expect([protocol, refusalReason(`protocol-${protocol}`)]).toEqual([protocol, expect.any(String)])
    }
    for (const [id, { options }] of Object.entries(games))
      expect([id, isGameType(id)]).toEqual([id, !refused.includes(options.protocol)])
  })
})

const NAMED = '127.84.3.1'

/**
 * An HTTP server as a publisher's.
 * @returns how often it was asked, and an asker whose list of this protocol is there
 */
async function publish(protocol: string, respond: RequestListener) {
  const asked = { times: 0, now: 1 }
  const publisher = await httpServer('127.84.0.1', (req, res) => {
    asked.times++
    respond(req, res)
  })
  const queries = createQueryPool({ concurrency: 50 })
  onTestFinished(() => queries.close())
  const lists = createPublicLists({
    urls: { [protocol]: `http://${publisher.address}:${publisher.port}/list` },
    now: () => asked.now,
    timeoutMs: 2_000,
  })
  // Every name is this server's.
  const resolve = createTargetResolver({ allowPrivate: true, addressesOf: async () => [NAMED] })
  const ask = createAskServer({ pool: queries, resolve, lists, tries: { online: [200], offline: [200] } })
  return {
    asked,
    lists,
    ask: (ipAddress: string, queryPort: number, game = `protocol-${protocol}`) =>
      ask({ game, ipAddress, queryPort, isOnline: true }),
  }
}

const json =
  (body: unknown): RequestListener =>
  (_req, res) =>
    res.end(JSON.stringify(body))
const minetest = (places: { address: string; port: number }[]) =>
  json({ list: places.map((place, n) => ({ ...place, name: 'M', clients: n + 1, clients_max: 30, version: '5.9' })) })

test.each([
  ['an object as port', { address: '127.84.1.9', port: { toString: 0 }, clients: 1, clients_max: 2 }],
  ['an address with a zone that has a dot', { address: '[fe80::1%a.b]', port: 1, clients: 1, clients_max: 2 }],
])('an entry with %s does not spoil the list', async (_, entry) => {
  const good = { address: NAMED, port: 7788, clients: 4, clients_max: 8 }
  const { ask, lists } = await publish('minetest', json({ list: [entry, good] }))
  expect(await ask(NAMED, 7788)).toMatchObject({ answered: true, players: 4 })
  const list = await lists.of('minetest')
  expect(list && 'servers' in list ? [...list.servers()].map(({ host }) => host) : list).toContain(NAMED)
})

test('a list is downloaded once a minute, for all servers of the game, polls and checks of claims', async () => {
  const places = Array.from({ length: 40 }, (_, n) => ({ address: `127.84.1.${n + 1}`, port: 30_000 }))
  const { asked, ask } = await publish('minetest', minetest(places))
  const outcomes = await Promise.all(places.map(({ address, port }) => ask(address, port)))
  expect(outcomes.map((outcome) => outcome.answered && outcome.players)).toEqual(places.map((_, n) => n + 1))
  asked.now += 59_000
  expect(await ask('127.84.1.1', 30_000, 'minetest')).toMatchObject({ answered: true, maxPlayers: 30, version: '5.9' })
  expect(await ask('127.84.2.1', 30_000)).toMatchObject({ answered: false, reason: 'unreadable' }) // not in the list
  expect(asked.times).toBe(1)
  asked.now += 2_000
  await Promise.all(places.map(({ address, port }) => ask(address, port)))
  expect(asked.times).toBe(2)
})

test.each([
  ['altvmp', [{ address: '127.84.3.1:7788', playersCount: 4, maxPlayersCount: 8 }]],
  ['beammp', [{ ip: '127.84.3.1', port: '7788', sname: 'B', players: '4', maxplayers: '8', playerslist: 'a;b;' }]],
  ['brokeprotocol', { servers: [{ ip: '127.84.3.1', port: 7788, name: 'B', playerCount: 4, playerLimit: 8 }] }],
  ['geneshift', 'x::y::127.84.3.1::7788::G::map::4::8::::::::::::::::::::::::1<br/>'],
  ['minetest', { list: [{ address: '127.84.3.1', port: 7788, clients: 4, clients_max: 8 }] }],
  ['ragemp', [{ id: 'one', servers: [{ id: '127.84.3.1:7788', name: 'R', players: { amount: 4, max: 8 } }] }]],
  ['renegadex', [{ IP: '127.84.3.1', Port: 7788, Players: 4, Variables: { 'Player Limit': 8 } }]],
  ['vintagestory', { data: [{ serverIP: '127.84.3.1:7788', serverName: 'V', players: '4', maxPlayers: '8' }] }],
])('the list of %s is read as gamedig reads it', async (protocol, list) => {
  const { asked, ask } = await publish(protocol, typeof list === 'string' ? (_req, res) => res.end(list) : json(list))
  if (protocol === 'geneshift') await tcpServer('127.84.3.1', (socket) => socket.end(), 7788) // which it also connects to
  for (let time = 0; time < 2; time++)
    expect(await ask('127.84.3.1', 7788)).toMatchObject({ answered: true, players: 4, maxPlayers: 8 })
  expect(asked.times).toBe(1)
})

const at = (address: string, port: unknown = 7788) => ({ address, port, clients: 4, clients_max: 8 })
const altV = (address: string, more = {}) => [{ address, playersCount: 4, maxPlayersCount: 8, ...more }]
const rage = (id: string, ...servers: string[]) => [
  { id, servers: servers.map((server, n) => ({ id: server, name: 'R', players: { amount: 4 + n, max: 8 } })) },
]
test.each<[string, string, unknown, string]>([
  ['minetest', 'a host name beside the address', { list: [{ ...at('play.example'), ip: NAMED }] }, NAMED],
  ['minetest', 'a host name beside the address', { list: [{ ...at('play.example'), ip: NAMED }] }, 'play.example'],
  ['minetest', 'a host name in capitals with a dot', { list: [at('Play.EXAMPLE.')] }, 'play.example'],
  ['minetest', 'an international host name', { list: [at('Bücher.example')] }, 'xn--bcher-kva.example'],
  ['minetest', 'the address only', { list: [{ ...at(''), address: undefined, ip: NAMED }] }, 'play.example'],
  ['minetest', 'an IPv4 address as IPv6', { list: [at('::FFFF:127.84.3.1')] }, NAMED],
  ['minetest', 'a port as text', { list: [at(NAMED, '7788')] }, NAMED],
  ['altvmp', 'a host name', altV('Play.example:7788'), 'play.example'],
  ['altvmp', 'a web address', altV('https://play.example/', { useCdn: true }), 'play.example'],
  ['altvmp', 'fields of their own', altV('https://cdn.example/', { host: NAMED, port: 7788 }), NAMED],
  ['altvmp', 'an IPv6 form of the address', altV('[::ffff:7f54:301]:7788'), NAMED],
  ['ragemp', 'a host name', rage('Play.example:7788', 'other.example:1'), 'play.example'],
  ['ragemp', 'a host name in a network', rage('net', 'Play.example:7788', 'other.example:1'), 'play.example'],
  [
    'beammp',
    'a port as number',
    [{ ip: NAMED, port: 7788, sname: '', players: '4', maxplayers: '8', playerslist: '' }],
    NAMED,
  ],
  ['beammp', 'no port', [{ ip: NAMED, sname: '', players: '4', maxplayers: '8', playerslist: '' }], NAMED],
  [
    'brokeprotocol',
    'a host name',
    { servers: [{ ip: 'play.example', port: '7788', playerCount: 4, playerLimit: 8 }] },
    'play.example',
  ],
  ['renegadex', 'a port as text', [{ IP: NAMED, Port: '7788', Players: 4, Variables: { 'Player Limit': 8 } }], NAMED],
  [
    'vintagestory',
    'a host name',
    { data: [{ serverIP: 'PLAY.example:7788', players: 4, maxPlayers: 8 }] },
    'play.example',
  ],
])('a server that the list of %s names by %s is found', async (protocol, _form, list, listed) => {
  const { ask } = await publish(protocol, json(list))
  expect(await ask(listed, 7788)).toMatchObject({ answered: true, players: 4, maxPlayers: 8 })
  expect(await ask('127.84.3.2', 7788)).toMatchObject({ answered: false, reason: 'unreadable' })
})

test('of two servers with one address the port decides, and a network’s name is its first server’s', async () => {
  const { ask } = await publish('ragemp', json(rage(`${NAMED}:1`, `${NAMED}:2`, `${NAMED}:3`)))
  for (const [port, players] of [
    [1, 4],
    [2, 4],
    [3, 5],
  ] as const)
    expect(await ask(NAMED, port)).toMatchObject({ answered: true, players })
  expect(await ask(NAMED, 4)).toMatchObject({ answered: false })
})

test.each<[string, RequestListener]>([
  ['answers with no list', json({ error: 'maintenance' })],
  ['answers with an empty list', minetest([])],
  ['answers with a list of no servers', json({ list: [{}] })],
  ['answers with an error', (_req, res) => res.writeHead(500).end('{}')],
  ['answers with something else', (_req, res) => res.end('<html>')],
  ['sends its readers elsewhere', (_req, res) => res.writeHead(302, { location: 'http://127.84.0.1:1/' }).end()],
  ['answers nothing', () => {}],
  ['hangs up', (req) => req.socket.destroy()],
  [
    'does not end',
    (_req, res) => {
      const more = () => {
        while (!res.destroyed && res.write(Buffer.alloc(65_536, ' ')));
      }
      res.on('drain', more)
      more()
    },
  ],
])('a publisher who %s is asked once a minute and tells nothing of its servers', async (_what, respond) => {
  const { asked, ask } = await publish('minetest', respond)
  const places = Array.from({ length: 5 }, (_, n) => `127.84.4.${n + 1}`)
  for (let time = 0; time < 2; time++)
    for (const outcome of await Promise.all(places.map((address) => ask(address, 30_000))))
      expect(outcome).toMatchObject({ answered: false, reason: 'no list', detail: expect.any(String) })
  expect(asked.times).toBe(1)
})

test('servers keep their status and their interval while their list is down or empty, and go offline when they are not in it', async () => {
  const directory = await createTestDirectory()
  let list: RequestListener = minetest([{ address: '127.84.5.1', port: 30_000 }])
  const { asked, lists } = await publish('minetest', (req, res) => list(req, res))
  const poller = createTestPoller(directory, { lists })
  const [id] = (await directory.list([{ address: '127.84.5.1', port: 30_000, game: 'minetest' }])) as [string]
  await poller.cycle()
  expect(await directory.status(id)).toMatchObject({ isOnline: true, currentPlayers: 1 })
  const cycles = async (respond: RequestListener) => {
    list = respond
    for (let cycle = 0; cycle < 3; cycle++) {
      asked.now += 60_001
      await poller.cycle()
    }
  }
  for (const isDown of [(_req, res) => res.writeHead(503).end(), minetest([])] satisfies RequestListener[]) {
    await cycles(isDown)
    const status = await directory.status(id)
    expect(status).toMatchObject({ isOnline: true, currentPlayers: 1, consecutiveFailures: 0 })
    expect(status.dueIn).toBeGreaterThan(RULES.intervalSeconds * 0.8)
  }
  await cycles(minetest([{ address: '127.84.5.2', port: 30_000 }]))
  expect(await directory.status(id)).toMatchObject({ isOnline: false, currentPlayers: 0, consecutiveFailures: 3 })
})
