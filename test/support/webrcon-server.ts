// Rust's WebRCON on a real socket: a WebSocket that takes commands as JSON, and can be as bad as those out there.
import { createHash } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'

export interface WebRconOptions {
  /** `open sesame` unless given. */
  password?: string
  /** Where it listens; default: 127.0.0.1. */
  address?: string
  /** What happens once the password was accepted. */
  onLogin?: (send: (message: string) => void, socket: Duplex) => void
  /** What happens on a command, after the login. */
  onCommand?: (
    command: { Identifier: number; Message: string },
    send: (message: string) => void,
    socket: Duplex,
  ) => void
  /** Instead of a WebSocket. */
  onUpgrade?: (socket: Duplex) => void
}

export async function startWebRconServer(options: WebRconOptions = {}) {
  const {
    password = 'open sesame',
    onUpgrade,
    onLogin = () => undefined,
    onCommand = ({ Identifier, Message }, send) => {
      send(JSON.stringify({ Identifier: 0, Message: 'a player joined', Type: 'Generic' }))
      send(JSON.stringify({ Identifier, Message: `you said: ${Message}`, Type: 'Generic' }))
    },
  } = options
  const paths: string[] = []
  const commands: string[] = []
  const sockets = new Set<Duplex>()
  const server = http.createServer((_req, res) => res.end('a page'))
  server.on('upgrade', (req, socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined) // a client that goes away
    paths.push(String(req.url))
    if (onUpgrade) return onUpgrade(socket)
    // RFC 6455 §4.2.2
    const accept = createHash('sha1')
      .update(`${req.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    )
    if (decodeURIComponent(String(req.url).slice(1)) !== password) return socket.end(Buffer.from([0x88, 0]))
    const send = (message: string) => socket.write(textFrame(message))
    onLogin(send, socket)
    socket.on('data', (frame: Buffer) => {
      if ((frame[0] ?? 0) !== 0x81) return // only whole texts matter here
      const short = (frame[1] ?? 0) & 127
      const at = short === 126 ? 4 : 2
      const length = short === 126 ? frame.readUInt16BE(2) : short
      const mask = frame.subarray(at, at + 4)
      const text = Buffer.from(frame.subarray(at + 4, at + 4 + length).map((byte, n) => byte ^ (mask[n % 4] ?? 0)))
      const command = JSON.parse(text.toString()) as { Identifier: number; Message: string }
      commands.push(command.Message)
      onCommand(command, send, socket)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, options.address ?? '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, paths, commands }
}

function textFrame(message: string): Buffer {
  const payload = Buffer.from(message)
  const head = Buffer.alloc(10)
  head[0] = 0x81
  head[1] = 127
  head.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([head, payload])
}
