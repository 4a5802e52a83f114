// A proxy between a process and its PostgreSQL that forwards everything until it is set to cut or to be silent.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Gate {
  /** The database's URL through the proxy. */
  url: string
  /** Number of packets from the process so far. */
  packets(): number
  /** From packet number `packet` on, for `forMs`: connections break and new ones are refused, or no bytes pass. */
  harm(kind: 'cut' | 'silent', at: { packet: number; forMs: number }): void
}

export async function openGate(databaseUrl: string): Promise<Gate> {
  const far = new URL(databaseUrl)
  const pairs = new Set<[near: Socket, away: Socket]>()
  let packets = 0
  let planned: { kind: 'cut' | 'silent'; packet: number; forMs: number } | undefined
  let current: 'open' | 'cut' | 'silent' = 'open'

  function strike({ kind, forMs }: { kind: 'cut' | 'silent'; forMs: number }): void {
    planned = undefined
    current = kind
    for (const pair of pairs) for (const socket of pair) kind === 'cut' ? socket.destroy() : socket.pause()
    setTimeout(() => {
      current = 'open'
      for (const pair of pairs) for (const socket of pair) socket.resume()
    }, forMs)
  }

  const server = createServer((near) => {
    if (current === 'cut') return void near.destroy()
    const away = connect(Number(far.port), far.hostname)
    const pair: [Socket, Socket] = [near, away]
    pairs.add(pair)
    near.on('data', (chunk) => {
      away.write(chunk)
      packets++
      if (planned && packets >= planned.packet) strike(planned)
    })
    away.on('data', (chunk) => near.write(chunk))
    if (current === 'silent') for (const socket of pair) socket.pause()
    for (const [one, other] of [pair, pair.toReversed()] as [Socket, Socket][])
      one
        .on('error', () => undefined)
        .once('close', () => {
          other.destroy()
          pairs.delete(pair)
        })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  })
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    packets: () => packets,
    harm(kind, { packet, forMs }) {
      planned = { kind, packet, forMs }
    },
  }
}
