// Where a vote comes from, as it is stored with the vote: without the visitor's address (docs/decisions/0075).
import { createHmac, createSecretKey } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { clientAddress } from '../../../platform/http/client-key.ts'
import { networkOf } from '../../../platform/network.ts'
import { withinIPv6 } from '../../../platform/public-address.ts'
import type { NetworkOwnerOf } from './network-owners.ts'

export interface VoteOrigin {
  /** Keyed hash of the visitor's network, an IPv4 /24 or an IPv6 /48. */
  networkKey: string | null
  /** Number of the autonomous system (AS) that it belongs to; null if it is unknown. */
  networkOwner: number | null
  /** Whether a page of the site sent the vote, by its `Origin`. */
  fromPage: boolean | null
}

/** The origin of votes that no visitor's browser or program sends. */
export const NO_ORIGIN: VoteOrigin = { networkKey: null, networkOwner: null, fromPage: null }

const KEY_LENGTH = 16

interface Options {
  /** APP_SECRET. */
  secret: string
  trustedProxies: number
  pageOrigin: string
  ownerOf: NetworkOwnerOf
}

export function createVoteOrigins({ secret, trustedProxies, pageOrigin, ownerOf }: Options) {
  // Not a Buffer, which Node checks and copies for each hash: that takes six times as long.
  const key = createSecretKey(createHmac('sha256', secret).update('vote networks').digest())
  return (req: IncomingMessage): VoteOrigin => {
    const address = clientAddress(req, trustedProxies)
    const network = ipaddr.isValid(address) ? networkOf(withinIPv6(ipaddr.parse(address)).toString()) : address
    return {
      networkKey: createHmac('sha256', key).update(network).digest('base64url').slice(0, KEY_LENGTH),
      networkOwner: ownerOf(address),
      fromPage: req.headers.origin === pageOrigin,
    }
  }
}
