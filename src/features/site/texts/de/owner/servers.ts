// An owner’s servers.
import type { list as Original } from '../../en/owner/servers.ts'

export const list: typeof Original = {
  title: 'Meine Server',
  add: 'Server eintragen',
  none: 'Du hast noch keinen Server eingetragen.',
  noneHint:
    'Gib seine Adresse ein: Wir fragen ihn ab und zeigen, was Spieler sehen werden, bevor etwas gespeichert wird.',
  month: 'in diesem Monat',
  day: 'in 24 Stunden',
  visibility: { hidden: 'verborgen', unverified: 'noch nicht angezeigt' },
}
