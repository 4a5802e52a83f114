// Connections to owners' endpoints: resolves names here, requires public addresses, and connects to exactly those.
import { Resolver } from 'node:dns/promises'
import net, { type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isLocalhost, isPlatformAddress, isPublicAddress } from '../../src/platform/public-address.ts'

/** No connection was attempted. The message may be stored and shown to the owner. */
export class AddressError extends Error {
  override name = 'AddressError'
}

export interface GuardOptions {
  /** Whether private and loopback addresses may be connected to, as in development. */
  allowPrivate: boolean
  /** Setting DNS_SERVERS; the system's by default. */
  nameServers?: string[] | undefined
}

/** Each address that does not answer takes a part of the attempt's time. */
const MAX_ADDRESSES = 8

export function createAddressGuard({ allowPrivate, nameServers }: GuardOptions) {
  const resolve = createResolver(nameServers)

  const isAllowed = (addresses: string[]) =>
    !addresses.some(isPlatformAddress) && (allowPrivate || addresses.every(isPublicAddress))

  /** Checks addresses without a look-up. @throws AddressError */
  function requireAllowed(addresses: string[]): void {
    if (!isAllowed(addresses)) throw new AddressError('not a public address')
  }

  /**
   * @throws AddressError the same for names that do not exist and those of a private network: owners
   * must not learn which
   */
  async function addressesOf(host: string) {
    const found = await resolve(host)
    if (!found.length || !isAllowed(found)) throw new AddressError('the name leads to no public address')
    return found.slice(0, MAX_ADDRESSES).map((address) => ({ address, family: net.isIP(address) }))
  }

  /**
   * net and tls call this for each name and connect to the addresses it returns, so that they can't change in between.
   */
  const lookup: LookupFunction = (host, { all }, done) => {
    addressesOf(host).then(
      (addresses) => {
        const [first] = addresses
        if (all) done(null, addresses)
        else done(null, first?.address ?? '', first?.family)
      },
      (error: Error) => done(error, '', 0),
    )
  }
  return { lookup, requireAllowed }
}

/** @param timeoutMs from the name's look-up to the end of the TLS handshake */
export function createGuardedConnections(options: GuardOptions, timeoutMs: number) {
  const { lookup, requireAllowed } = createAddressGuard(options)
  let open = 0

  const connectAnywhere = buildConnector({
    lookup,
    timeout: timeoutMs,
    allowH2: false,
    rejectUnauthorized: true, // even if NODE_TLS_REJECT_UNAUTHORIZED is 0
  } as buildConnector.BuildOptions)

  return {
    /** Number of open sockets, including idle ones. */
    get open() {
      return open
    },
    /** The `connect` option of undici's Agent. */
    connect(target: buildConnector.Options, callback: buildConnector.Callback): void {
      try {
        // net calls no lookup for IP addresses.
        if (net.isIP(target.hostname)) requireAllowed([target.hostname])
      } catch (error) {
        callback(error as Error, null)
        return
      }
      connectAnywhere(target, (...result) => {
        const [, socket] = result
        if (socket) {
          open++
          socket.once('close', () => open--)
        }
        callback(...result)
      })
    },
  }
}

/**
 * Queries the name servers directly. `dns.lookup` would block one of the process' four threads until an owner's name
 * server answers, so that one silent name server would delay all look-ups.
 */
function createResolver(nameServers: string[] | undefined): (host: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2, maxTimeout: 2_000 })
  if (nameServers) resolver.setServers(nameServers)

  return async (host) => {
    if (isLocalhost(host)) return ['127.0.0.1', '::1']
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }
}
