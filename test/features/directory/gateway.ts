// A TCP proxy to the database on loopback that a test can cut, freeze and restore.
import { createServer, type Server, Socket } from 'node:net'

export interface Gateway {
  /** The database's URL through the proxy. */
  url: string
  /** Breaks all connections and refuses new ones. */
  cut(): Promise<void>
  /** Breaks the connection that next sends this text. */
  cutAfter(text: string): void
  restore(): Promise<void>
  /** Accepts connections and data, and answers nothing. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export async function createGateway(databaseUrl: string): Promise<Gateway> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isFrozen = false
  let fatalText: string | undefined
  let port = 0
  let server: Server | undefined

  function relay(client: Socket): void {
    const database = new Socket().connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (data) => {
        if (fatalText && data.includes(fatalText)) {
          fatalText = undefined
          client.destroy()
          database.destroy()
        }
        if (!to.write(data)) from.pause()
      })
      from.on('drain', () => to.resume())
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
    if (isFrozen) for (const socket of [client, database]) socket.pause()
  }

  async function listen(): Promise<void> {
    const listening = createServer(relay)
    server = listening
    await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve))
    const address = listening.address()
    if (typeof address === 'object' && address) port = address.port
  }

  async function cut(): Promise<void> {
    const closing = server
    server = undefined
    const closed = new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  await listen()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    cut,
    cutAfter(text) {
      fatalText = text
    },
    async restore() {
      if (!server) await listen()
    },
    freeze() {
      isFrozen = true
      for (const socket of sockets) socket.pause()
    },
    thaw() {
      isFrozen = false
      for (const socket of sockets) socket.resume()
    },
    close: cut,
  }
}
