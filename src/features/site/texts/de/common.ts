// German: what every page shows.
import type { common as Original } from '../en/common.ts'

export const common: typeof Original = {
  product: 'Server Directory',
  skip: 'Zum Inhalt',
  nav: {
    label: 'Hauptmenü',
    servers: 'Server',
    games: 'Spiele',
    featured: 'Empfohlen',
    auctions: 'Auktionen',
    docs: 'API',
    mine: 'Meine Server',
    admin: 'Verwaltung',
    account: 'Konto',
    login: 'Anmelden',
  },
  footer: {
    about: 'Ein offenes Verzeichnis von Spielservern, live abgefragt.',
    language: 'Sprache',
  },
  language: 'Deutsch',
  home: 'Zur Serverliste',
  errors: {
    400: 'Das kann nicht angezeigt werden',
    401: 'Bitte zuerst anmelden',
    403: 'Nicht erlaubt',
    404: 'Nicht gefunden',
    429: 'Zu viele Anfragen',
    500: 'Etwas ist schiefgegangen',
    503: 'Gerade nicht verfügbar',
  },
  errorHint: {
    404: 'Der Server wurde vielleicht entfernt, oder die Adresse ist falsch geschrieben.',
    429: 'Bitte kurz warten und noch einmal versuchen.',
    503: 'Das Verzeichnis wird gerade aktualisiert. Diese Seite geht meist binnen einer Minute wieder.',
  },
  online: 'online',
  offline: 'offline',
  playersOf: { one: '{now} von {n} Spieler', other: '{now} von {n} Spielern' },
  servers: { one: '{n} Server', other: '{n} Server' },
  votes: { one: '{n} Stimme', other: '{n} Stimmen' },
  chart: {
    title: 'Spieler',
    of: 'Spieler von {name}, {range}',
    range: 'Zeitraum',
    ranges: { '24h': '24 Stunden', '7d': '7 Tage', '30d': '30 Tage', '90d': '90 Tage' },
  },
  pages: { label: 'Seiten', previous: 'Zurück', next: 'Weiter' },
  copy: 'Kopieren',
  copied: 'Kopiert',
}
