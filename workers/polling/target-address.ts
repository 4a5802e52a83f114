// Resolves an owner's input to the one IPv4 address that may be queried, and refuses private addresses.
import dns from 'node:dns/promises'
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { mayBeAsked } from '../../src/features/servers/index.ts'

/** Why a server is not queried at all. */
export class TargetError extends Error {
  override name = 'TargetError'
  /** `refused`: the address is not public. `unresolved`: its name can't be resolved now. */
  readonly reason: 'refused' | 'unresolved'

  constructor(reason: 'refused' | 'unresolved', message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** @throws TargetError */
export type ResolveTarget = (host: string) => Promise<string>

export interface TargetAddressOptions {
  /** Whether private and loopback addresses may be queried, as in development. */
  allowPrivate: boolean
  /** Returns all addresses of a name; default: the system's resolver. */
  lookup?: (host: string) => Promise<string[]>
  now?: () => number
}

const CACHED_NAMES = 50_000
const FRESH_MS = 5 * 60_000
/** How long a failed name is not resolved again. */
const FAILED_MS = 30_000
/** How long the last known address is used while the resolver fails: a DNS outage is not the game server's. */
const STAND_IN_MS = 60 * 60_000
const LOOKUP_TIMEOUT_MS = 5_000
/** The system's resolver blocks one of Node's four threads per look-up; two stay free for the rest of the process. */
const LOOKUPS_AT_ONCE = 2

interface CachedName {
  addresses: string[]
  /** When it was last requested, and when it last succeeded. */
  askedAt: number
  knownAt: number
  failure?: unknown
}

/**
 * Resolves through a bounded cache. Checks every answer, so that a name can't be pointed to a private address later.
 */
export function createTargetResolver(options: TargetAddressOptions): ResolveTarget {
  const { allowPrivate, lookup = systemLookup, now = Date.now } = options
  const names = new LRUCache<string, CachedName>({ max: CACHED_NAMES })
  const asking = new Map<string, Promise<CachedName>>()
  const limit = pLimit(LOOKUPS_AT_ONCE)

  async function ask(host: string, before: CachedName | undefined): Promise<CachedName> {
    let name: CachedName
    try {
      const addresses = await limit(() => pTimeout(lookup(host), { milliseconds: LOOKUP_TIMEOUT_MS }))
      name = { addresses, askedAt: now(), knownAt: now() }
    } catch (failure) {
      name = { addresses: before?.addresses ?? [], askedAt: now(), knownAt: before?.knownAt ?? 0, failure }
    }
    names.set(host, name)
    return name
  }

  async function addressesOf(host: string): Promise<string[]> {
    let name = names.get(host)
    if (!name || now() - name.askedAt >= (name.failure ? FAILED_MS : FRESH_MS)) {
      let answer = asking.get(host)
      if (!answer) {
        answer = ask(host, name).finally(() => asking.delete(host))
        asking.set(host, answer)
      }
      name = await answer
    }
    if (name.failure && now() - name.knownAt >= STAND_IN_MS)
      throw new TargetError('unresolved', `${host} can’t be resolved`, { cause: name.failure })
    return name.addresses
  }

  return async (host) => {
    const addresses = net.isIP(host) ? [host] : await addressesOf(host)
    const usable = addresses.map(toIPv4).filter((address) => address !== undefined)
    if (!usable.length) throw new TargetError('unresolved', `${host} has no IPv4 address`)
    const allowed = usable.find((address) => mayBeAsked(address, allowPrivate))
    if (!allowed) throw new TargetError('refused', `${host} is not a public address`)
    return String(allowed)
  }
}

/** IPv4, also when written as an IPv6 address (`::ffff:10.0.0.1`). */
function toIPv4(address: string): ipaddr.IPv4 | undefined {
  if (net.isIPv4(address)) return ipaddr.IPv4.parse(address)
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? (parsed as ipaddr.IPv4) : undefined
}

async function systemLookup(host: string): Promise<string[]> {
  const found = await dns.lookup(host, { family: 4, all: true })
  return found.map(({ address }) => address)
}
