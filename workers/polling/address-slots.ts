// Politeness: limits how many servers at one address are queried at once, whatever their number, and refuses queries
// that would wait too long for it.

/** Called with false if the query is refused. */
export type Decide = (mayRun: boolean) => void

export interface AddressSlotsOptions {
  perAddress: number
  /** Pause between two queries in one slot. */
  spacingMs: number
  maxWaitMs: number
  /** Called with a query once it has a slot of its address. */
  onReady(decide: Decide): void
}

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

/** One silent server among this many that answer barely changes an address' mean duration. */
const MAX_IN_MEAN = 32

export function createAddressSlots({ perAddress, spacingMs, maxWaitMs, onReady }: AddressSlotsOptions) {
  const addresses = new Map<string, Address>()

  /** Refuses the last ones if they would wait too long at the address' present speed. */
  function refuseLate({ waiting, meanMs }: Address): void {
    const inTime = Math.floor((maxWaitMs / (meanMs + spacingMs)) * perAddress)
    if (waiting.length > inTime) for (const decide of waiting.splice(inTime)) decide(false)
  }

  function passOn(key: string, address: Address): void {
    const next = address.waiting.shift()
    if (next) onReady(next)
    else free(key, address)
  }

  function free(key: string, address: Address): void {
    if (--address.taken === 0) addresses.delete(key)
  }

  return {
    /** Takes a slot of the address for a query. First come, first served. */
    take(key: string, decide: Decide): void {
      let address = addresses.get(key)
      if (!address) {
        address = { taken: 0, waiting: [], meanMs: 0, ended: 0 }
        addresses.set(key, address)
      }
      if (address.taken < perAddress) {
        address.taken++
        onReady(decide)
      } else {
        address.waiting.push(decide)
        refuseLate(address)
      }
    },
    /** Releases the slot of a query that took `ms`. */
    release(key: string, ms: number): void {
      const address = addresses.get(key)
      if (!address) return
      address.ended = Math.min(address.ended + 1, MAX_IN_MEAN)
      address.meanMs += (ms - address.meanMs) / address.ended
      refuseLate(address)
      if (address.waiting.length) setTimeout(passOn, spacingMs, key, address)
      else free(key, address)
    },
  }
}
