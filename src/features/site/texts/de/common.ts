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
    featured: 'Hervorgehoben',
    auctions: 'Auktionen',
    docs: 'API',
    add: 'Server eintragen',
    mine: 'Meine Server',
    admin: 'Verwaltung',
    account: 'Konto',
    login: 'Anmelden',
  },
  footer: {
    about: 'Ein offenes Verzeichnis von Spielservern, live abgefragt.',
    language: 'Sprache',
    contact: 'Kontakt',
    imprint: 'Impressum',
    privacy: 'Datenschutz',
  },
  language: 'Deutsch',
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
  continents: {
    Africa: 'Afrika',
    Antarctica: 'Antarktis',
    Asia: 'Asien',
    Europe: 'Europa',
    'North America': 'Nordamerika',
    Oceania: 'Ozeanien',
    'South America': 'Südamerika',
  },
  pages: { label: 'Seiten', previous: 'Zurück', next: 'Weiter' },
  copy: 'Kopieren',
  copied: 'Kopiert',
}
