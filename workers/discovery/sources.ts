// The sources by name.
import { isPublishersList, steamGameOf } from '../../src/features/discovery/index.ts'
import type { Source } from './source.ts'
import { publishersList } from './sources/publishers-list.ts'
import { type SteamSettings, steamList } from './sources/steam.ts'

/** @returns undefined for a name that no source with runs has */
export function sourceOf(name: string, settings: SteamSettings): Source | undefined {
  if (isPublishersList(name)) return publishersList(name)
  const steam = steamGameOf(name)
  return steam && steamList(name, steam, settings)
}
