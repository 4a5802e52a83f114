// Which news a user wants: what is stored, over the defaults.
import type { Pool } from '../../platform/db/pool.ts'
import { NotificationPreferences } from './accounts.schema.ts'
import { findPreferences, mergePreferences } from './users.sql.ts'

/** What a game server's owner must react to, and what was won or lost. Chat is off: it needs a linked identity. */
export const PREFERENCE_DEFAULTS: NotificationPreferences = {
  email: true,
  chat: false,
  events: {
    serverOffline: true,
    serverOnline: true,
    serverWiped: false,
    voteMilestone: true,
    auctionOutbid: true,
    auctionWon: true,
  },
}

export interface PreferencesChange {
  email?: boolean | undefined
  chat?: boolean | undefined
  events?: { [Event in keyof NotificationPreferences['events']]?: boolean | undefined } | undefined
}

export const getPreferences = async (pool: Pool, userId: string): Promise<NotificationPreferences> =>
  overDefaults(await findPreferences(pool, userId))

/** What is left out stays. */
export async function changePreferences(
  pool: Pool,
  userId: string,
  { events = {}, ...ways }: PreferencesChange,
): Promise<NotificationPreferences> {
  return overDefaults(await mergePreferences(pool, userId, ways, events))
}

function overDefaults(stored: { events?: object }): NotificationPreferences {
  return NotificationPreferences.parse({
    ...PREFERENCE_DEFAULTS,
    ...stored,
    events: { ...PREFERENCE_DEFAULTS.events, ...stored.events },
  })
}
