// Resolves what an owner listed to the one address that may be queried, as the game's client does, and refuses private
// addresses.
import net from 'node:net'
import ipaddr from 'ipaddr.js'
import pLimit from 'p-limit'
import pTimeout from 'p-timeout'
import { mayBeQueried } from '../../src/features/servers/index.ts'
import type { Settings } from '../../src/platform/config/settings.ts'
import { canonicalAddress } from '../../src/platform/public-address.ts'
import { createDnsCache } from './dns-cache.ts'
import { createNameServers, type NameServers } from './name-servers.ts'

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

/** What an owner listed. */
export interface Destination {
  /** An address or a name. */
  host: string
  /** The service that the game's client looks for if a player types no port, as `_minecraft._tcp`. */
  srvService?: string | undefined
  /** No server answers where the name leads: it is looked up again in the background, for the next query. */
  mayHaveMoved?: boolean
}

export interface ResolvedTarget {
  /** IPv4, or IPv6 as RFC 5952 writes it: the form in which sockets report it. */
  address: string
  /** The port of the SRV record that was followed. */
  port?: number
}

/** A name's address comes later. @throws TargetError */
export type ResolveTarget = (destination: Destination) => ResolvedTarget | Promise<ResolvedTarget>

export interface TargetAddressOptions extends Partial<NameServers> {
  /** Whether private and loopback addresses may be queried, as in development. */
  allowPrivate: boolean
  /** Setting DNS_SERVERS. */
  nameServers?: readonly string[] | undefined
  now?: () => number
}

export type TargetSettings = Pick<Settings, 'ALLOW_PRIVATE_TARGETS' | 'DNS_SERVERS'>

export const resolverFor = ({ ALLOW_PRIVATE_TARGETS, DNS_SERVERS }: TargetSettings): ResolveTarget =>
  createTargetResolver({ allowPrivate: ALLOW_PRIVATE_TARGETS, nameServers: DNS_SERVERS })

const LOOKUP_TIMEOUT_MS = 5_000
const LOOKUPS_AT_ONCE = 50
/** Hosts of a service that are resolved, until one may be queried. */
const MAX_RESOLVED_HOSTS = 3

/**
 * Resolves through a bounded cache: a service's host (SRV), then A, then AAAA (docs/decisions/0050). Checks every
 * answer, so that a name can't be pointed to a private address later.
 */
export function createTargetResolver(options: TargetAddressOptions): ResolveTarget {
  const { allowPrivate, nameServers, now = () => performance.now() } = options
  const uncached = { ...createNameServers(nameServers), ...options }
  const limit = pLimit(LOOKUPS_AT_ONCE)
  const cached = <Answer>(lookUp: (name: string) => Promise<Answer>) =>
    createDnsCache({
      lookUp: (name) => limit(() => pTimeout(lookUp(name), { milliseconds: LOOKUP_TIMEOUT_MS })),
      now,
    })
  const addressesOf = cached(uncached.addressesOf)
  const hostsOf = cached(uncached.hostsOf)

  async function addressOf(host: string, mayHaveMoved?: boolean): Promise<string> {
    if (net.isIP(host)) return choose(host, [host])
    const addresses = await addressesOf(host, mayHaveMoved).catch((cause) => {
      throw new TargetError('unresolved', `${host} can’t be resolved`, { cause })
    })
    return choose(host, addresses)
  }

  /** The hosts of a service are never looked up as a service again, so there are no chains and no loops. */
  async function followService(host: string, service: string, mayHaveMoved?: boolean): Promise<ResolvedTarget> {
    // If the look-up fails, clients use the name itself.
    const hosts = await hostsOf(`${service}.${host}`, mayHaveMoved).catch(() => undefined)
    if (!hosts) return { address: await addressOf(host, mayHaveMoved) }
    let failure: unknown = new TargetError('unresolved', `${host} does not offer the service`)
    for (const { host: target, port } of hosts.slice(0, MAX_RESOLVED_HOSTS)) {
      try {
        return { address: await addressOf(target, mayHaveMoved), port }
      } catch (error) {
        failure = error
      }
    }
    throw failure
  }

  /** The first address that may be queried. */
  function choose(host: string, addresses: string[]): string {
    const usable = addresses.map(parse).filter((address) => address !== undefined)
    if (!usable.length) throw new TargetError('unresolved', `${host} has no address`)
    const allowed = usable.find((address) => mayBeQueried(address, allowPrivate))
    if (!allowed) throw new TargetError('refused', `${host} is not a public address`)
    return String(allowed)
  }

  return ({ host, srvService, mayHaveMoved }) => {
    // Most servers are listed by their address.
    if (net.isIP(host)) return { address: choose(host, [host]) }
    if (srvService) return followService(host, srvService, mayHaveMoved)
    return addressOf(host, mayHaveMoved).then((address) => ({ address }))
  }
}

/** IPv4 also when written as an IPv6 address (`::ffff:10.0.0.1`). @returns undefined for what no socket can be given */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (net.isIPv4(address)) return new ipaddr.IPv4(address.split('.').map(Number))
  const canonical = canonicalAddress(address)
  return canonical === undefined ? undefined : ipaddr.parse(canonical)
}
