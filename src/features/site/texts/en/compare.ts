// English: comparing servers.
export const compare = {
  title: 'Compare servers',
  about: 'Up to five servers side by side.',
  add: 'Add a server',
  addHint: 'Name of a server',
  find: 'Find',
  found: 'Found',
  nothing: 'No server has such a name.',
  remove: 'Remove',
  none: 'Find two or more servers to compare them.',
  full: 'Five servers are compared. Remove one to add another.',
  property: 'Property',
  players: 'Players',
  peak: 'Peak, 24 hours',
  votes: 'Votes',
  address: 'Address',
  chart: 'Players, 7 days',
}
