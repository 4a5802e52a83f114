// German: a server's place, and what decides it.
import type { rank as Original } from '../en/rank.ts'

export const rank: typeof Original = {
  title: 'Rangliste',
  counted: { one: '{n} Stimme zählt heute noch {counted}.', other: '{n} Stimmen zählen heute noch {counted}.' },
  place: 'Platz',
  placeInGame: 'Unter Servern des Spiels',
  of: '{place} von {n}',
  votes: 'Stimmen, verblasst',
  playing: 'Für gespielte Stunden',
  availability: 'Faktor der Verfügbarkeit',
  score: 'Punkte',
  how: 'So entsteht die Rangliste',
}
