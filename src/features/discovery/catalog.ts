// The sources by name: what DISCOVER may contain. workers/discovery/sources has a file for each kind.
import { type Settings, SettingsError } from '../../platform/config/settings.ts'
import { STEAM_APPS } from '../games/index.ts'

/** Lists that games' publishers keep: the source's name, and the gamedig type of the servers in it. */
export const PUBLISHERS_LISTS = {
  altv: 'gta5am',
  beammp: 'beammp',
  brokeprotocol: 'brokeprotocol',
  geneshift: 'geneshift',
  luanti: 'minetest',
  ragemp: 'gta5r',
  renegadex: 'renegade10',
  vintagestory: 'vintagestory',
} as const satisfies Record<string, string>

export type PublishersList = keyof typeof PUBLISHERS_LISTS

export const isPublishersList = (name: string): name is PublishersList => Object.hasOwn(PUBLISHERS_LISTS, name)

/** The source of servers that announce themselves. It has no runs. */
export const ANNOUNCEMENTS = 'announcements'

const STEAM = 'steam:'

/** The game of a source such as `steam:rust`, and its number at Steam. @returns undefined for any other name */
export function steamGameOf(name: string): { game: string; appId: number } | undefined {
  const game = name.startsWith(STEAM) ? name.slice(STEAM.length) : ''
  const appId = Object.hasOwn(STEAM_APPS, game) ? STEAM_APPS[game] : undefined
  return appId === undefined ? undefined : { game, appId }
}

const SOURCE_NAMES: readonly string[] = [
  ANNOUNCEMENTS,
  ...Object.keys(PUBLISHERS_LISTS),
  ...Object.keys(STEAM_APPS).map((game) => STEAM + game),
]

/** @throws SettingsError naming the sources that do not exist, and the key that one needs */
export function requireKnownSources({
  DISCOVER: names,
  STEAM_WEB_API_KEY,
}: Pick<Settings, 'DISCOVER' | 'STEAM_WEB_API_KEY'>): void {
  if (STEAM_WEB_API_KEY === undefined && names.some((name) => name.startsWith(STEAM)))
    throw new SettingsError('bad setting: DISCOVER has sources of Steam, which need STEAM_WEB_API_KEY')
  const unknown = names.filter((name) => !SOURCE_NAMES.includes(name))
  if (unknown.length)
    throw new SettingsError(
      `bad setting: DISCOVER has no source ${unknown.join(', ')}; known: ${SOURCE_NAMES.join(', ')}`,
    )
}
