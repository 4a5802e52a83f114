// German: what every page shows.
import type { common as Original } from '../en/common.ts'

export const common: typeof Original = {
  product: 'Server Directory',
  skip: 'Zum Inhalt',
  nav: {
    label: 'Hauptmenü',
    servers: 'Server',
    featured: 'Empfohlen',
    auctions: 'Auktionen',
    docs: 'API',
    mine: 'Meine Server',
    admin: 'Verwaltung',
    account: 'Konto',
    login: 'Anmelden',
    logout: 'Abmelden',
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
  players: { one: '{n} Spieler', other: '{n} Spieler' },
  playersOf: '{n} von {max} Spielern',
  servers: { one: '{n} Server', other: '{n} Server' },
  votes: { one: '{n} Stimme', other: '{n} Stimmen' },
  copy: 'Kopieren',
  copied: 'Kopiert',
  failed: 'Das hat nicht geklappt: {message}',
}
