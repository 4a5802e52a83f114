// English: what every page shows.
import { PRODUCT_NAME } from '../../../../platform/product.ts'

export const common = {
  /** The site's name, once an administrator has set one. */
  product: PRODUCT_NAME as string,
  skip: 'Skip to content',
  nav: {
    label: 'Main',
    menu: 'Menu',
    servers: 'Servers',
    games: 'Games',
    featured: 'Featured',
    auctions: 'Auctions',
    docs: 'API',
    add: 'Add server',
    mine: 'My servers',
    admin: 'Admin',
    account: 'Account',
    login: 'Log in',
  },
  footer: {
    about: 'An open directory of game servers, polled live.',
    language: 'Language',
    contact: 'Contact',
    imprint: 'Imprint',
    privacy: 'Privacy policy',
  },
  language: 'English',
  online: 'online',
  offline: 'offline',
  playersOf: { one: '{now} of {n} player', other: '{now} of {n} players' },
  servers: { one: '{n} server', other: '{n} servers' },
  votes: { one: '{n} vote', other: '{n} votes' },
  chart: {
    collecting: 'Collecting since {date}',
    title: 'Players',
    of: 'Players of {name}, {range}',
    range: 'Time range',
    ranges: { '24h': '24 hours', '7d': '7 days', '30d': '30 days', '90d': '90 days' },
  },
  continents: {
    Africa: 'Africa',
    Antarctica: 'Antarctica',
    Asia: 'Asia',
    Europe: 'Europe',
    'North America': 'North America',
    Oceania: 'Oceania',
    'South America': 'South America',
  },
  pages: { label: 'Pages', previous: 'Previous', next: 'Next' },
  copy: 'Copy',
  copied: 'Copied',
}
