// Delivers the sandbox' events like the provider: signed, repeated until acknowledged, in no guaranteed order.
import { createHmac } from 'node:crypto'
import type { Store, StoredEvent } from './state.ts'

const FIRST_WAIT_MS = 500
const MAX_WAIT_MS = 30_000
const ATTEMPT_TIMEOUT_MS = 10_000

export interface Delivery {
  /** Starts to deliver an event. */
  deliver(event: StoredEvent): void
  stop(): void
}

/** The `Stripe-Signature` header of a body: the time, and a keyed hash of the time and the body. */
export function sign(body: string, secret: string, atSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${signature}`
}

/** Delivers what earlier runs could not deliver, too. @param options.url where events are sent */
export function createDelivery(options: { store: Store; url: string; secret: string }): Delivery {
  const { store, url, secret } = options
  const timers = new Set<NodeJS.Timeout>()
  const stopping = new AbortController()

  async function attempt(stored: StoredEvent): Promise<boolean> {
    const body = JSON.stringify(stored.event)
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': sign(body, secret, Math.floor(Date.now() / 1000)),
      },
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(ATTEMPT_TIMEOUT_MS)]),
    })
    await response.body?.cancel()
    return response.ok
  }

  async function deliver(stored: StoredEvent, waitMs = FIRST_WAIT_MS): Promise<void> {
    if (stopping.signal.aborted) return
    stored.attempts++
    stored.acknowledged = await attempt(stored).catch(() => false) // no receiver is listening
    if (stopping.signal.aborted) return
    store.save()
    if (stored.acknowledged) return
    const timer = setTimeout(() => {
      timers.delete(timer)
      void deliver(stored, Math.min(waitMs * 2, MAX_WAIT_MS))
    }, waitMs)
    timers.add(timer)
  }

  for (const stored of store.state.events) if (!stored.acknowledged) void deliver(stored)
  return {
    deliver: (event) => void deliver(event),
    stop() {
      stopping.abort()
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
