// Schedules queries: a limit on concurrent first attempts and one on concurrent retries, a limit per address, and
// gamedig instances that few queries share.
import { GameDig } from 'gamedig'
import { createBoundedCache } from '../../src/platform/bounded-cache.ts'
import { createQuerySocket, type QuerySocket } from './udp-socket.ts'

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

/** One silent server among this many that answer barely changes an address' mean duration. */
const MAX_IN_MEAN = 32

const MAX_FLOODERS = 10_000
const FLOODER_MS = 60 * 60_000

interface Instance {
  gamedig: GameDig
  socket: QuerySocket
  borrowed: number
  retired: boolean
}

/** A running query. */
interface Query {
  address: string
  startedAt: number
  /** An attempt failed, and another query has its slot. */
  isRetry: boolean
}

type Decide = (mayRun: boolean) => void

/** An address with queries. */
interface Address {
  /** Used slots: running, ready to run, or pausing. */
  taken: number
  waiting: Decide[]
  /** Mean duration of its last queries. */
  meanMs: number
  /** How many queries `meanMs` is of. */
  ended: number
}

export function createQueryPool(options: QueryPoolOptions): QueryPool {
  const { concurrency, perInstance = 50, perAddress = 2, spacingMs = 20, onIdle = () => {} } = options
  const { maxWaitMs = Number.POSITIVE_INFINITY } = options
  const maxRetrying = concurrency * RETRIES_PER_SLOT
  const instances = Array.from({ length: Math.ceil((concurrency + maxRetrying) / perInstance) }, createInstance)
  /** Separate instances for servers whose replies recently flooded a socket. */
  const quarantine = [createInstance()]
  const flooders = createBoundedCache<true>(MAX_FLOODERS, { ttl: FLOODER_MS })
  const addresses = new Map<string, Address>()
  let ready: Decide[] = []
  let head = 0 // ready[0..head) have run; cut off now and then, since shifting a long array costs its length
  let inFlight = 0
  let retrying = 0 // of those in flight
  let next = 0
  let pumpsSoon = false

  function createInstance(): Instance {
    const socket = createQuerySocket((address) => {
      flooders.set(address, true)
      retire(instance)
    })
    const gamedig = new GameDig()
    gamedig.queryRunner.udpSocket = socket
    const instance: Instance = { gamedig, socket, borrowed: 0, retired: false }
    return instance
  }

  /** Abandons a flooded socket: it closes after its last query, so that the flood meets a closed port. */
  function retire(instance: Instance): void {
    const group = quarantine.includes(instance) ? quarantine : instances
    const index = group.indexOf(instance)
    if (index < 0) return
    group[index] = createInstance()
    instance.retired = true
    if (instance.borrowed === 0) instance.socket.close()
  }

  function pick(address: string): Instance {
    const group = flooders.size && flooders.has(address) ? quarantine : instances
    for (let tried = 1; tried < group.length; tried++) {
      next = (next + 1) % group.length
      const instance = group[next]
      if (instance && instance.borrowed < perInstance) return instance
    }
    return group[0] as Instance
  }

  async function lend<T>(query: Query, use: (gamedig: GameDig) => Promise<T>): Promise<T> {
    const instance = pick(query.address)
    instance.borrowed++
    try {
      return await use(instance.gamedig)
    } catch (error) {
      markAsRetry(query)
      throw error
    } finally {
      instance.borrowed--
      if (instance.retired && instance.borrowed === 0) instance.socket.close()
    }
  }

  function markAsRetry(query: Query): void {
    if (query.isRetry || retrying === maxRetrying) return
    query.isRetry = true
    retrying++
    pumpSoon()
  }

  const hasFreeSlot = () => inFlight - retrying < concurrency

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

  /** Resolves to true when a slot of the address and one of the pool are taken; to false if that takes too long. */
  function takeSlots(key: string): Promise<boolean> {
    return new Promise((resolve) => {
      let address = addresses.get(key)
      if (!address) {
        address = { taken: 0, waiting: [], meanMs: 0, ended: 0 }
        addresses.set(key, address)
      }
      if (address.taken < perAddress) {
        address.taken++
        ready.push(resolve)
        if (hasFreeSlot()) pumpSoon()
      } else {
        address.waiting.push(resolve)
        refuseLate(address)
      }
    })
  }

  /** Refuses the last ones if they would wait too long at the address' present speed. */
  function refuseLate({ waiting, meanMs }: Address): void {
    const inTime = Math.floor((maxWaitMs / (meanMs + spacingMs)) * perAddress)
    if (waiting.length > inTime) for (const resolve of waiting.splice(inTime)) resolve(false)
  }

  function releaseSlots({ address: key, startedAt, isRetry }: Query): void {
    inFlight--
    if (isRetry) retrying--
    pumpSoon()
    const address = addresses.get(key)
    if (!address) return
    address.ended = Math.min(address.ended + 1, MAX_IN_MEAN)
    address.meanMs += (performance.now() - startedAt - address.meanMs) / address.ended
    refuseLate(address)
    if (address.waiting.length) setTimeout(startNext, spacingMs, key, address)
    else releaseAddressSlot(key, address)
  }

  function startNext(key: string, address: Address): void {
    const waiting = address.waiting.shift()
    if (waiting) {
      ready.push(waiting)
      pumpSoon()
    } else releaseAddressSlot(key, address)
  }

  function releaseAddressSlot(key: string, address: Address): void {
    if (--address.taken === 0) addresses.delete(key)
  }

  return {
    async run(address, ask) {
      if (!(await takeSlots(address))) return undefined
      const query: Query = { address, startedAt: performance.now(), isRetry: false }
      try {
        return await ask((use) => lend(query, use))
      } finally {
        releaseSlots(query)
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
    close() {
      for (const { socket } of [...instances, ...quarantine]) socket.close()
    },
  }
}
