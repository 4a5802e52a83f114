// Which notifications a user receives unless the user changes it.
import { NotificationPreferences } from './accounts.schema.ts'

/**
 * On: what a server's owner must react to, and results of auctions. Chat is off, because it needs a linked identity.
 */
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

export const withDefaultPreferences = (stored: { events?: object }): NotificationPreferences =>
  NotificationPreferences.parse({
    ...PREFERENCE_DEFAULTS,
    ...stored,
    events: { ...PREFERENCE_DEFAULTS.events, ...stored.events },
  })
