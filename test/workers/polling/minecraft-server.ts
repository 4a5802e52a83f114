// A Minecraft server that answers the status request over TCP.
import { tcpServer } from './far-end.ts'

export interface Handshake {
  host: string
  port: number
}

interface Status {
  players?: object
  description?: unknown
  favicon?: unknown
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128)
  return Buffer.from([...bytes, value])
}

/** A packet of less than 128 bytes: length, id, protocol version, host, port, and the state that the client wants next. */
function readHandshake(packet: Buffer): Handshake {
  const length = packet[3] ?? 0
  return { host: packet.toString('utf8', 4, 4 + length), port: packet.readUInt16BE(4 + length) }
}

/** @param status what it answers; of a proxy with forced hosts, by the client's handshake; undefined: it closes the connection */
export function minecraftServer(address: string, status: Status | ((handshake: Handshake) => Status | undefined)) {
  return tcpServer(address, (socket) => {
    socket.once('data', (request) => {
      const own = typeof status === 'function' ? status(readHandshake(request)) : status
      if (!own) return socket.destroy()
      const json = Buffer.from(JSON.stringify({ version: { name: '1.21.4' }, players: { online: 3, max: 20 }, ...own }))
      const body = Buffer.concat([Buffer.from([0]), varint(json.length), json])
      socket.write(Buffer.concat([varint(body.length), body]))
    })
  })
}
