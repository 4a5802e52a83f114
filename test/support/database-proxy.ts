// A TCP proxy to the database that a test can cut, so that one process alone loses its database.
import { connect, createServer, type Socket } from 'node:net'

/** Opens the proxy. `cut` resets open connections and refuses new ones until `restore`. */
export async function openDatabaseProxy(to: string) {
  const target = new URL(to)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [from, into] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('error', () => into.destroy()).on('close', () => into.destroy())
      from.pipe(into)
    }
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as { port: number }
  const cut = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  const url = new URL(to)
  url.port = String(port)
  return { url: url.href, cut, restore: () => listen(port) }
}
