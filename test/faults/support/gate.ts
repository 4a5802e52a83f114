// TCP proxies that cut connections or let nothing pass: between a process and its PostgreSQL, or between machines.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Link {
  port: number
  /**
   * `cut`: connections break and new ones are refused. `silent`: no bytes pass, as between machines
   * that lost each other.
   */
  become(state: 'open' | 'cut' | 'silent'): void
}

/** @param options.onPacket called for each packet towards the target */
export async function openLink(
  { port, hostname }: { port: number; hostname: string },
  { atEnd = onTestFinished, onPacket }: { atEnd?: (close: () => void) => void; onPacket?: () => void } = {},
): Promise<Link> {
  const pairs = new Set<[near: Socket, away: Socket]>()
  let current: Parameters<Link['become']>[0] = 'open'

  const server = createServer((near) => {
    if (current === 'cut') return void near.destroy()
    const away = connect(port, hostname)
    const pair: [Socket, Socket] = [near, away]
    pairs.add(pair)
    near.on('data', (chunk) => {
      away.write(chunk)
      onPacket?.()
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
  atEnd(() => {
    server.close()
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  })
  return {
    port: (server.address() as AddressInfo).port,
    become(state) {
      current = state
      for (const pair of pairs)
        for (const socket of pair)
          if (state === 'cut') socket.destroy()
          else if (state === 'silent') socket.pause()
          else socket.resume()
    },
  }
}

export interface Gate {
  /** The database's URL through the link. */
  url: string
  /** Number of packets from the process so far. */
  packets(): number
  /** From packet number `packet` on, for `forMs`: connections break and new ones are refused, or no bytes pass. */
  harm(kind: 'cut' | 'silent', at: { packet: number; forMs: number }): void
}

/** A proxy between a process and its PostgreSQL that forwards everything until it is set to cut or to be silent. */
export async function openGate(databaseUrl: string): Promise<Gate> {
  const url = new URL(databaseUrl)
  let packets = 0
  let planned: { kind: 'cut' | 'silent'; packet: number; forMs: number } | undefined
  const link = await openLink(
    { port: Number(url.port), hostname: url.hostname },
    {
      onPacket() {
        packets++
        if (!planned || packets < planned.packet) return
        link.become(planned.kind)
        setTimeout(() => link.become('open'), planned.forMs)
        planned = undefined
      },
    },
  )
  url.port = String(link.port)
  return {
    url: url.href,
    packets: () => packets,
    harm(kind, { packet, forMs }) {
      planned = { kind, packet, forMs }
    },
  }
}
