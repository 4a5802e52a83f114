// A simulated Minecraft server: answers the status request over TCP, with its message of the day and its icon.
import net from 'node:net'
import { NO_FAULTS, type SimulatedServer } from './server.ts'

interface MinecraftOptions {
  address: string
  port: number
  info: Pick<SimulatedServer['info'], 'players' | 'maxPlayers' | 'version'>
  /** With formatting codes. */
  motd: string
  /** PNG of 64 × 64 pixels. */
  icon: Buffer
}

export interface SimulatedMinecraftServer {
  /** May be changed at any time; the next reply shows it. */
  info: MinecraftOptions['info']
  faults: Pick<SimulatedServer['faults'], 'silent'>
}

/** The protocol's numbers: seven bits a byte, the lowest first. */
function varint(value: number): Buffer {
  const bytes: number[] = []
  for (; value > 127; value >>>= 7) bytes.push((value & 127) | 128)
  return Buffer.from([...bytes, value])
}

/** https://minecraft.wiki/w/Java_Edition_protocol/Server_List_Ping: a status response is packet 0, a JSON text. */
function statusPacket({ info, motd, icon }: Pick<MinecraftOptions, 'info' | 'motd' | 'icon'>): Buffer {
  const json = Buffer.from(
    JSON.stringify({
      version: { name: info.version, protocol: 769 },
      players: { online: info.players, max: info.maxPlayers },
      description: motd,
      favicon: `data:image/png;base64,${icon.toString('base64')}`,
    }),
  )
  const body = Buffer.concat([Buffer.from([0]), varint(json.length), json])
  return Buffer.concat([varint(body.length), body])
}

/** Does not keep the process alive. */
export async function startMinecraftServer(options: MinecraftOptions): Promise<SimulatedMinecraftServer> {
  const server: SimulatedMinecraftServer = { info: options.info, faults: { silent: NO_FAULTS.silent } }
  const listener = net.createServer((socket) => {
    socket.on('error', () => socket.destroy()) // of a client that is gone
    socket.once('data', () => {
      if (server.faults.silent) socket.destroy()
      else socket.end(statusPacket({ ...options, info: server.info }))
    })
  })
  await new Promise<void>((resolve, reject) => {
    listener.once('error', reject)
    listener.listen(options.port, options.address, resolve)
  })
  listener.unref()
  return server
}
