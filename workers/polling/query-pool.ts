// Schedules queries: a limit on concurrent first attempts and one on concurrent retries. Limits per address are those
// of address-slots.ts.
import type { GameDig } from 'gamedig'
import { createAddressSlots, type Decide } from './address-slots.ts'
import { createGamedigInstances } from './gamedig-instances.ts'

/** Lends an instance for one attempt; the next attempt gets another, so that a broken socket costs one attempt. */
export type Lend = <T>(use: (gamedig: GameDig) => Promise<T>) => Promise<T>

export interface QueryPool {
  /**
   * Runs `ask` when a slot is free. First come, first served, except that servers at one address wait for each other.
   * @returns undefined, without running it, if the queries before it at its address take longer than `maxWaitMs`
   */
  run<T>(address: string, ask: (lend: Lend) => Promise<T>): Promise<T | undefined>
  /** Running queries, retries included. */
  readonly inFlight: number
  /** Running queries that count against `concurrency`. */
  readonly slotsTaken: number
  /** Queries that only wait for a free slot. */
  readonly ready: number
  close(): void
}

export interface QueryPoolOptions {
  /** Maximum number of concurrent queries, without those that only wait for a server which did not answer at once. */
  concurrency: number
  /** Every datagram calls every callback of an instance, so few queries share one: above 200 replies get lost. */
  perInstance?: number
  /** Politeness: concurrent queries per address, whatever the number of servers behind it. */
  perAddress?: number
  /** Pause between two queries in one of an address' slots, in milliseconds. */
  spacingMs?: number
  /** How long a query may wait for others at its address, in milliseconds. By default without limit. */
  maxWaitMs?: number
  /** Called when slots are free and no query is ready. */
  onIdle?: () => void
}

/**
 * Servers that answer at once are done before the next ones start. If all slots were filled in one event loop
 * iteration, all would be in use at once, which costs a query a third more CPU time (docs/decisions/0047).
 */
const STARTS_PER_ITERATION = 16

/**
 * Maximum number of retries for each slot. Most servers that fail once are down, and their retries only wait, so a
 * query releases its slot after a failed attempt: 50,000 silent servers would delay those that answer by a quarter of
 * an hour.
 */
const RETRIES_PER_SLOT = 4

/** A running query. */
interface Query {
  address: string
  startedAt: number
  /** An attempt failed, and another query has its slot. */
  isRetry: boolean
}

export function createQueryPool(options: QueryPoolOptions): QueryPool {
  const { concurrency, perInstance = 50, perAddress = 2, spacingMs = 20, onIdle = () => {} } = options
  const { maxWaitMs = Number.POSITIVE_INFINITY } = options
  const maxRetrying = concurrency * RETRIES_PER_SLOT
  const instances = createGamedigInstances(Math.ceil((concurrency + maxRetrying) / perInstance), perInstance)
  const addressSlots = createAddressSlots({ perAddress, spacingMs, maxWaitMs, onReady: enqueue })
  let ready: Decide[] = []
  let head = 0 // ready[0..head) have run; cut off now and then, since shifting a long array costs its length
  let inFlight = 0
  let retrying = 0 // of those in flight
  let pumpsSoon = false

  const hasFreeSlot = () => inFlight - retrying < concurrency

  function enqueue(decide: Decide): void {
    ready.push(decide)
    if (hasFreeSlot()) pumpSoon()
  }

  /** Starts queries in the next event loop iteration. */
  function pumpSoon(): void {
    if (!pumpsSoon) setImmediate(pump)
    pumpsSoon = true
  }

  function pump(): void {
    pumpsSoon = false
    for (let starts = STARTS_PER_ITERATION; starts > 0 && hasFreeSlot() && head < ready.length; starts--) {
      const start = ready[head++]
      inFlight++
      start?.(true)
    }
    if (head === ready.length || head > 10_000) {
      ready = ready.slice(head)
      head = 0
    }
    if (!hasFreeSlot()) return
    if (head < ready.length) pumpSoon()
    else onIdle()
  }

  /**
   * Lends an instance for an attempt. If it fails, the query gives its slot to another one and continues as a retry.
   */
  async function attempt<T>(query: Query, use: (gamedig: GameDig) => Promise<T>): Promise<T> {
    try {
      return await instances.lend(query.address, use)
    } catch (error) {
      markAsRetry(query)
      throw error
    }
  }

  function markAsRetry(query: Query): void {
    if (query.isRetry || retrying === maxRetrying) return
    query.isRetry = true
    retrying++
    pumpSoon()
  }

  function end({ address, startedAt, isRetry }: Query): void {
    inFlight--
    if (isRetry) retrying--
    pumpSoon()
    addressSlots.release(address, performance.now() - startedAt)
  }

  return {
    async run(address, ask) {
      const mayRun = await new Promise<boolean>((resolve) => addressSlots.take(address, resolve))
      if (!mayRun) return undefined
      const query: Query = { address, startedAt: performance.now(), isRetry: false }
      try {
        return await ask((use) => attempt(query, use))
      } finally {
        end(query)
      }
    },
    get inFlight() {
      return inFlight
    },
    get slotsTaken() {
      return inFlight - retrying
    },
    get ready() {
      return ready.length - head
    },
    close: instances.close,
  }
}
