// The overview and its first steps.
import type { firstSteps as FirstSteps, overview as Overview } from '../../en/admin/overview.ts'

export const firstSteps: typeof FirstSteps = {
  title: 'Erste Schritte',
  lead: 'Dieses Verzeichnis ist neu. Was zu tun ist, in beliebiger Reihenfolge:',
  progress: '{done} von {n} erledigt',
  isDone: 'erledigt',
  steps: {
    administrator: {
      title: 'Administrator werden',
      text: 'Konten mit diesen Adressen sind Administratoren. In Produktion muss die Adresse per Mail bestätigt sein.',
    },
    sources: {
      title: 'Quellen Server finden lassen',
      text: 'Spielserver aus öffentlichen Listen, eingetragen bis ihre Besitzer sie übernehmen. Bei einer laufenden Installation heißt die Einstellung DISCOVER.',
    },
    import: {
      title: 'Eine eigene Liste importieren',
      text: 'Eine CSV- oder JSON-Datei; --help nennt die Spalten.',
    },
    demo: {
      title: 'Sich in einer Demo umsehen',
      text: 'Fünfzig simulierte Server in einem eigenen Verzeichnis, neben diesem.',
    },
    mail: {
      title: 'Einen Mailserver angeben',
      text: 'Bis dahin werden Mails als Dateien in den Ordner mail von DATA_DIR geschrieben.',
    },
    appearance: {
      title: 'Das Aussehen festlegen',
      text: 'Der Name der Website, ihr Logo, ihre Farbe und die Links zu Impressum und Datenschutzerklärung.',
    },
  },
  toAppearance: 'Zum Aussehen',
}

export const overview: typeof Overview = {
  attention: 'Was Aufmerksamkeit braucht',
  allWell: 'Nichts ist verspätet, schlägt fehl oder steht.',
  noOpenReports: 'Keine Meldung ist offen.',
  noWorker:
    'Kein Worker läuft, also wird nichts abgefragt, gesendet oder beendet. Starte einen, oder starte einen hängenden neu.',
  overdue: {
    one: 'Die Abfrage von {n} Server ist überfällig, seit {time}. Starte einen weiteren Worker oder erhöhe POLL_CONCURRENCY.',
    other:
      'Die Abfragen von {n} Servern sind überfällig, die älteste seit {time}. Starte einen weiteren Worker oder erhöhe POLL_CONCURRENCY.',
  },
  directoryStale: 'Dieser API-Prozess folgt der Datenbank nicht mehr; seine Statistik fehlt. Sieh in sein Log.',
  openReports: { one: '{n} offene Meldung', other: '{n} offene Meldungen' },
  showFailed: 'Fehlgeschlagene Aufträge zeigen',
  polling: 'Abfragen',
  polls: {
    overdue: 'Überfällige Server',
    lastHour: 'In der letzten Stunde abgefragte Server',
    answered: 'Beantwortete Abfragen, Stunde von {time}',
    neverAnswered: 'Haben nie geantwortet',
  },
  figures: 'Zahlen',
  stats: {
    users: 'Konten',
    verified: 'mit bestätigter Adresse',
    banned: 'gesperrt',
    admins: { one: 'Administrator', other: 'Administratoren' },
    lastDay: 'neu in 24 Stunden',
    sessions: 'Sitzungen',
    apiKeys: 'API-Schlüssel',
    usedLastDay: 'in 24 Stunden benutzt',
    servers: 'Server',
    online: 'online',
    hidden: 'verborgen',
    unowned: 'ohne Besitzer',
    featured: 'hervorgehoben',
    claims: 'Offene Besitznachweise',
  },
  playersDay: 'Spieler in den letzten 24 Stunden',
  noHours: 'Noch ist keine ganze Stunde gezählt.',
  peak: 'Höchststand {n}',
  playersByGame: 'Spieler nach Spiel',
  playersByCountry: 'Spieler nach Land',
}
