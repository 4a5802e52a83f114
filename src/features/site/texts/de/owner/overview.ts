// A server’s overview and the numbers of its visitors.
import type { activity as Activity, overview as Overview } from '../../en/owner/overview.ts'

export const overview: typeof Overview = {
  players: 'Spieler',
  state: 'Zustand',
  address: 'Adresse',
  polled: 'Zuletzt abgefragt',
  never: 'nie',
  uptime: 'Verfügbarkeit, 30 Tage',
  votes: 'Stimmen',
  votesOf: '{month} in diesem Monat, {total} insgesamt',
  rank: 'Rang nach Stimmen',
  ownership: 'Besitz',
  proven: 'Nachgewiesen',
  notProven: 'Nicht nachgewiesen: Jemand anderes könnte den Server noch beanspruchen.',
  prove: 'Nachweisen',
  tell: 'Benachrichtigen, wenn',
  tellHint:
    'Zusätzlich zu den Ereignissen, die bei den Mitteilungen deines Kontos gewählt sind, und auf denselben Wegen.',
  events: {
    serverOffline: 'er ausfällt',
    serverOnline: 'er wieder da ist',
    serverWiped: 'er zurückgesetzt wurde',
    voteMilestone: 'er eine runde Stimmenzahl erreicht',
  },
}

export const activity: typeof Activity = {
  title: 'Besucher',
  period: 'Zeitraum',
  days: { one: '{n} Tag', other: '{n} Tage' },
  counts: {
    views: 'Aufrufe',
    copies: 'Adresse kopiert',
    joins: 'Beitritte',
    votes: 'Stimmen',
    favorites: 'Neue Favoriten',
  },
  how: 'Aufrufe der Seite des Servers, ohne Suchmaschinen. Ohne Cookies gezählt, und nichts über Besucher wird behalten.',
  chart: {
    one: '{n} Aufruf in diesem Zeitraum, {most} am besten Tag',
    other: '{n} Aufrufe in diesem Zeitraum, {most} am besten Tag',
  },
  table: 'Tag für Tag',
  day: 'Tag',
  crawlers: 'Suchmaschinen',
  csv: 'Als CSV herunterladen',
  placements: 'Was Platzierungen gebracht haben',
  effectDays: { one: 'einem Tag', other: '{n} Tagen' },
  effect: {
    one: '{n} Aufruf in {days}, {before} in der gleichen Zeit davor',
    other: '{n} Aufrufe in {days}, {before} in der gleichen Zeit davor',
  },
}
