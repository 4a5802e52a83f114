// What a game server says about itself, bounded and safe to show.
// docs/decisions/0051-people-bots-and-own-words.md lists what is read of which game.
import type { QueryResult } from 'gamedig'
import type { Icons } from './icon.ts'
import { motdOf } from './motd.ts'
import { ownWordsOf } from './own-words.ts'
import { safeNames, safeParagraphs, safeText, safeUrl } from './safe-values.ts'

/**
 * A missing field was not asked for, and what is known of it stays: most polls do without rules. '' and null mean that
 * the server was asked and says nothing.
 */
export interface Profile {
  /** One line of at most 100 characters, without formatting codes. */
  name: string
  /** The message of the day: at most 500 characters in four lines, and 100 formatting codes (see `parseMotd`). */
  motd?: string
  /** A PNG of at most 64 × 64 pixels, encoded here. */
  icon?: Buffer | null
  gameMode?: 'PvP' | 'PvE' | 'PvPvE' | ''
  /** Comma-separated, at most 2,000 characters, as in a listing. */
  mods?: string
  /** Lines of at most 2,000 characters in all. */
  description?: string
  /** An http or https URL, as a listing may have. */
  website?: string
  bannerUrl?: string
}

/** @param target `server` is its key for `icons` */
export function profileOf(
  { game, protocol, server }: { game: string; protocol: string; server: string },
  result: QueryResult,
  icons: Icons,
): Profile {
  const words = ownWordsOf(game, protocol, result)
  const icon = 'icon' in words ? icons.of(server, words.icon) : undefined
  return {
    name: safeText(words.name),
    ...('motd' in words ? { motd: motdOf(words.motd) } : {}),
    ...(icon === undefined ? {} : { icon }),
    ...('gameMode' in words ? { gameMode: gameMode(words.gameMode) } : {}),
    ...('mods' in words ? { mods: safeNames(words.mods) } : {}),
    ...('description' in words ? { description: safeParagraphs(words.description) } : {}),
    ...('website' in words ? { website: safeUrl(words.website) } : {}),
    ...('bannerUrl' in words ? { bannerUrl: safeUrl(words.bannerUrl) } : {}),
  }
}

const gameMode = (value: unknown): NonNullable<Profile['gameMode']> =>
  value === 'PvP' || value === 'PvE' || value === 'PvPvE' ? value : ''
