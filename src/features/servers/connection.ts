// How players get to a listed server: what they type, and the link that opens their game.
import { connectAddressOf, joinUrlOf } from '../games/index.ts'
import { BEDROCK } from './listing-fields.ts'

/** The address fields of a listing, as stored. */
export interface Addressed {
  game: string
  name: string
  ipAddress: string
  gamePort: number
  gamePortGiven: boolean
  queryPort: number
  /** Empty: none. */
  bedrockAddress: string
  bedrockPort: number | null
}

/** `joinUrl`: null for games without such a link. Only Bedrock has one of Minecraft's two editions. */
export function connectionOf(listing: Addressed): { connectAddress: string; joinUrl: string | null } {
  const joinUrl = joinUrlOf(listing.bedrockAddress ? bedrockOf(listing) : listing)
  return { connectAddress: connectAddressOf(listing), joinUrl: joinUrl ?? null }
}

/** What players of each edition type; null for a listing of one edition. */
export const editionAddresses = (listing: Addressed): { java: string; bedrock: string } | null =>
  listing.bedrockAddress ? { java: connectAddressOf(listing), bedrock: connectAddressOf(bedrockOf(listing)) } : null

/**
 * Who added a listing: the source that found it, else an owner, or the operator.
 * @param source as stored: null if no source did
 */
export const sourceOf = ({ source, isClaimed }: { source: string | null; isClaimed: boolean }): string =>
  source ?? (isClaimed ? 'owner' : 'import')

const bedrockOf = ({ bedrockAddress, bedrockPort, name }: Addressed) => ({
  game: BEDROCK.game,
  name,
  ipAddress: bedrockAddress,
  gamePort: bedrockPort ?? BEDROCK.port,
  gamePortGiven: true,
  queryPort: bedrockPort ?? BEDROCK.port,
})
