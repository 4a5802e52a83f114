// Resolves an owner's input to the one IPv4 address that may be queried, and refuses private addresses.
import dns from 'node:dns/promises'
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { mayBeQueried } from '../../src/features/servers/index.ts'

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

/** A name's address comes later. @throws TargetError */
export type ResolveTarget = (host: string) => string | Promise<string>

export interface TargetAddressOptions {
  /** Whether private and loopback addresses may be queried, as in development. */
  allowPrivate: boolean
  /** Returns all addresses of a name; default: the system's resolver. */
  lookup?: (host: string) => Promise<string[]>
  /** Milliseconds of a clock that is never set. */
  now?: () => number
}

const CACHED_NAMES = 50_000
const FRESH_MS = 5 * 60_000
/** How long a failed name is not resolved again. */
const FAILED_MS = 30_000
/** A name used within this time is resolved in the background: its last address was right a moment ago. */
const IN_USE_MS = 10 * 60_000
/** How long the last known address is used while the resolver fails: a DNS outage is not the game server's. */
const STAND_IN_MS = 60 * 60_000
const LOOKUP_TIMEOUT_MS = 5_000
const LOOKUPS_AT_ONCE = 50
/** The system's resolver blocks one of Node's four threads per look-up; two stay free for the rest of the process. */
const SYSTEM_LOOKUPS_AT_ONCE = 2

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
  const { allowPrivate, lookup = lookUp, now = () => performance.now() } = options
  const names = new LRUCache<string, CachedName>({ max: CACHED_NAMES })
  const asking = new Map<string, Promise<CachedName>>()
  const limit = pLimit(LOOKUPS_AT_ONCE)

  async function ask(host: string, before: CachedName | undefined): Promise<CachedName> {
    let name: CachedName
    try {
      const addresses = await limit(() => pTimeout(lookup(host), { milliseconds: LOOKUP_TIMEOUT_MS }))
      name = { addresses, askedAt: now(), knownAt: now() }
    } catch (failure) {
      const { addresses = [], knownAt = Number.NEGATIVE_INFINITY } = before ?? {}
      name = { addresses, askedAt: now(), knownAt, failure }
    }
    names.set(host, name)
    return name
  }

  function askOnce(host: string, before: CachedName | undefined): Promise<CachedName> {
    const answer = asking.get(host) ?? ask(host, before).finally(() => asking.delete(host))
    asking.set(host, answer)
    return answer
  }

  async function addressesOf(host: string): Promise<string[]> {
    let name = names.get(host)
    const idleMs = name ? now() - name.askedAt : Number.POSITIVE_INFINITY
    if (!name || idleMs >= (name.failure ? FAILED_MS : FRESH_MS)) {
      const answer = askOnce(host, name)
      if (name && idleMs < IN_USE_MS && now() - name.knownAt < STAND_IN_MS) name.askedAt = now()
      else name = await answer
    }
    if (name.failure && now() - name.knownAt >= STAND_IN_MS)
      throw new TargetError('unresolved', `${host} can’t be resolved`, { cause: name.failure })
    return name.addresses
  }

  function choose(host: string, addresses: string[]): string {
    const usable = addresses.map(toIPv4).filter((address) => address !== undefined)
    if (!usable.length) throw new TargetError('unresolved', `${host} has no IPv4 address`)
    const allowed = usable.find((address) => mayBeQueried(address, allowPrivate))
    if (!allowed) throw new TargetError('refused', `${host} is not a public address`)
    return String(allowed)
  }

  // Most servers are listed by their address.
  return (host) => (net.isIP(host) ? choose(host, [host]) : addressesOf(host).then((found) => choose(host, found)))
}

/** IPv4, also when written as an IPv6 address (`::ffff:10.0.0.1`). */
function toIPv4(address: string): ipaddr.IPv4 | undefined {
  if (net.isIPv4(address)) return new ipaddr.IPv4(address.split('.').map(Number))
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? (parsed as ipaddr.IPv4) : undefined
}

/** What the DNS may not know although the system does: names of /etc/hosts, or a system without DNS. */
const UNKNOWN_TO_DNS = ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED']
const systemLimit = pLimit(SYSTEM_LOOKUPS_AT_ONCE)

/** Without a thread where possible: a name server that is silent would hold one for ten seconds. */
async function lookUp(host: string): Promise<string[]> {
  // A new resolver reads the system's settings, which may have changed.
  const resolver = new dns.Resolver({ timeout: 1_500, tries: 2 })
  try {
    return await resolver.resolve4(host)
  } catch (error) {
    if (!UNKNOWN_TO_DNS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    const found = await systemLimit(() => dns.lookup(host, { family: 4, all: true }))
    return found.map(({ address }) => address)
  }
}
