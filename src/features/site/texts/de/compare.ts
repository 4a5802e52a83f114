// German: comparing servers.
import type { compare as Original } from '../en/compare.ts'

export const compare: typeof Original = {
  title: 'Server vergleichen',
  about: 'Bis zu fünf Server nebeneinander.',
  add: 'Server hinzufügen',
  addHint: 'Name eines Servers',
  find: 'Finden',
  found: 'Gefunden',
  nothing: 'Kein Server heißt so.',
  remove: 'Entfernen',
  none: 'Suche zwei oder mehr Server, um sie zu vergleichen.',
  full: 'Fünf Server werden verglichen. Entferne einen, um einen anderen hinzuzufügen.',
  property: 'Eigenschaft',
  players: 'Spieler',
  peak: 'Spitze, 24 Stunden',
  votes: 'Stimmen',
  address: 'Adresse',
  chart: 'Spieler, 7 Tage',
}
