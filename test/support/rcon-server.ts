// A Source RCON server on a real socket, after Valve's description, with the faults of servers in the wild.
import net from 'node:net'
import { onTestFinished } from 'vitest'

export interface RconServerOptions {
  password?: string
  /** Where it listens; default: 127.0.0.1. */
  address?: string
  /** The answer to a command: one packet for each text of a list, split near 4 kB as the games do. */
  answer?: (command: string) => string | string[] | Promise<string | string[]>
  /** Whether the server mirrors an empty RESPONSE_VALUE, as Source does. ARK does not. */
  mirrors?: boolean
  /** Bytes of each TCP write; the whole answer at once unless given. */
  segment?: number
  /** `mute`: accepts the connection and sends nothing. `deaf`: sends nothing after the login. */
  fault?:
    | 'mute'
    | 'deaf'
    | 'closes-at-login'
    | 'closes-at-command'
    | 'closes-midway'
    | 'resets'
    | 'http'
    | 'endless'
    | 'huge-packet'
    | 'tiny-packet'
    | 'chatter'
    | 'refuses-two-at-once'
}

export interface RconServer {
  port: number
  /** Commands in the order received. */
  commands: string[]
  /** Number of login attempts. */
  logins: string[]
  /** Most commands in progress at the same time. */
  mostAtOnce(): number
  connections(): number
  close(): Promise<void>
}

const MAX_BODY = 4_096 - 10

export async function startRconServer(options: RconServerOptions = {}): Promise<RconServer> {
  const { password = 'open sesame', answer = (command) => `you said: ${command}`, mirrors = true, fault } = options
  const commands: string[] = []
  const logins: string[] = []
  const sockets = new Set<net.Socket>()
  let underWay = 0
  let most = 0

  function serve(socket: net.Socket): void {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined) // the client disconnected
    socket.setNoDelay(true)
    if (fault === 'http') socket.write('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    let pending = Buffer.alloc(0)
    let isIn = false
    let turn = Promise.resolve()

    const write = (bytes: Buffer) => {
      const step = options.segment ?? bytes.length
      for (let at = 0; at < bytes.length; at += step) socket.write(bytes.subarray(at, at + step))
    }

    async function onPacket(id: number, type: number, body: string): Promise<void> {
      if (fault === 'mute') return
      if (type === 3) {
        logins.push(body)
        if (fault === 'closes-at-login') return void socket.end()
        isIn = body === password
        write(Buffer.concat([packet(id, 0, ''), packet(isIn ? id : -1, 2, '')]))
        if (fault === 'chatter') socket.write(packet(0, 0, 'Keep Alive'))
      } else if (!isIn) write(packet(-1, 2, ''))
      else if (type === 2) await onCommand(id, body)
      else if (type === 0 && mirrors && fault !== 'deaf')
        write(Buffer.concat([packet(id, 0, ''), packet(id, 0, '\0\x01\0\0')]))
    }

    async function onCommand(id: number, command: string): Promise<void> {
      commands.push(command)
      if (fault === 'deaf') return
      if (fault === 'closes-at-command') return void socket.end()
      if (fault === 'resets') return void socket.resetAndDestroy()
      if (fault === 'closes-midway') {
        socket.write(packet(id, 0, 'half of it').subarray(0, 15))
        return void socket.end()
      }
      if (fault === 'huge-packet') return void socket.write(header(1_000_000, id))
      if (fault === 'tiny-packet') return void socket.write(header(3, id))
      if (fault === 'endless') {
        const full = packet(id, 0, 'x'.repeat(4_000))
        const more = () => {
          while (!socket.destroyed && socket.write(full));
          if (!socket.destroyed) socket.once('drain', more)
        }
        return more()
      }
      most = Math.max(most, ++underWay)
      try {
        const texts = [await answer(command)].flat()
        const bodies = texts.flatMap((text) => cut(Buffer.from(text)))
        if (fault === 'chatter') write(packet(0, 0, 'Keep Alive'))
        for (const body of bodies) write(packet(id, 0, body))
      } finally {
        underWay--
      }
    }

    socket.on('data', (piece) => {
      pending = Buffer.concat([pending, piece])
      let packets = 0
      while (pending.length >= 4 && pending.length >= pending.readInt32LE(0) + 4) {
        const whole = pending.subarray(4, pending.readInt32LE(0) + 4)
        pending = pending.subarray(whole.length + 4)
        const [id, type, body] = [whole.readInt32LE(0), whole.readInt32LE(4), whole.subarray(8, -2).toString()]
        packets++
        turn = turn.then(() => onPacket(id, type, body))
      }
      if (fault === 'refuses-two-at-once' && packets > 1) socket.destroy()
    })
  }

  const server = net.createServer(serve)
  await new Promise<void>((resolve) => server.listen(0, options.address ?? '127.0.0.1', resolve))
  const place = server.address()
  if (typeof place === 'string' || !place) throw new Error('the RCON server has no port')
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return { port: place.port, commands, logins, mostAtOnce: () => most, connections: () => sockets.size, close }
}

/** Starts the server and closes it with the test. */
export async function startTestRconServer(options: RconServerOptions = {}): Promise<RconServer> {
  const server = await startRconServer(options)
  onTestFinished(() => server.close())
  return server
}

function cut(body: Buffer): Buffer[] {
  const pieces: Buffer[] = []
  for (let at = 0; at === 0 || at < body.length; at += MAX_BODY) pieces.push(body.subarray(at, at + MAX_BODY))
  return pieces
}

function packet(id: number, type: number, body: string | Buffer): Buffer {
  const text = Buffer.from(body as string)
  const bytes = Buffer.alloc(14 + text.length)
  bytes.writeInt32LE(10 + text.length, 0)
  bytes.writeInt32LE(id, 4)
  bytes.writeInt32LE(type, 8)
  text.copy(bytes, 12)
  return bytes
}

/** The start of a packet that announces `size` bytes. */
function header(size: number, id: number): Buffer {
  const bytes = Buffer.alloc(12)
  bytes.writeInt32LE(size, 0)
  bytes.writeInt32LE(id, 4)
  return bytes
}
