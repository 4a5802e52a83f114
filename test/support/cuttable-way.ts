// A way to the database that can be cut, so that it is away for one process alone.
import { connect, createServer, type Socket } from 'node:net'

/** A way to the database that can be cut: what is open breaks, and nobody gets through any more until it is mended. */
export async function openCuttableWay(to: string) {
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
  return { url: url.href, cut, mend: () => listen(port) }
}
