// Minecraft servers: one that answers the status request over TCP, and one of the Bedrock edition.
import { tcpServer, udpServer } from './far-end.ts'

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

/**
 * A packet of less than 128 bytes: length, id, protocol version, host, port, and the state that the client wants next.
 */
function readHandshake(packet: Buffer): Handshake {
  const length = packet[3] ?? 0
  return { host: packet.toString('utf8', 4, 4 + length), port: packet.readUInt16BE(4 + length) }
}

/**
 * @param status what it answers; of a proxy with forced hosts, by the client's handshake; undefined: it
 * closes the connection
 */
export function minecraftServer(
  address: string,
  status: Status | ((handshake: Handshake) => Status | undefined),
  port = 0,
) {
  return tcpServer(
    address,
    (socket) => {
      socket.once('data', (request) => {
        const own = typeof status === 'function' ? status(readHandshake(request)) : status
        if (!own) return socket.destroy()
        const json = Buffer.from(
          JSON.stringify({ version: { name: '1.21.4' }, players: { online: 3, max: 20 }, ...own }),
        )
        const body = Buffer.concat([Buffer.from([0]), varint(json.length), json])
        socket.write(Buffer.concat([varint(body.length), body]))
      })
    },
    port,
  )
}

/** A server of the Bedrock edition, which answers the ping of RakNet over UDP. */
export function bedrockServer(address: string, { name = 'Bedrock', players = 5, max = 30 } = {}) {
  const PONG = 0x1c
  return udpServer(address, (ping, reply) => {
    const [time, magic] = [ping.subarray(1, 9), ping.subarray(9, 25)]
    const text = Buffer.from(`MCPE;${name};766;1.21.50;${players};${max};1;A world;Survival;1;19132;19133`)
    const length = Buffer.alloc(2)
    length.writeUInt16BE(text.length)
    if (ping[0] === 1) reply(Buffer.concat([Buffer.from([PONG]), time, Buffer.alloc(8), magic, length, text]))
  })
}
