// Real game servers of Debian's packages, each started on loopback with its own folder, console and settings, and
// ended after its test.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import tls from 'node:tls'
import { expect, onTestFinished, vi } from 'vitest'
import { freePort } from '../../commands/start/ports.ts'
import { findProgram } from '../support/installed.ts'

/** What the product should show of a server. */
export interface Shown {
  currentPlayers: number
  maxPlayers: number
  map: string
  currentBots: number
  hasPassword: boolean | null
}

export interface Place {
  address: string
  port: number
  /** For its files; its current folder. */
  folder: string
}

export interface GameServer {
  game: string
  /** The first is the server. */
  programs: [string, ...string[]]
  /** Where it listens; absent if it listens everywhere, and then answers from the first loopback address. */
  address?: string
  /** Whether it can listen on ::1 too. */
  listensOnIpv6?: true
  /** Writes its settings. @returns its arguments */
  prepare(place: Place): string[]
  /** Lets a person join. */
  join?(server: RunningServer): Promise<unknown>
  /** What its settings say, for what its console does not print. */
  configured: Partial<Shown>
  /** Asks its console. */
  read?(server: RunningServer): Promise<Partial<Shown>>
}

export interface RunningServer extends Place {
  output(): string
  /** Types a line into its console. @returns what matches in the lines that it prints from then on */
  type(line: string, reply: RegExp): Promise<string[]>
  /** Asks it to end, and waits until it has. */
  stop(): Promise<void>
}

const VERY_FIRST = '127.0.0.1'
/** Games refuse to run as root. */
const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
/** A server needs seconds to start. */
const WAIT_OPTIONS = { timeout: 60_000, interval: 200 }
/** The console of a server that starts, and the product, whose callers may not ask more often. */
export const SLOW = { timeout: 60_000, interval: 1_000 }

function start(program: string, args: string[], folder: string): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(findProgram(program) ?? program, args, {
    ...UNPRIVILEGED,
    cwd: folder,
    env: { HOME: folder, PATH: process.env.PATH, SDL_VIDEODRIVER: 'dummy', SDL_AUDIODRIVER: 'dummy' },
    stdio: 'pipe',
  })
  child.stdin.on('error', () => {}) // it may have ended
  const ended = once(child, 'exit')
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL') // it has no state worth saving
    await ended
  })
  return child
}

function newFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'server-directory-game-'))
  fs.chmodSync(folder, 0o777)
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function startGameServer(
  server: GameServer,
  address = server.address ?? VERY_FIRST,
  port?: number,
): Promise<RunningServer> {
  const place = { address, port: port ?? (await freePort()), folder: newFolder() }
  const child = start(server.programs[0], server.prepare(place), place.folder)
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  return {
    ...place,
    output: () => output,
    async type(line, reply) {
      const from = output.length
      return vi.waitFor(() => {
        child.stdin.write(`${line}\n`) // again each time: a server that is still starting ignores it
        const match = reply.exec(output.slice(from))
        if (!match) throw new Error(`no ${reply} in ${output.slice(-500)}`)
        return [...match]
      }, SLOW)
    },
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGINT')
      await ended
    },
  }
}

