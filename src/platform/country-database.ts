// The country of an address, from a file: nothing is asked of a service (docs/decisions/0030).
import { fileURLToPath } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { CountryResponse } from 'mmdb-lib'
import { isCountry } from './countries.ts'
import { openMmdb } from './mmdb-file.ts'
import { isPublicAddress } from './public-address.ts'

/**
 * Ranges of Cloudflare's proxies (cloudflare.com/ips), announced everywhere at once: their registered country says
 * nothing about a server behind them.
 */
const ANYCAST = [
  '103.21.244.0/22',
  '103.22.200.0/22',
  '103.31.4.0/22',
  '104.16.0.0/13',
  '104.24.0.0/14',
  '108.162.192.0/18',
  '131.0.72.0/22',
  '141.101.64.0/18',
  '162.158.0.0/15',
  '172.64.0.0/13',
  '173.245.48.0/20',
  '188.114.96.0/20',
  '190.93.240.0/20',
  '197.234.240.0/22',
  '198.41.128.0/17',
  '2400:cb00::/32',
  '2405:8100::/32',
  '2405:b500::/32',
  '2606:4700::/32',
  '2803:f800::/32',
  '2a06:98c0::/29',
  '2c0f:f248::/32',
].map((range) => ipaddr.parseCIDR(range))
const ANYCAST_BY_FAMILY = Map.groupBy(ANYCAST, ([network]) => network.kind())

const PACKAGED = '@ip-location-db/geo-whois-asn-country-mmdb/geo-whois-asn-country.mmdb'

/**
 * An address' country, ISO 3166-1 alpha-2; empty if unknown. Undefined for an address that is not public and so is in
 * no country, for which what is stored stays.
 */
export type CountryOf = (address: string) => string | undefined

/**
 * Reads the file into memory: 8 MB for the packaged one, with both families.
 * @param file in the MMDB format, as ip-location-db, DB-IP and MaxMind publish it; empty: the packaged one
 * @throws Error that names the setting if it can't be read
 */
export function openCountries(file = ''): CountryOf {
  const database = openMmdb<CountryResponse & { country_code?: string }>(
    'COUNTRY_DATABASE',
    file || fileURLToPath(import.meta.resolve(PACKAGED)),
  )
  return (address) => {
    if (!isPublicAddress(address)) return undefined
    const ip = ipaddr.parse(address)
    if (ANYCAST_BY_FAMILY.get(ip.kind())?.some((range) => ip.match(range))) return ''
    // A file without IPv6 would read the first bits as an IPv4 address.
    if (ip.kind() === 'ipv6' && database.metadata.ipVersion === 4) return ''
    const found = database.get(address)
    const code = found?.country?.iso_code ?? found?.country_code ?? ''
    return isCountry(code) ? code : ''
  }
}
