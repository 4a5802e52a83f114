// One simulated game server on its own UDP socket, with faults that can be changed while it runs.
import dgram from 'node:dgram'
import { isIPv6 } from 'node:net'
import { answer, type ServerInfo } from './a2s.ts'

export interface Faults {
  /** Answers nothing, like a server behind a firewall. */
  silent: boolean
  /** Share of datagrams lost in each direction: 0.1 = 10 % of requests and 10 % of replies. */
  loss: number
  delayMs: number
  /**
   * The kind of reply: `malformed` random bytes after a valid header, `truncated` the first half of a reply,
   * `oversized` one datagram of 60 kB, `endless` split packets that never complete (at most 2,000 per request).
   */
  reply: 'normal' | 'malformed' | 'truncated' | 'oversized' | 'endless'
}

export interface SimulatedServer {
  address: string
  port: number
  /** May be changed at any time; the next reply shows it. */
  info: ServerInfo
  faults: Faults
  /** Requests that arrived, without lost ones. */
  requests: number
  /** Called for each request before the delay. */
  onRequest: ((peerPort: number) => void) | undefined
  close(): Promise<void>
}

export interface SimulatedServerOptions {
  address?: string
  port?: number
  info?: Partial<ServerInfo>
  faults?: Partial<Faults>
  /** 0 ≤ random() < 1; pass a seeded one for repeatable losses. */
  random?: () => number
}

export const NO_FAULTS: Faults = { silent: false, loss: 0, delayMs: 0, reply: 'normal' }
const EMPTY_REPLY_HEAD = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x49])
const ENDLESS_PACKETS = 2_000

/** Binds a socket (port 0: a free one) and answers until closed. Does not keep the process alive. */
export async function startSimulatedServer(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
  const random = options.random ?? Math.random
  const socket = dgram.createSocket(isIPv6(options.address ?? '') ? 'udp6' : 'udp4')
  const server: SimulatedServer = {
    address: options.address ?? '127.0.0.1',
    port: options.port ?? 0,
    info: {
      name: 'Simulated server',
      map: 'TheIsland',
      players: 0,
      maxPlayers: 70,
      version: '1.0.0.0',
      keywords: '',
      gamePort: 7777,
      rules: {},
      ...options.info,
    },
    faults: { ...NO_FAULTS, ...options.faults },
    requests: 0,
    onRequest: undefined,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  }
  let isClosed = false
  socket.once('close', () => {
    isClosed = true
  })
  socket.on('message', (request, peer) => {
    const { silent, loss, delayMs } = server.faults
    if (silent || (loss > 0 && random() < loss)) return
    server.requests++
    server.onRequest?.(peer.port)
    const reply = () => {
      if (isClosed) return
      for (const datagram of spoil(answer(request, server.info), server.faults, random))
        if (!(loss > 0 && random() < loss)) socket.send(datagram, peer.port, peer.address, ignoreClosed)
    }
    if (delayMs > 0) setTimeout(reply, delayMs).unref()
    else reply()
  })
  socket.on('error', ignoreClosed)
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.bind(server.port, server.address, () => {
      socket.off('error', reject)
      resolve()
    })
  })
  server.port = socket.address().port
  socket.unref()
  return server
}

/** A reply in progress while the socket closes is lost, as on a real network. */
function ignoreClosed(): void {}

function spoil(answers: Buffer[], { reply }: Faults, random: () => number): Buffer[] {
  if (reply === 'normal' || !answers.length) return answers
  if (reply === 'truncated') return answers.map((datagram) => datagram.subarray(0, Math.ceil(datagram.length / 2)))
  if (reply === 'oversized') return [Buffer.concat([EMPTY_REPLY_HEAD, Buffer.alloc(60_000, 0x41)])]
  if (reply === 'malformed') {
    const noise = Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256)))
    return [Buffer.concat([EMPTY_REPLY_HEAD, noise])]
  }
  return Array.from({ length: ENDLESS_PACKETS }, (_, number) => {
    const head = Buffer.alloc(12)
    head.writeInt32LE(-2, 0)
    head.writeUInt32LE(number, 4) // each packet starts another reply that never completes
    head[8] = 255
    head[9] = number % 254
    head.writeUInt16LE(1248, 10)
    return Buffer.concat([head, Buffer.alloc(1200, 0x42)])
  })
}