/** A settings file that unprivileged servers can read and rewrite. */
function write(
  { folder }: Place,
  name: string,
  lines: Record<string, string | number>,
  format: (key: string) => string,
) {
  const file = path.join(folder, name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  const text = Object.entries(lines).map(([key, value]) => `${key}${format(key)}${value}\n`)
  fs.writeFileSync(file, text.join(''), { mode: 0o666 })
  return file
}
const equals = () => '='
const space = () => ' '

const dedicatedQuake = (settings: Record<string, string | number>): string[] =>
  Object.entries(settings).flatMap(([name, value]) => ['+set', name, String(value)])

/** Debian's openarena-server runs the engine of its ioquake3-server. */
const openarena: GameServer = {
  game: 'openarena',
  programs: ['openarena-server'],
  address: '127.84.20.1',
  listensOnIpv6: true,
  prepare: ({ address, port, folder }) => [
    ...dedicatedQuake({
      dedicated: 1, // on the local network only: it contacts no master server
      ...(address.includes(':')
        ? { net_enabled: 2, net_ip6: address, net_port6: port }
        : { net_enabled: 1, net_ip: address }),
      net_port: port,
      fs_homepath: folder,
      sv_maxclients: 12,
      g_needpass: 1,
      g_password: 'plough',
      ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`sv_master${n}`, ''])),
    }),
    ...['+map', 'oa_dm1', '+addbot', 'sarge', '+addbot', 'kyonshi'],
  ],
  configured: { maxPlayers: 12, hasPassword: true },
  async read(server) {
    const [, map = '', lines = ''] = await server.type('status', /map: (\w+)[\s\S]*?-----\n((?:.*\d.*\n)*)\n/)
    const clients = lines.trim().split('\n').filter(Boolean)
    const bots = clients.filter((line) => /\bbot\b/.test(line.replaceAll(/\^\d/g, ''))).length
    return { map, currentPlayers: clients.length - bots, currentBots: bots }
  },
}

