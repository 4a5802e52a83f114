// Whether this machine has IPv6, for tests of it.
import { networkInterfaces } from 'node:os'

/** For `skipIf`: prints and returns whether this machine can't connect to itself over IPv6. */
export function hasNoIpv6(): boolean {
  const has = Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ address }) => address === '::1'),
  )
  if (!has) console.log('skipped: this machine has no IPv6 loopback address')
  return !has
}
