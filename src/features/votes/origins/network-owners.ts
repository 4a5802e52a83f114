// The owner of an address' network, from a file: nothing is asked of a service (docs/decisions/0075).
import ipaddr from 'ipaddr.js'
import type { Response } from 'mmdb-lib'
import { openMmdb } from '../../../platform/mmdb-file.ts'

/** Number of the autonomous system (AS) that an address belongs to; null if it is unknown. */
export type NetworkOwnerOf = (address: string) => number | null

/** The two names that publishers give the field. */
type Owner = Response & { autonomous_system_number?: number; asn?: number | string }

/**
 * Reads the file into memory.
 * @param file in the MMDB format, as ip-location-db, DB-IP and MaxMind publish it; empty: no owner is known
 * @throws Error that names the setting if it can't be read
 */
export function openNetworkOwners(file = ''): NetworkOwnerOf {
  if (!file) return () => null
  const database = openMmdb<Owner>('NETWORK_OWNER_DATABASE', file)
  return (address) => {
    if (!ipaddr.isValid(address)) return null
    const ip = ipaddr.process(address)
    // A file without IPv6 would read the first bits as an IPv4 address.
    if (ip.kind() === 'ipv6' && database.metadata.ipVersion === 4) return null
    const found = database.get(ip.toString())
    const number = Number(found?.autonomous_system_number ?? found?.asn)
    return Number.isSafeInteger(number) && number > 0 ? number : null
  }
}
