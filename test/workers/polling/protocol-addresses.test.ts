// What gamedig does with a target's name and address: which protocols say the name, and queries over IPv6.
import { readdirSync, readFileSync } from 'node:fs'
import { protocols } from 'gamedig'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startSimulatedServer } from '../../../dev/simulator/server.ts'
import { srvServiceOf } from '../../../src/features/games/index.ts'
import type { QueryTarget } from '../../../workers/polling/outcome.ts'
import { hostFor, IPV4_ONLY, USES_OF_HOST } from '../../../workers/polling/protocol-addresses.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'
import { hasNoIpv6 } from '../../support/ipv6.ts'
import { type NameAnswer, startNameServer } from '../../support/name-server.ts'
import { httpServer, openAsk, tcpServer, udpServer } from './far-end.ts'
import { type Handshake, minecraftServer } from './minecraft-server.ts'

const SOURCES = 'node_modules/gamedig/protocols'
const sources = readdirSync(SOURCES).map((file) => ({
  protocol: file.replace('.js', ''),
  code: readFileSync(`${SOURCES}/${file}`, 'utf8'),
}))
const protocolsWith = (pattern: RegExp) =>
  sources.flatMap(({ protocol, code }) => (pattern.test(code) ? [protocol] : [])).sort()
const protocolsThat = (use: string) =>
  Object.entries(USES_OF_HOST).flatMap(([protocol, itsUse]) => (itsUse === use ? [protocol] : []))

