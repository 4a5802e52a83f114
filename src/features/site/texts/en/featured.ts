// English: featured servers.
export const featured = {
  title: 'Featured servers',
  about: 'These servers have won an auction for this place, or the administrators feature them.',
  none: 'No server is featured at the moment. The place is free:',
  yours: 'Your server here',
  running: 'Running now: {title}, at {amount}.',
  upcoming: '{title} starts on {time}, from {amount}.',
  toAuction: 'To the auction',
  auctions: 'Bid for a place',
}
