// Reads what people type or paste as the address of a game server: addresses, join links and commands of game consoles.
import { isIPv6 } from 'node:net'
import { STEAM_APPS } from '../games/index.ts'
import { normalizeAddress } from '../servers/index.ts'

export interface TypedAddress {
  /** IPv4 address, IPv6 address without brackets, or DNS name, normalized. */
  host: string
  port: number | undefined
  /** Types of the game that a link is of; empty: it names none. */
  games: readonly string[]
}

/** Why a text is no address, as a rule. */
export interface NotAnAddress {
  problem: string
}

export const MAX_TYPED_LENGTH = 500

const RULES = {
  address: 'must be an address like play.example.org, 203.0.113.5:27015 or [2001:db8::1]:27015, or a join link',
  port: 'must have a port from 1 to 65535 after the address',
  brackets: 'must have an IPv6 address in brackets if a port follows: [2001:db8::1]:27015',
  website: 'must be the address of the game server, not of a website',
  shortLink: 'must be the address itself: only FiveM can open links of cfx.re',
  link: 'must be a join link that has the server’s address in it',
} as const

/** The games that open links of a scheme; see src/features/games/clients.ts. */
const SCHEMES: Readonly<Record<string, string>> = {
  altv: 'gta5am',
  et: 'wet',
  fivem: 'gta5f',
  luanti: 'minetest',
  minecraft: 'mbe',
  minetest: 'minetest',
  mtasa: 'gtasamta',
  mumble: 'mumble',
  omp: 'gtasao gtasam',
  rage: 'gta5r',
  redm: 'rdr2r',
  samp: 'gtasao gtasam',
  soldat: 'soldat',
  steam: '',
  teamspeak: 'teamspeak3',
  ts3server: 'teamspeak3',
  vintagestoryjoin: 'vintagestory',
}

const LINK = /^(?<scheme>[a-z][a-z0-9+.-]*):\/*(?<rest>[\s\S]*)$/i
const SHORT_LINK = /^(?:https?:\/\/)?(?:www\.)?cfx\.re\/join\//i
/** `connect …`, `client.connect …` of Rust, `open …` of the Unreal Engine, `/connect …` and `+connect …`. */
const COMMAND = /^[/+]?(?:client\.)?(?:connect|open|join)\s+/i
/** What Steam passes to a game that it starts. */
const STEAM_START = /^(?:run|rungameid|launch)\/(?<appId>\d+)\/+.*?connect\s+(?<address>\S+)/i
/** `host:port`, `host port` and `host, port`; an IPv6 address has brackets. */
const HOST_AND_PORT = /^(?<host>\[[^\]]*\]|[^:\s,]+)(?:(?::|,?\s+)(?<port>.*))?$/

/** @returns where the server is, or which rule the text breaks */
export function readTypedAddress(typed: string): TypedAddress | NotAnAddress {
  const text = unquoted(typed)
  if (SHORT_LINK.test(text)) return { problem: RULES.shortLink }
  const { scheme: typedScheme = '', rest = '' } = LINK.exec(text)?.groups ?? {}
  const scheme = typedScheme.toLowerCase()
  if (/^https?:/i.test(text)) return { problem: RULES.website }
  if (Object.hasOwn(SCHEMES, scheme) && /^[^:]+:[/?]/.test(text)) return readLink(scheme, rest)
  if (text.includes('://')) return { problem: RULES.link }
  return readHostAndPort(unquoted(text.replace(COMMAND, '').split(';', 1)[0] ?? ''), [])
}

/** @param rest what follows the scheme */
function readLink(scheme: string, rest: string): TypedAddress | NotAnAddress {
  const isSteam = scheme === 'steam'
  const games = (SCHEMES[scheme] ?? '').split(' ').filter(Boolean)
  const plain = decoded(rest)
  const { appId, address } = STEAM_START.exec(plain.replaceAll('+connect', ' connect'))?.groups ?? {}
  if (address !== undefined) {
    const game = Object.keys(STEAM_APPS).find((type) => String(STEAM_APPS[type]) === appId)
    return readHostAndPort(address.replace(/\/+$/, ''), game ? [game] : [])
  }
  if (isSteam && !/^connect\//i.test(rest)) return { problem: RULES.link }
  const [path, search] = splitAt(rest, '?')
  const query = new URLSearchParams(search)
  const added = query.get('addExternalServer')?.split('|').at(-1)
  const host = added ?? query.get('ip') ?? query.get('serverUrl') ?? decoded(hostOf(path))
  const port = query.get('port') ?? query.get('serverPort')
  if (!host) return { problem: RULES.link }
  return readHostAndPort(port && !/:\d+$/.test(host) ? `${isIPv6(host) ? `[${host}]` : host}:${port}` : host, games)
}

/** `connect/host:port/password`, `v/connect`, `host:port` */
const hostOf = (path: string) => path.replace(/^(?:v\/)?(?:connect|join)(?:\/+|$)/i, '').split('/', 1)[0] ?? ''

function readHostAndPort(text: string, games: readonly string[]): TypedAddress | NotAnAddress {
  const bare = unquoted(text)
  const isBareIPv6 = isIPv6(bare)
  if (!isBareIPv6 && /^[0-9a-f]*:[0-9a-f:.]*:[^\]]*$/i.test(bare)) return { problem: RULES.brackets }
  const typed: Record<string, string | undefined> = isBareIPv6
    ? { host: bare }
    : (HOST_AND_PORT.exec(bare)?.groups ?? {})
  const host = normalizeAddress(typed.host ?? '')
  if (!host) return { problem: RULES.address }
  if (typed.port === undefined) return { host, port: undefined, games }
  const port = /^\d{1,5}$/.test(typed.port) ? Number(typed.port) : 0
  return port >= 1 && port <= 65_535 ? { host, port, games } : { problem: RULES.port }
}

const unquoted = (text: string) =>
  text
    .trim()
    .replace(/^[`"'“„«<]+|[`"'”“»>]+$/g, '')
    .trim()

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