describe('gamedig', () => {
  test('uses a target’s host in these protocols; an update that changes this needs a decision', () => {
    // `core` hands it to Telnet, which only sdtd uses, and makes a text for players of it.
    expect(protocolsWith(/options\.host\b|[{,]\s*host\s*[,}]/)).toEqual(
      [...Object.keys(USES_OF_HOST).filter((protocol) => protocol !== 'sdtd'), 'core'].sort(),
    )
    expect(protocolsWith(/\btelnetConnect ?\(/)).toEqual(['core', 'sdtd'])
    const used = (protocol: string) =>
      [...(sources.find((one) => one.protocol === protocol)?.code.matchAll(/^.*options\.host\b.*$/gm) ?? [])].map(
        ([line]) => line.trim(),
      )
    for (const protocol of protocolsThat('compares'))
      expect(used(protocol)).toEqual([expect.stringMatching(/^const targetID = .+options\.host}:.+options\.port}`$/)])
    expect(used('minecraftvanilla')).toEqual(["const addressBuf = Buffer.from(this.options.host, 'utf8')"])
    // Only these say a name, so only they may get one.
    expect(protocolsWith(/new minecraftvanilla\(|extends minecraftvanilla\b/)).toEqual(['minecraft'])
    const named = Object.keys(protocols).filter(
      (protocol) => hostFor(protocol, 'play.example', '192.0.2.1') !== '192.0.2.1',
    )
    expect(named.sort()).toEqual(['minecraft', 'minecraftvanilla'])
  })

  test('writes an IPv4 address into packets of these protocols only', () => {
    expect(protocolsWith(/address\.split\('\.'\)/)).toEqual(['samp'])
    expect(protocolsWith(/extends samp\b/)).toEqual(['gtasao', 'vcmp'])
    expect([...IPV4_ONLY].sort()).toEqual(['gtasao', 'samp', 'vcmp'])
  })

  test('looks for the same services of Minecraft', () => {
    const named = sources.flatMap(({ protocol, code }) =>
      [...code.matchAll(/srvRecord = '(.+)'/g)].map(([, service]) => [protocol, service]),
    )
    const serviceOf = (game: string) => srvServiceOf({ game, gamePort: 1, gamePortGiven: false })
    expect(named).toEqual([['minecraft', serviceOf('minecraft')]])
    expect(serviceOf('teamspeak3')).toBe('_ts3._udp')
    expect(serviceOf('mumble')).toBe('_mumble._tcp')
    expect(serviceOf('rdr2r')).toBe('_cfx._udp')
    for (const game of ['mbe', 'ase', 'protocol-valve', 'constructor']) expect(serviceOf(game)).toBeUndefined()
  })
})

/** Asks targets by names of their own. */
async function openNamedAsk(names: Record<string, NameAnswer>, options: { now?: () => number } = {}) {
  const { address } = await startNameServer((name) => names[name] ?? 'missing')
  const pool = createQueryPool({ concurrency: 10 })
  onTestFinished(() => pool.close())
  const resolve = createTargetResolver({ allowPrivate: true, nameServers: [address], ...options })
  const ask = createAskServer({ pool, resolve, tries: { online: [400], offline: [400] } })
  return (target: Partial<QueryTarget>) =>
    ask({
      game: 'minecraft',
      ipAddress: 'play.example',
      queryPort: 25_565,
      gamePort: 25_565,
      isOnline: true,
      ...target,
    })
}

describe('a Minecraft server behind a proxy with forced hosts', () => {
  const FORCED: Record<string, number> = { 'play.example': 11, 'xn--bcher-kva.example': 22 }

  test('is asked by its name, at the port that DNS gives', async () => {
    const said: Handshake[] = []
    const proxy = await minecraftServer('127.87.0.1', (handshake) => {
      said.push(handshake)
      const online = FORCED[handshake.host]
      return online === undefined ? undefined : { players: { online, max: 100 } }
    })
    const ask = await openNamedAsk({
      '_minecraft._tcp.play.example': [{ port: proxy.port, target: 'proxy.example' }],
      'proxy.example': ['127.87.0.1'],
      'xn--bcher-kva.example': ['127.87.0.1'],
    })
    expect(await ask({ gamePortGiven: false })).toMatchObject({ answered: true, players: 11, foundPort: proxy.port })
    const { port } = proxy
    const given = await ask({
      ipAddress: 'xn--bcher-kva.example',
      queryPort: port,
      gamePort: port,
      gamePortGiven: true,
    })
    expect(given).toMatchObject({ answered: true, players: 22 })
    expect(given).not.toHaveProperty('foundPort')
    expect(said).toEqual([
      { host: 'play.example', port },
      { host: 'xn--bcher-kva.example', port },
    ])
  })

  test('is looked for where DNS says unless players type a port: its own, not the usual one', async () => {
    const proxy = await minecraftServer('127.87.0.2', {})
    const ask = await openNamedAsk({
      '_minecraft._tcp.play.example': [{ port: proxy.port, target: 'play.example' }],
      'play.example': ['127.87.0.2'],
    })
    for (const gamePortGiven of [true, undefined]) {
      const given = { gamePort: 25_566, queryPort: 25_566, ...(gamePortGiven && { gamePortGiven }) }
      expect(await ask(given)).toMatchObject({ answered: false })
    }
    for (const gamePortGiven of [true, false])
      expect(await ask({ gamePortGiven })).toMatchObject({ answered: true, players: 3, foundPort: proxy.port })
  })

  test('that moved to another port is found there by the next poll', async () => {
    let now = 0
    let isMoved = false
    const before = await minecraftServer('127.87.0.5', () => (isMoved ? undefined : {}))
    const after = await minecraftServer('127.87.0.5', { players: { online: 8, max: 20 } })
    const names = {
      '_minecraft._tcp.play.example': [{ port: before.port, target: 'proxy.example' }],
      'proxy.example': ['127.87.0.5'],
    }
    const ask = await openNamedAsk(names, { now: () => now })
    expect(await ask({ gamePortGiven: false })).toMatchObject({ players: 3, foundPort: before.port })
    isMoved = true
    names['_minecraft._tcp.play.example'] = [{ port: after.port, target: 'proxy.example' }]
    now = 5_000
    expect(await ask({ gamePortGiven: false })).toMatchObject({ answered: false })
    await expect
      .poll(() => ask({ gamePortGiven: false }))
      .toMatchObject({ answered: true, players: 8, foundPort: after.port })
  })

  test('keeps a query port of its own', async () => {
    const proxy = await minecraftServer('127.87.0.3', {})
    const ask = await openNamedAsk({
      '_minecraft._tcp.play.example': [{ port: 9, target: 'play.example' }],
      'play.example': ['127.87.0.3'],
    })
    const outcome = await ask({ gamePortGiven: false, queryPort: proxy.port })
    expect(outcome).toMatchObject({ answered: true, players: 3, foundPort: 9 })
  })
})

test('TeamSpeak’s service gives the voice port, by which the virtual server is selected', async () => {
  const selected: string[] = []
  await tcpServer(
    '127.87.0.4',
    (socket) =>
      socket.on('data', (data) => {
        const [command = ''] = data.toString().trim().split('\n')
        selected.push(command)
        const answers: Record<string, string> = {
          serverinfo: 'virtualserver_name=Voice virtualserver_maxclients=32 virtualserver_clientsonline=5',
          clientlist: 'client_nickname=a client_type=0',
        }
        socket.write(`${command.startsWith('use') ? 'TS3' : (answers[command] ?? 'cid=1')}\n\rerror id=0 msg=ok\n\r`)
      }),
    10_011,
  )
  const ask = await openNamedAsk({
    '_ts3._udp.voice.example': [{ port: 9_999, target: 'node.example' }],
    'node.example': ['127.87.0.4'],
  })
  const target = {
    game: 'teamspeak3',
    ipAddress: 'voice.example',
    queryPort: 9_987,
    gamePort: 9_987,
    gamePortGiven: false,
  }
  expect(await ask(target)).toMatchObject({ answered: true, players: 5, maxPlayers: 32, foundPort: 9_999 })
  expect(selected[0]).toBe('use port=9999')
})

describe.skipIf(hasNoIpv6())('over IPv6', () => {
  test('a Source server answers by UDP, beside one of IPv4', async () => {
    const [six, four] = [
      await startSimulatedServer({ address: '::1' }),
      await startSimulatedServer({ address: '127.87.1.1' }),
    ]
    onTestFinished(async () => {
      await six.close()
      await four.close()
    })
    const ask = openAsk()
    for (const server of [six, four]) expect(await ask('ase', server)).toMatchObject({ answered: true })
  })

  test('a name with IPv6 only is enough', async () => {
    const server = await startSimulatedServer({ address: '::1' })
    onTestFinished(server.close)
    const ask = await openNamedAsk({ 'six.example': ['::1'] })
    const target = { game: 'protocol-valve', ipAddress: 'six.example', queryPort: server.port }
    expect(await ask(target)).toMatchObject({ answered: true })
  })

  test('a Minecraft server answers by TCP', async () => {
    expect(await openAsk({ tries: [400] })('minecraft', await minecraftServer('::1', {}))).toMatchObject({ players: 3 })
  })

  test('protocols that build URLs of the address or the host put it into brackets', async () => {
    const hosts: unknown[] = []
    const place = await httpServer('::1', (req, res) => {
      hosts.push(req.headers.host)
      res.end(
        JSON.stringify({
          name: 'E',
          numPlayers: 2,
          maxPlayers: 16,
          players: [],
          Info: { OnlinePlayers: 2, TotalPlayers: 16 },
        }),
      )
    })
    for (const game of ['protocol-eldewrito', 'eco'])
      expect(await openAsk()(game, place)).toMatchObject({ answered: true, players: 2, maxPlayers: 16 })
    expect(hosts).toEqual([`[::1]:${place.port}`, `[::1]:${place.port}`])
  })

  test('a long body is cut off as over IPv4', async () => {
    const place = await httpServer('::1', (_req, res) =>
      res.end(JSON.stringify({ name: 'x'.repeat(600_000), players: [] })),
    )
    expect(await openAsk()('protocol-eldewrito', place)).toMatchObject({ answered: false, reason: 'unreadable' })
  })

  test.each([...IPV4_ONLY])('%s can’t be queried, because its packets hold an IPv4 address', async (protocol) => {
    let datagrams = 0
    const place = await udpServer('::1', () => datagrams++)
    expect(await openAsk({ tries: [100] })(`protocol-${protocol}`, place)).toMatchObject({
      answered: false,
      reason: 'unreadable',
      detail: `${protocol} can’t carry an IPv6 address`,
    })
    expect(datagrams).toBe(0)
  })
})
