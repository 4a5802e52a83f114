// The tabs of a server, and why it is not listed.
import type { tabs as Tabs, unlisted as Unlisted } from '../../en/owner/frame.ts'

export const tabs: typeof Tabs = {
  label: 'Server',
  overview: 'Überblick',
  edit: 'Eintrag',
  endpoints: 'Endpunkte',
  votes: 'Stimmen',
  rewards: 'Belohnungen',
  rcon: 'Konsole',
  wipes: 'Wipes',
  team: 'Team',
  public: 'Öffentliche Seite',
}

export const unlisted: typeof Unlisted = {
  unverified:
    'Dieser Server wird noch nicht angezeigt. Spieler sehen ihn, sobald du nachgewiesen hast, dass er dir gehört.',
  hidden: 'Dieser Server wird nicht angezeigt: Die Verwaltung hat ihn verborgen. Sie kann ihn wieder anzeigen.',
  contact: 'Schreib ihr',
  contactSubject: 'Verborgener Server: {name}',
}
