// English: featured servers.
export const featured = {
  title: 'Featured servers',
  about: 'These servers have won an auction for a place on this site.',
  auctions: 'Bid for a place',
  none: 'No server is featured at the moment.',
}
