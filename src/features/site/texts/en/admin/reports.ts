// Reports, and findings of suspicious votes.
export const reports = {
  statuses: { open: 'open', resolved: 'resolved', dismissed: 'dismissed', all: 'all' },
  reason: 'Reason',
  reasons: {
    offline: 'offline',
    spam: 'spam',
    abuse: 'abuse',
    misleading: 'misleading',
    other: 'other',
    votes: 'votes',
  },
  by: 'by {name}',
  unnamedAccount: 'an account that was deleted, or is not named to you',
  moderate: 'Moderate the server',
  note: 'Note for moderators and administrators',
  resolve: 'Resolve',
  dismiss: 'Dismiss',
  reopen: 'Open again',
  deleteReport: 'The report is deleted for good.',
}

export const findings = {
  allServers: 'All servers',
  by: 'found by the daily search for suspicious votes',
  signals: {
    fewNetworks: 'few networks',
    hosting: 'hosting networks',
    burst: 'burst',
    seenOnce: 'seen once',
    withoutPage: 'without a page',
  },
  texts: {
    fewNetworks: {
      one: 'One network sent {selected} of {votes} votes in seven days.',
      other: '{n} networks sent {selected} of {votes} votes in seven days.',
    },
    hosting: '{selected} of {votes} votes in seven days came from networks of hosting providers.',
    burst: '{votes} votes in 24 hours; the busiest of the 28 days before had {busiest}.',
    seenOnce: '{selected} of {votes} votes came from visitors who have voted once only, for any server.',
    withoutPage: '{selected} of {votes} votes in seven days did not come from a page of the site.',
  },
  others: 'Among the votes for other servers it is {share}.',
  before: 'In the four weeks before it was {share}.',
  fine: 'It is fine',
  look: 'Look at the votes',
  void: 'Void the votes',
}
