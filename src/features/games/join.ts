// How a player joins a server: the address to type, the link that starts the game, and what the player's game must
// have.
import { isIPv4, isIPv6 } from 'node:net'
import { ASSUMES_USUAL_PORT, type HostKind, JOIN_LINKS, JOIN_NEEDS, type JoinRequirement } from './clients.ts'
import { usualPort } from './game-types.ts'

export interface Address {
  game: string
  /** A DNS name, an IPv4 address, or an IPv6 address without brackets. */
  ipAddress: string
  gamePort: number
  /** False: the owner gave no port, and `gamePort` is the usual one or an SRV record's. */
  gamePortGiven: boolean
}

export interface Joinable extends Address {
  name: string
  queryPort: number
}

const assumesUsualPort = new Set(ASSUMES_USUAL_PORT.flatMap(({ games }) => games))
const linkOf = new Map(JOIN_LINKS.flatMap((link) => link.games.map((game) => [game, link] as const)))
const needOf = new Map(JOIN_NEEDS.flatMap(({ games, needs }) => games.map((game) => [game, needs] as const)))

/** Whether servers of this type can be listed without a game port. */
export const hasUsualPort = (type: string): boolean => usualPort(type) !== undefined

/** What a player types or copies: `play.example.org`, `203.0.113.5:27015`, `[2001:db8::1]:27015`. */
export function connectAddressOf(server: Address): string {
  const port = portToType(server)
  const host = bracketed(server.ipAddress)
  return port === undefined ? host : `${host}:${port}`
}

/** @returns undefined if the client knows no link, or none to such an address */
export function joinUrlOf(server: Joinable): string | undefined {
  const { game, name, ipAddress, gamePort, queryPort } = server
  const link = linkOf.get(game)
  const kind = hostKindOf(ipAddress)
  if (!link || !kind || !(link.hosts ?? ['name', 'IPv4']).includes(kind)) return undefined
  return link.url({
    host: bracketed(ipAddress),
    port: portToType(server),
    gamePort,
    queryPort,
    name: encodeName(name),
  })
}

/** Whether a link starts the game, for most addresses. */
export const hasJoinLink = (game: string): boolean => linkOf.has(game)

/** What the player's game must have in common with the server's, beyond being the same game. */
export const joinRequirement = (game: string): JoinRequirement | undefined => needOf.get(game)

/** @returns undefined if the client finds the port itself: the usual one, or an SRV record's */
export function portToType({ game, gamePort, gamePortGiven }: Omit<Address, 'ipAddress'>): number | undefined {
  if (!assumesUsualPort.has(game)) return gamePort
  return gamePortGiven && gamePort !== usualPort(game) ? gamePort : undefined
}

const bracketed = (address: string): string => (isIPv6(address) ? `[${address}]` : address)

/** @returns undefined for text that is no address, which must not get into a link */
function hostKindOf(address: string): HostKind | undefined {
  if (isIPv4(address)) return 'IPv4'
  if (isIPv6(address)) return address.includes('%') ? undefined : 'IPv6'
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/i.test(address) ? 'name' : undefined
}

/** Removes `|`, which separates names from addresses in links, and control characters. */
const encodeName = (name: string): string =>
  encodeURIComponent(
    name
      .toWellFormed()
      .replace(/[|\p{Cc}]+/gu, ' ')
      .trim(),
  )
