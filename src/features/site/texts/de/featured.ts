// German: featured servers.
import type { featured as Original } from '../en/featured.ts'

export const featured: typeof Original = {
  title: 'Empfohlene Server',
  about: 'Diese Server haben eine Auktion um einen Platz auf dieser Seite gewonnen.',
  auctions: 'Auf einen Platz bieten',
  none: 'Zurzeit wird kein Server empfohlen.',
}
