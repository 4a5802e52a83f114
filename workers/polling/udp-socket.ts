// The UDP socket of one gamedig instance, whose buffer holds a burst of replies: one per address family, each opened
// when it is first needed.
import dgram from 'node:dgram'
import type { UdpSocket } from 'gamedig'

/**
 * Replies of fifty servers can arrive within one turn of the event loop; Linux' default of 208 kB held about 90 of them
 * (a datagram costs its buffer's size, not its own). The system caps this at net.core.rmem_max.
 */
const RECEIVE_BUFFER_BYTES = 2 * 1024 * 1024

/** Datagrams of one server within a second; the longest honest replies are lists in up to 16. */
const MAX_DATAGRAMS = 40

type Family = 4 | 6

export interface QuerySocket extends UdpSocket {
  close(): void
}

/** @param onFlood called once per address that sends more than was requested, which crowds out replies of others */
export function createQuerySocket(onFlood: (address: string) => void): QuerySocket {
  /**
   * Not a `Set`: when it grows, V8 makes a new table, and the old one points to it. Once a table is promoted to the old
   * space, all later ones are too, with what their callbacks hold: all of a finished query (docs/decisions/0047).
   */
  const callbacks: Parameters<UdpSocket['addCallback']>[0][] = []
  const received = new Map<string, number>()
  let countedSince = 0
  const opening: Partial<Record<Family, Promise<dgram.Socket>>> = {}
  let closed = false

  function open(family: Family): Promise<dgram.Socket> {
    const socket = dgram.createSocket({
      type: `udp${family}`,
      // One socket for both would report IPv4 senders as `::ffff:192.0.2.1`, which no query waits for.
      ipv6Only: family === 6,
      recvBufferSize: RECEIVE_BUFFER_BYTES,
      // Addresses only: names were resolved and checked before. Saves node's look-up, a turn of the event loop a
      // datagram.
      lookup: (address, _options, done) => done(null, address, family),
    })
    socket.unref()
    socket.on('message', (datagram, { address, port }) => {
      const sender = `${address}:${port}`
      const count = (received.get(sender) ?? 0) + 1
      received.set(sender, count)
      if (count === MAX_DATAGRAMS) onFlood(address)
      const now = performance.now()
      if (now - countedSince > 1_000) {
        received.clear()
        countedSince = now
      }
      for (const callback of callbacks) callback(address, port, datagram)
    })
    return new Promise((resolve, reject) => {
      socket.once('error', reject)
      socket.bind(0, () => {
        socket.off('error', reject)
        socket.on('error', () => {}) // a failed send reports to its own caller
        resolve(socket)
      })
    })
  }

  return {
    async send(buffer, address, port) {
      if (closed) throw new Error('socket is closed')
      // Addresses are canonical (target-address.ts); asking `net` would cost more.
      const family = address.includes(':') ? 6 : 4
      opening[family] ??= open(family).catch((error) => {
        delete opening[family] // temporarily out of ports or descriptors: the next query retries
        throw error
      })
      const socket = await opening[family]
      return new Promise((resolve, reject) => {
        socket.send(buffer, port, address, (error) => (error ? reject(error) : resolve(undefined)))
      })
    },
    addCallback: (callback) => {
      callbacks.push(callback)
    },
    removeCallback: (callback) => {
      const place = callbacks.indexOf(callback)
      if (place < 0) return
      const last = callbacks.pop()
      if (last && last !== callback) callbacks[place] = last
    },
    close() {
      closed = true
      for (const family of Object.values(opening))
        family.then(
          (socket) => socket.close(),
          () => {},
        )
    },
  }
}