const nexuiz: GameServer = {
  game: 'nexuiz',
  programs: ['nexuiz-server'],
  address: '127.84.20.2',
  listensOnIpv6: true,
  prepare: ({ address, port, folder }) => [
    ...['-userdir', folder, '+sv_public', '0', '+port', String(port), '+maxplayers', '10'],
    ...['+net_address', address.includes(':') ? VERY_FIRST : address, '+net_address_ipv6', '[::1]:0'],
    ...['+bot_number', '3', '+bot_join_empty', '1', '+map', 'runningmanctf'],
  ],
  configured: { hasPassword: null }, // its game has no such field
  async read(server) {
    const [text, map = '', clients, maxPlayers] = await server.type(
      'status',
      /map: +(\w+)[\s\S]*?players: +(\d+) active \((\d+) max\)\s+((?:#.*\n.*\n)*)/,
    )
    const bots = text?.match(/botclient/g)?.length ?? 0
    return { map, currentPlayers: Number(clients) - bots, currentBots: bots, maxPlayers: Number(maxPlayers) }
  },
}

/** A packet of Mumble's protocol whose fields are texts: type, length, content. */
function mumblePacket(type: number, fields: string[]): Buffer {
  const content = Buffer.concat(
    fields.map((text, n) => Buffer.concat([Buffer.from([((n + 1) << 3) | 2, text.length]), Buffer.from(text)])),
  )
  const head = Buffer.alloc(6)
  head.writeUInt16BE(type)
  head.writeUInt32BE(content.length, 2)
  return Buffer.concat([head, content])
}

/** Message types of the protocol. */
const AUTHENTICATE = 2

const mumble: GameServer = {
  game: 'mumble',
  programs: ['murmurd'],
  address: '127.84.20.3',
  listensOnIpv6: true,
  prepare: (place) => [
    ...['-fg', '-v', '-ini'],
    write(
      place,
      'murmur.ini',
      {
        database: path.join(place.folder, 'murmur.sqlite'),
        logfile: '',
        host: place.address,
        port: place.port,
        users: 17,
        serverpassword: 'plough',
        allowping: 'true',
        bonjour: 'False',
      },
      equals,
    ),
  ],
  async join({ address, port, output }) {
    await vi.waitFor(() => expect(output()).toContain('Server listening on'), WAIT_OPTIONS)
    const socket = tls.connect({ host: address, port, rejectUnauthorized: false })
    onTestFinished(() => void socket.destroy())
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    socket.write(mumblePacket(AUTHENTICATE, ['Ann', 'plough']))
    await vi.waitFor(() => expect(output()).toMatch(/Ann\(-?\d+\)> Authenticated/), WAIT_OPTIONS)
  },
  configured: { currentPlayers: 1, currentBots: 0, maxPlayers: 17, map: '', hasPassword: null }, // pings report no password
}

const armagetron: GameServer = {
  game: 'armagetronadvanced',
  programs: ['armagetronad-dedicated.real'],
  address: '127.84.20.4',
  prepare(place) {
    const settings = path.join(place.folder, 'settings')
    fs.cpSync('/etc/armagetronad', settings, { recursive: true, dereference: true })
    fs.mkdirSync(path.join(place.folder, 'var'), { mode: 0o777 })
    fs.chmodSync(path.join(place.folder, 'var'), 0o777)
    write(
      { ...place, folder: settings },
      'settings_custom.cfg',
      { SERVER_IP: place.address, SERVER_PORT: place.port, MAX_CLIENTS: 9, TALK_TO_MASTER: 0, SERVER_NAME: 'Real' },
      space,
    )
    return [
      ...['--datadir', '/usr/share/games/armagetronad', '--configdir', settings],
      ...['--userdatadir', path.join(place.folder, 'var')],
    ]
  },
  configured: { maxPlayers: 9, currentBots: 0, map: '', hasPassword: null },
  async read(server) {
    const [, players] = await server.type('PLAYERS', /PLAYERS: Listed (\d+) players/)
    return { currentPlayers: Number(players) }
  },
}

const openttd: GameServer = {
  game: 'openttd',
  programs: ['openttd'],
  address: '127.84.20.5',
  listensOnIpv6: true,
  prepare(place) {
    const { address, port } = place
    const file = write(
      place,
      'openttd.cfg',
      {
        ...{ '[misc]\n': '', '[network]\nserver_name': 'Real', server_password: 'plough', max_clients: 11 },
        server_game_type: 'local', // not in any public list
      },
      (key) => (key.endsWith('\n') ? '' : ' = '),
    )
    return ['-D', `${address.includes(':') ? `[${address}]` : address}:${port}`, '-g', '-c', file]
  },
  configured: { currentBots: 0, map: '', hasPassword: true },
  async read(server) {
    const [, players, maxPlayers] = await server.type('server_info', /maximum clients: +(\d+)\/ *(\d+)/)
    return { currentPlayers: Number(players), maxPlayers: Number(maxPlayers) }
  },
}

const netpanzer: GameServer = {
  game: 'netpanzer',
  programs: ['netpanzer'],
  // It answers queries only if it is public: its list of servers is then at an address where none is.
  prepare: ({ port }) => ['-d', '-p', String(port), '--master_server=127.84.20.99'],
  /** Its bot is a program that joins as people do; the server does not tell them apart. */
  async join({ port, output }) {
    await vi.waitFor(() => expect(output()).toContain('game started'), WAIT_OPTIONS)
    const bot = start('netpanzer', ['-b', `${VERY_FIRST}:${port}`], newFolder())
    bot.stdout.resume()
    bot.stderr.resume()
    await vi.waitFor(() => expect(output()).toContain('has joined the game'), WAIT_OPTIONS)
  },
  configured: { currentBots: 0, maxPlayers: 8, hasPassword: false },
  async read(server) {
    const [, map = '', lines = ''] = await server.type('status', /Map: (.+)\n.*Score.*\n((?: *\d+ .*\n)+)/)
    return { map, currentPlayers: lines.trim().split('\n').length }
  },
}

export const GAME_SERVERS: readonly GameServer[] = [openarena, nexuiz, mumble, armagetron, openttd, netpanzer]

/** A Luanti server, which announces itself to a list of servers. */
export async function startLuanti(
  address: string,
  listUrl: string,
  { name = 'Real', port }: { name?: string; port?: number } = {},
): Promise<RunningServer> {
  const luanti: GameServer = {
    game: 'minetest',
    programs: ['minetestserver'],
    address,
    prepare: (place) => [
      ...['--logfile', '', '--gameid', 'minetest', '--world', path.join(place.folder, 'world'), '--config'],
      write(
        place,
        'minetest.conf',
        {
          ...{ server_name: name, server_address: address, bind_address: address, port: place.port, max_users: 13 },
          ...{
            server_announce: 'true',
            serverlist_url: listUrl,
            disallow_empty_password: 'true',
            enable_ipv6: 'false',
          },
        },
        () => ' = ',
      ),
    ],
    configured: {},
  }
  return startGameServer(luanti, address, port)
}
