// German: what every page shows.
import { PRODUCT_NAME } from '../../../../platform/product.ts'
import type { common as Original } from '../en/common.ts'

export const common: typeof Original = {
  /** The site's name, once an administrator has set one. */
  product: PRODUCT_NAME as string,
  skip: 'Zum Inhalt',
  nav: {
    label: 'Hauptmenü',
    menu: 'Menü',
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
    imprint: 'Impressum',
    privacy: 'Datenschutz',
  },
  language: 'Deutsch',
  home: 'Zur Serverliste',
  again: 'Noch einmal versuchen',
  wrongValue: 'Die Adresse enthält einen Wert, der nicht geht:',
  parameters: { page: 'Seite', q: 'Suche', sortBy: 'Sortierung', maxMultiplier: 'Raten', minMultiplier: 'Raten' },
  reference: 'Kennung:',
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
    500: 'Der Fehler wurde aufgezeichnet. Wenn du uns davon berichtest, nenne bitte die Kennung unten.',
    503: 'Das Verzeichnis wird gerade aktualisiert. Diese Seite geht meist binnen einer Minute wieder.',
  },
  online: 'online',
  offline: 'offline',
  playersOf: { one: '{now} von {n} Spieler', other: '{now} von {n} Spielern' },
  servers: { one: '{n} Server', other: '{n} Server' },
  votes: { one: '{n} Stimme', other: '{n} Stimmen' },
  chart: {
    collecting: 'Aufgezeichnet seit {date}',
    title: 'Spieler',
    of: 'Spieler von {name}, {range}',
    range: 'Zeitraum',
    ranges: { '24h': '24 Stunden', '7d': '7 Tage', '30d': '30 Tage', '90d': '90 Tage' },
  },
  pages: { label: 'Seiten', previous: 'Zurück', next: 'Weiter' },
  copy: 'Kopieren',
  copied: 'Kopiert',
}
