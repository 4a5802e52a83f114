// German: the pages of games.
import type { games as Original } from '../en/games.ts'

export const games: typeof Original = {
  title: 'Spiele',
  about: 'Alle Spiele mit eingetragenen Servern, die mit den meisten Spielern zuerst.',
  none: 'Noch sind keine Server eingetragen.',
  listTitle: '{name}-Server',
  listAbout:
    '{name}-Server mit aktuellen Spielerzahlen: die besten, die neuesten und die gerade zurückgesetzten. {servers}, {players}.',
  playersNow: { one: 'jetzt {n} Spieler', other: 'jetzt {n} Spieler' },
  peak: {
    one: 'Höchststand: {n} Spieler in den letzten 24 Stunden',
    other: 'Höchststand: {n} Spieler in den letzten 24 Stunden',
  },
  port: 'Üblicher Port {port}',
  opens: 'Beitritt direkt von dieser Website',
  needs: { version: 'Braucht die Version des Servers', 'version and mods': 'Braucht Version und Mods des Servers' },
  all: { one: 'Der einzige Server', other: 'Alle {n} Server' },
  ofMonth: 'Die besten des Monats',
  best: 'Die besten',
  rising: 'Im Kommen: die meisten Stimmen der letzten 24 Stunden',
  newest: 'Neu',
  wiped: 'Gerade zurückgesetzt',
  wiping: 'Nächste Wipes',
  byCountry: 'Nach Land',
}
