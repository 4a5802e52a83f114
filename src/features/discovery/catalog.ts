// The sources by name: what DISCOVER may contain. workers/discovery/sources has a file for each kind.
import { SettingsError } from '../../platform/config/settings.ts'

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

const SOURCE_NAMES: readonly string[] = Object.keys(PUBLISHERS_LISTS)

/** @throws SettingsError naming the sources that do not exist */
export function requireKnownSources(names: readonly string[]): void {
  const unknown = names.filter((name) => !SOURCE_NAMES.includes(name))
  if (unknown.length)
    throw new SettingsError(
      `bad setting: DISCOVER has no source ${unknown.join(', ')}; known: ${SOURCE_NAMES.join(', ')}`,
    )
}
