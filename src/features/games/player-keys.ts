// When two spellings mean one player. The keys are SQL expressions, which indexes of `votes` have too (migrations 0038
// and 0039): votes store what the voter typed, so that votes of earlier releases compare alike (docs/decisions/0006).

const CASE_SENSITIVE = ['openttd', 'protocol-openttd', 'terrariatshock', 'protocol-terraria']

/**
 * False for a type whose servers let `Ann` and `ann` play as two players. Others ignore case, as Minecraft, Luanti,
 * SA-MP and TeamSpeak do, or do not identify players by their names, as games on Steam.
 */
export const ignoresCase = (game: string): string => `${game} not in ('${CASE_SENSITIVE.join(`', '`)}')`

/** A name without regard to case. ASCII letters come first, because a Turkish database would make `ı` of `I`. */
export const nameKey = (name: string): string => `lower(lower(${name} collate "C") collate "default")`

/** The SteamID64 of the account with the number 0. */
const FIRST_ACCOUNT = '76561197960265728'
const PROFILE = String.raw`(?:https?://)?(?:www\.)?steamcommunity\.com/profiles/`

/**
 * Takes an identifier, or the address of a profile that ends with it. The one group of `form` is what PostgreSQL
 * returns.
 */
const extracted = (id: string, form: string) => `substring(${id} from '(?i)^(?:${PROFILE})?${form}(?:[/?].*)?$')`

/**
 * The SteamID64 of `STEAM_0:1:2345`, `[U:1:4691]`, FiveM's `steam:110000100001253`, and of a profile's address with one
 * of the first two or the SteamID64; every other identifier as it is.
 */
export const platformIdKey = (id: string): string => `coalesce(
  ${extracted(id, '([0-9]{17})')},
  (${FIRST_ACCOUNT} + ${extracted(id, String.raw`\[?U:1:([0-9]{1,10})\]?`)}::bigint)::text,
  (${FIRST_ACCOUNT} + 2 * ${extracted(id, 'STEAM_[01]:[01]:([0-9]{1,10})')}::bigint
    + ${extracted(id, 'STEAM_[01]:([01]):[0-9]{1,10}')}::bigint)::text,
  ('x0' || substring(${id} from '(?i)^steam:(1100001[0-9a-f]{8})$'))::bit(64)::bigint::text,
  ${id})`

const STEAM_ADDRESS = /^(?:https?:\/\/)?(?:www\.)?steamcommunity\.com(?:\/|$)/i
const PROFILE_ADDRESS = new RegExp(
  String.raw`^${PROFILE}(?:[0-9]{17}|\[?U:1:[0-9]{1,10}\]?|STEAM_[01]:[01]:[0-9]{1,10})(?:[/?].*)?$`,
  'i',
)

/**
 * False for an address of Steam's website without an identifier, such as `steamcommunity.com/id/ann`, which only Steam
 * can resolve.
 */
export const isPlatformId = (given: string): boolean => !STEAM_ADDRESS.test(given) || PROFILE_ADDRESS.test(given)

export const NOT_A_PLATFORM_ID =
  'must contain an identifier: use the SteamID64, or the address steamcommunity.com/profiles/<SteamID64> instead of steamcommunity.com/id/<name>'
