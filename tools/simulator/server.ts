// One simulated game server on a UDP socket of its own, with faults that can be switched on while it runs.
import dgram from 'node:dgram'
import { answer, type ServerInfo } from './a2s.ts'

export interface Faults {
  /** Answers nothing, like a server that is down behind a firewall. */
  silent: boolean
  /** Share of datagrams lost, each way on its own: 0.1 = 10 % of requests and 10 % of replies. */
  loss: number
  delayMs: number
  /**
   * What it answers with: `malformed` random bytes behind a right header, `truncated` the first half of the answer,
   * `oversized` one datagram of 60 kB, `endless` split packets that never complete (bounded to 2,000 a request).
   */
  reply: 'normal' | 'malformed' | 'truncated' | 'oversized' | 'endless'
}

export interface SimulatedServer {
  address: string
  port: number
  /** Change freely: the next answer shows it. */
  info: ServerInfo
  faults: Faults
  /** Requests that arrived, lost ones left out. */
  requests: number
  /** Called for each of them, before the delay. */
  onRequest: ((peerPort: number) => void) | undefined
  close(): Promise<void>
}

export interface SimulatedServerOptions {
  address?: string
  port?: number
  info?: Partial<ServerInfo>
  faults?: Partial<Faults>
  /** 0 ≤ random() < 1; give a seeded one for a repeatable loss. */
  random?: () => number
}

export const NO_FAULTS: Faults = { silent: false, loss: 0, delayMs: 0, reply: 'normal' }
const SHORTEST_REPLY = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x49])
const ENDLESS_PACKETS = 2_000

/** Binds a socket (port 0: a free one) and answers until closed. Does not keep the process alive by itself. */
export async function startSimulatedServer(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
  const random = options.random ?? Math.random
  const socket = dgram.createSocket('udp4')
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
  socket.on('message', (request, peer) => {
    const { silent, loss, delayMs } = server.faults
    if (silent || (loss > 0 && random() < loss)) return
    server.requests++
    server.onRequest?.(peer.port)
    const reply = () => {
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

/** An answer on its way while the socket closes is lost, as on a real network. */
function ignoreClosed(): void {}

function spoil(answers: Buffer[], { reply }: Faults, random: () => number): Buffer[] {
  if (reply === 'normal' || !answers.length) return answers
  if (reply === 'truncated') return answers.map((datagram) => datagram.subarray(0, Math.ceil(datagram.length / 2)))
  if (reply === 'oversized') return [Buffer.concat([SHORTEST_REPLY, Buffer.alloc(60_000, 0x41)])]
  if (reply === 'malformed') {
    const noise = Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256)))
    return [Buffer.concat([SHORTEST_REPLY, noise])]
  }
  return Array.from({ length: ENDLESS_PACKETS }, (_, number) => {
    const head = Buffer.alloc(12)
    head.writeInt32LE(-2, 0)
    head.writeUInt32LE(number, 4) // each packet starts another answer that is never finished
    head[8] = 255
    head[9] = number % 254
    head.writeUInt16LE(1248, 10)
    return Buffer.concat([head, Buffer.alloc(1200, 0x42)])
  })
}
