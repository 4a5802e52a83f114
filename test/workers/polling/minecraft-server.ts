// A Minecraft server that answers the status request over TCP.
import { tcpServer } from './far-end.ts'

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128)
  return Buffer.from([...bytes, value])
}

export function minecraftServer(
  address: string,
  status: { players?: object; description?: unknown; favicon?: unknown },
) {
  const json = Buffer.from(JSON.stringify({ version: { name: '1.21.4' }, players: { online: 3, max: 20 }, ...status }))
  const body = Buffer.concat([Buffer.from([0]), varint(json.length), json])
  const packet = Buffer.concat([varint(body.length), body])
  return tcpServer(address, (socket) => {
    socket.once('data', () => socket.write(packet))
  })
}
