// Asks name servers for the addresses of a name and for the hosts of a service.
import type { SrvRecord } from 'node:dns'
import dns from 'node:dns/promises'
import pLimit from 'p-limit'
import { isLocalhost } from '../../src/platform/public-address.ts'

/** A host and port that offer a service. */
export interface ServiceHost {
  host: string
  port: number
}

export interface NameServers {
  /**
   * IPv4 addresses, or IPv6 addresses if the name has no other: most servers listen on IPv4, and a worker without IPv6
   * reaches them too. Rejects if the name has no address, or if that can't be known now.
   */
  addressesOf(host: string): Promise<string[]>
  /**
   * The hosts in the order in which clients try them (RFC 2782); empty if the domain says that it does not offer the
   * service; undefined without SRV records, so that clients use the name itself. Rejects if that can't be known now.
   */
  hostsOf(service: string): Promise<ServiceHost[] | undefined>
}

/** Maximum number of addresses of one name; an answer over TCP could have thousands. */
const MAX_ADDRESSES = 16
export const MAX_SERVICE_HOSTS = 16
/** The system's resolver blocks one of Node's four threads per look-up; two stay free for the rest of the process. */
const SYSTEM_LOOKUPS_AT_ONCE = 2
const systemLimit = pLimit(SYSTEM_LOOKUPS_AT_ONCE)

/** The name server answered that there is no such record. */
const hasNone = (error: unknown): boolean => ['ENOTFOUND', 'ENODATA'].includes(codeOf(error))
/** What the DNS may not know although the system does: names of /etc/hosts, or a system without DNS. */
const isUnknownToDns = (error: unknown): boolean => hasNone(error) || codeOf(error) === 'ECONNREFUSED'
const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/**
 * Looks names up without a thread where possible: a name server that is silent would hold a thread for ten seconds.
 * @param servers `address:port` each; empty: the system's, and then its other sources for names unknown to DNS
 */
export function createNameServers(servers: readonly string[] = []): NameServers {
  /** A new resolver reads the system's settings, which may have changed, and has its own port. */
  function openResolver(): dns.Resolver {
    const resolver = new dns.Resolver({ timeout: 1_500, tries: 2, maxTimeout: 2_000 })
    if (servers.length) resolver.setServers(servers)
    return resolver
  }

  async function find(host: string): Promise<string[]> {
    if (isLocalhost(host)) return ['127.0.0.1']
    const resolver = openResolver()
    try {
      return await resolver.resolve4(host).catch((error) => {
        if (hasNone(error)) return resolver.resolve6(host)
        throw error
      })
    } catch (error) {
      if (servers.length || !isUnknownToDns(error)) throw error
      const found = await systemLimit(() => dns.lookup(host, { all: true, order: 'ipv4first' }))
      return found.filter(({ family }) => family === found[0]?.family).map(({ address }) => address)
    }
  }

  return {
    addressesOf: async (host) => (await find(host)).slice(0, MAX_ADDRESSES),
    async hostsOf(service) {
      try {
        return inOrder(await openResolver().resolveSrv(service))
      } catch (error) {
        if (hasNone(error)) return undefined
        throw error
      }
    },
  }
}

/**
 * The lowest priority first; within one, at random by weight (RFC 2782). The first `MAX_SERVICE_HOSTS` only. Without
 * the root as a host, which means that the domain does not offer the service.
 */
export function inOrder(records: readonly SrvRecord[], random: () => number = Math.random): ServiceHost[] {
  const usable = records
    .filter(({ name, port }) => name !== '' && name !== '.' && port > 0)
    .sort((a, b) => a.priority - b.priority || b.weight - a.weight)
    .slice(0, MAX_SERVICE_HOSTS)
  const groups = [...Map.groupBy(usable, ({ priority }) => priority).values()]
  return groups.flatMap((group) => byWeight(group, random)).map(({ name, port }) => ({ host: name, port }))
}

/** @param records of one priority, the heaviest first */
function byWeight(records: SrvRecord[], random: () => number): SrvRecord[] {
  const left = records.toReversed()
  const ordered: SrvRecord[] = []
  while (left.length) {
    // The record at which the running sum of weights reaches a random number from 0 to their total.
    let rest = Math.floor(random() * (left.reduce((sum, { weight }) => sum + weight, 0) + 1))
    const drawn = left.findIndex(({ weight }) => {
      rest -= weight
      return rest <= 0
    })
    ordered.push(...left.splice(drawn, 1))
  }
  return ordered
}
