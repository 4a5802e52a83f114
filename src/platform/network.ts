// Networks whose servers, announcements and votes are counted together.
import ipaddr from 'ipaddr.js'

/**
 * What one customer of a host may have: an IPv4 /24 or an IPv6 /48, as PostgreSQL writes it.
 * @param address IPv4 or IPv6
 */
export const networkOf = (address: string): string =>
  ipaddr.IPv4.isValid(address)
    ? `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/24`)}/24`
    : `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/48`)}/48`
