// Prometheus metrics of clients that read slowly or send too much.
import { Counter, Gauge } from 'prom-client'
import { registry } from '../observability/metrics.ts'

export type CutOffReason = 'stalled' | 'client_bytes' | 'process_bytes'

export const cutOffs = new Counter({
  name: 'directory_http_cut_off_total',
  help: 'Connections cut off, by reason: a reply made no progress, or too many bytes were buffered for one client or for all',
  labelNames: ['reason'] as const,
  registers: [registry],
})

export const refusedConnections = new Counter({
  name: 'directory_http_connections_refused_total',
  help: 'Connections closed on accept because their address had too many open',
  registers: [registry],
})

let heldBytes: (() => number) | undefined

/** Makes the gauge report this figure. A process has one API. */
export function observeHeldBytes(read: () => number): void {
  if (!heldBytes)
    new Gauge({
      name: 'directory_http_held_bytes',
      help: 'Bytes of replies that clients have not read yet, and of bodies that they are sending',
      registers: [registry],
      collect() {
        this.set(heldBytes?.() ?? 0)
      },
    })
  heldBytes = read
}
