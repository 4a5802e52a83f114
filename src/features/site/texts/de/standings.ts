// German: the standings of months.
import type { standings as Original } from '../en/standings.ts'

export const standings: typeof Original = {
  title: 'Die Besten im {month}',
  titleOf: '{game}: die Besten im {month}',
  about: 'Die Server mit den meisten Stimmen im {month}.',
  running: 'Dieser Monat läuft noch: Die Plätze ändern sich mit jeder Stimme.',
  finished: 'Dieser Monat ist zu Ende. Seine Plätze bleiben.',
  none: 'Keine Stimmen in diesem Monat.',
  place: 'Platz',
  change: 'Monat davor',
  server: 'Server',
  votes: 'Stimmen',
  gone: 'Nicht mehr eingetragen',
  isNew: 'neu',
  same: 'gleicher Platz',
  up: { one: '{n} Platz besser', other: '{n} Plätze besser' },
  down: { one: '{n} Platz schlechter', other: '{n} Plätze schlechter' },
  all: 'Alle Spiele',
  ranking: 'So entsteht die Rangliste',
}
