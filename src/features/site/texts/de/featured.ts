// German: featured servers.
import type { featured as Original } from '../en/featured.ts'

export const featured: typeof Original = {
  title: 'Hervorgehobene Server',
  about: 'Diese Server haben eine Auktion um diesen Platz gewonnen, oder die Verwaltung hebt sie hervor.',
  none: 'Zurzeit ist kein Server hervorgehoben. Der Platz ist frei:',
  yours: 'Dein Server hier',
  running: 'Läuft gerade: {title}, bei {amount}.',
  upcoming: '{title} beginnt am {time}, ab {amount}.',
  toAuction: 'Zur Auktion',
  auctions: 'Auf einen Platz bieten',
}
