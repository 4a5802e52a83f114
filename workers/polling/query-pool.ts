// Schedules queries: a limit on concurrent first attempts and one on concurrent retries, a limit per address, and gamedig
// instances that few queries share.
import { GameDig } from 'gamedig'
import { createLargeCache } from '../../src/platform/large-cache.ts'
import { createQuerySocket, type QuerySocket } from './udp-socket.ts'

/** Lends an instance for one attempt; the next attempt gets another, so that a broken socket costs one attempt. */
export type Lend = <T>(use: (gamedig: GameDig) => Promise<T>) => Promise<T>

export interface QueryPool {
  /**
   * Runs `ask` when a place is free. First come, first served, except that servers at one address wait for each other.
   */
  run<T>(address: string, ask: (lend: Lend) => Promise<T>): Promise<T>
  /** Running queries, retries included. */
  readonly inFlight: number
  /** Running queries that count against `concurrency`. */
  readonly placesTaken: number
  /** Queries that only wait for a free place. */
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
  /** Pause between two queries in one of an address' places, in milliseconds. */
  spacingMs?: number
  /** Called when places are free and no query is ready. */
  onIdle?: () => void
}

/**
 * Servers that answer at once are done before the next ones start. If all places were filled in one event loop iteration, all
 * would be in use at once, which costs a query a third more CPU time (docs/decisions/0047).
 */
const STARTS_PER_ITERATION = 16

/**
 * Most servers that fail once are down, and their retries only wait. So a query gives up its place after a failed attempt, as
 * long as there are fewer than this many retries for each place: 50,000 silent servers would delay those that answer by a quarter of an hour.
 */
const RETRIES_PER_PLACE = 4

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
  /** An attempt failed, and another query has its place. */
  isRetry: boolean
}

interface Address {
  /** Used places: running, ready to run, or pausing. */
  taken: number
  waiting: (() => void)[]
}

export function createQueryPool(options: QueryPoolOptions): QueryPool {
  const { concurrency, perInstance = 50, perAddress = 2, spacingMs = 20, onIdle = () => {} } = options
  const maxRetrying = concurrency * RETRIES_PER_PLACE
  const instances = Array.from({ length: Math.ceil((concurrency + maxRetrying) / perInstance) }, createInstance)
  /** For servers whose replies recently flooded a socket: they get a separate one. */
  const quarantine = [createInstance()]
  const flooders = createLargeCache<true>(MAX_FLOODERS, { ttl: FLOODER_MS })
  const addresses = new Map<string, Address>()
  let ready: (() => void)[] = []
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
      giveUpPlace(query)
      throw error
    } finally {
      instance.borrowed--
      if (instance.retired && instance.borrowed === 0) instance.socket.close()
    }
  }

  function giveUpPlace(query: Query): void {
    if (query.isRetry || retrying === maxRetrying) return
    query.isRetry = true
    retrying++
    pumpSoon()
  }

  const hasFreePlace = () => inFlight - retrying < concurrency

  /** Starts queries in the next event loop iteration. */
  function pumpSoon(): void {
    if (!pumpsSoon) setImmediate(pump)
    pumpsSoon = true
  }

  function pump(): void {
    pumpsSoon = false
    for (let starts = STARTS_PER_ITERATION; starts > 0 && hasFreePlace() && head < ready.length; starts--) {
      const start = ready[head++]
      inFlight++
      start?.()
    }
    if (head === ready.length || head > 10_000) {
      ready = ready.slice(head)
      head = 0
    }
    if (!hasFreePlace()) return
    if (head < ready.length) pumpSoon()
    else onIdle()
  }

  /** Resolves when the address has a free place and a place in the pool is taken. */
  function placeFor(key: string): Promise<void> {
    return new Promise((resolve) => {
      let address = addresses.get(key)
      if (!address) {
        address = { taken: 0, waiting: [] }
        addresses.set(key, address)
      }
      if (address.taken < perAddress) {
        address.taken++
        ready.push(resolve)
        if (hasFreePlace()) pumpSoon()
      } else address.waiting.push(resolve)
    })
  }

  function done({ address: key, isRetry }: Query): void {
    inFlight--
    if (isRetry) retrying--
    const address = addresses.get(key)
    if (address?.waiting.length) setTimeout(passOn, spacingMs, key, address)
    else leave(key, address)
    pumpSoon()
  }

  function passOn(key: string, address: Address): void {
    const waiting = address.waiting.shift()
    if (waiting) {
      ready.push(waiting)
      pumpSoon()
    } else leave(key, address)
  }

  function leave(key: string, address: Address | undefined): void {
    if (address && --address.taken === 0) addresses.delete(key)
  }

  return {
    async run(address, ask) {
      await placeFor(address)
      const query: Query = { address, isRetry: false }
      try {
        return await ask((use) => lend(query, use))
      } finally {
        done(query)
      }
    },
    get inFlight() {
      return inFlight
    },
    get placesTaken() {
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
