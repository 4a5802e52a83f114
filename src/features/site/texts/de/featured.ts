// German: featured servers.
import type { featured as Original } from '../en/featured.ts'

export const featured: typeof Original = {
  title: 'Empfohlene Server',
  about: 'Diese Server haben eine Auktion um einen Platz auf dieser Seite gewonnen.',
  none: 'Zurzeit wird kein Server empfohlen. Der Platz ist frei:',
  yours: 'Dein Server hier',
  running: 'Läuft gerade: {title}, bei {amount}.',
  upcoming: '{title} beginnt am {time}, ab {amount}.',
  toAuction: 'Zur Auktion',
  auctions: 'Auf einen Platz bieten',
}
