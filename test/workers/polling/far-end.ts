// Remote ends for the poller's tests: UDP, TCP and HTTP servers with configurable answers, closed after the test.
import dgram from 'node:dgram'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Outcome } from '../../../workers/polling/outcome.ts'
import { createAskServer } from '../../../workers/polling/query.ts'
import { createQueryPool } from '../../../workers/polling/query-pool.ts'
import { createTargetResolver } from '../../../workers/polling/target-address.ts'

export type Ask = (game: string, place: { address: string; port: number }) => Promise<Outcome>

export function openAsk(options: { tries?: number[]; concurrency?: number } = {}): Ask {
  const { tries = [1_000], concurrency = 100 } = options
  const pool = createQueryPool({ concurrency })
  onTestFinished(() => pool.close())
  const resolve = createTargetResolver({ allowPrivate: true })
  const ask = createAskServer({ pool, resolve, tries: { online: tries, offline: tries } })
  return (game, { address, port }) => ask({ game, ipAddress: address, queryPort: port, isOnline: true })
}

export async function udpServer(
  address: string,
  onMessage: (request: Buffer, reply: (datagram: Buffer) => void) => void,
) {
  const socket = dgram.createSocket(net.isIPv6(address) ? 'udp6' : 'udp4')
  socket.on('message', (request, peer) =>
    onMessage(request, (datagram) => socket.send(datagram, peer.port, peer.address, () => {})),
  )
  await new Promise<void>((resolve) => socket.bind(0, address, resolve))
  onTestFinished(() => {
    socket.close()
  })
  return { address, port: socket.address().port }
}

export async function tcpServer(address: string, onSocket: (socket: net.Socket) => void, port = 0) {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    onSocket(socket)
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { address, port: (server.address() as AddressInfo).port }
}

export async function httpServer(address: string, onRequest: http.RequestListener) {
  const server = http.createServer(onRequest)
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { address, port: (server.address() as AddressInfo).port }
}

/** Writes until the other side closes. @returns bytes the kernel took */
export function writeEndlessly(socket: net.Socket, chunk: Buffer): { bytes: number } {
  const written = { bytes: 0 }
  const go = () => {
    while (!socket.destroyed && socket.writable) {
      written.bytes += chunk.length
      if (!socket.write(chunk)) break
    }
  }
  socket.on('drain', go)
  go()
  return written
}
