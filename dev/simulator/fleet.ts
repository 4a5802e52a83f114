// Many simulated servers in one process, each on its own loopback address, like game servers on the internet.
import { type SimulatedServer, type SimulatedServerOptions, startSimulatedServer } from './server.ts'

export interface FleetOptions {
  count: number
  /** Index of the first server's address, so that several fleets on one machine do not collide. */
  first?: number
  /** Description of server number `index` (0-based). */
  each?: (index: number) => SimulatedServerOptions
  /** All servers on one address with different ports, for systems whose only loopback address is 127.0.0.1. */
  oneAddress?: boolean
}

export interface Fleet {
  servers: SimulatedServer[]
  close(): Promise<void>
}

const BATCH = 500

/**
 * Address number n of 127.0.0.0/8, from 127.1.0.1; never one that looks like a network or broadcast address (.0, .255).
 */
export function loopbackAddress(n: number): string {
  const last = (n % 254) + 1
  const third = Math.floor(n / 254) % 256
  const second = 1 + (Math.floor(n / (254 * 256)) % 254)
  return `127.${second}.${third}.${last}`
}

/** Starts all servers and resolves when each of them answers. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { count, first = 0, each = () => ({}), oneAddress = process.platform !== 'linux' } = options
  const servers: SimulatedServer[] = []
  for (let start = 0; start < count; start += BATCH) {
    const indexes = Array.from({ length: Math.min(BATCH, count - start) }, (_, offset) => start + offset)
    const address = (index: number) => (oneAddress ? '127.0.0.1' : loopbackAddress(first + index))
    servers.push(...(await Promise.all(indexes.map((i) => startSimulatedServer({ address: address(i), ...each(i) })))))
  }
  return {
    servers,
    close: async () => {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

/** A small seeded random number generator (mulberry32): the same seed gives the same run. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
