// gamedig instances, which few queries share. Servers that recently flooded a socket get separate ones.
import { GameDig } from 'gamedig'
import { createBoundedCache } from '../../src/platform/bounded-cache.ts'
import { createQuerySocket, type QuerySocket } from './udp-socket.ts'

const MAX_FLOODERS = 10_000
const FLOODER_MS = 60 * 60_000

interface Instance {
  gamedig: GameDig
  socket: QuerySocket
  /** Attempts that use it. */
  borrowed: number
  retired: boolean
}

/** @param perInstance attempts that may share an instance; more do only while no other instance has space */
export function createGamedigInstances(count: number, perInstance: number) {
  const instances = Array.from({ length: count }, createInstance)
  const quarantine = [createInstance()]
  const flooders = createBoundedCache<true>(MAX_FLOODERS, { ttl: FLOODER_MS })
  let next = 0

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

  return {
    /** Runs one attempt at an address with an instance. */
    async lend<T>(address: string, use: (gamedig: GameDig) => Promise<T>): Promise<T> {
      const instance = pick(address)
      instance.borrowed++
      try {
        return await use(instance.gamedig)
      } finally {
        instance.borrowed--
        if (instance.retired && instance.borrowed === 0) instance.socket.close()
      }
    },
    close(): void {
      for (const { socket } of [...instances, ...quarantine]) socket.close()
    },
  }
}
