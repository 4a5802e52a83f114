// Bounds open connections per client address: one beyond the bound is closed before anything is read from it.
import type { Server } from 'node:http'
import { countedAddress } from './client-key.ts'
import { refusedConnections } from './http.metrics.ts'

/**
 * @param most concurrent connections; 0: no bound, as behind a proxy, where all connections have the proxy's address
 */
export function boundConnections(server: Server, most: number): void {
  if (most === 0) return
  const open = new Map<string, number>()
  server.on('connection', (socket) => {
    const address = countedAddress(socket.remoteAddress ?? 'local')
    const others = open.get(address) ?? 0
    if (others >= most) {
      refusedConnections.inc()
      socket.resetAndDestroy()
      return
    }
    open.set(address, others + 1)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
}
