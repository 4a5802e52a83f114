// The overview and its first steps.
export const firstSteps = {
  title: 'First steps',
  lead: 'This directory is new. What to do, in any order:',
  progress: '{done} of {n} done',
  isDone: 'done',
  steps: {
    administrator: {
      title: 'Become administrator',
      text: 'Accounts with these addresses are administrators. In production the address has to be verified by mail.',
    },
    sources: {
      title: 'Let sources find servers',
      text: 'Game servers from public lists, listed until their owners claim them. The settings of a running installation have DISCOVER for this.',
    },
    import: { title: 'Import your own list', text: 'A CSV or JSON file; --help lists the columns.' },
    demo: {
      title: 'Look around in a demo',
      text: 'Fifty simulated servers in a directory of its own, beside this one.',
    },
    mail: {
      title: 'Set a mail server',
      text: 'Until then mails are written to files in the folder mail of DATA_DIR.',
    },
    appearance: {
      title: 'Make it yours',
      text: 'The name of the site, its logo, its color, and the links to your imprint and privacy policy.',
    },
  },
  toAppearance: 'Set the appearance',
}

export const overview = {
  attention: 'What needs attention',
  allWell: 'Nothing is late, failing or stuck.',
  noOpenReports: 'No report is open.',
  noWorker: 'No worker is running, so nothing is polled, sent or closed. Start one, or restart one that hangs.',
  overdue: {
    one: '{n} server is overdue for its poll, the oldest by {time}. Start another worker, or raise POLL_CONCURRENCY.',
    other:
      '{n} servers are overdue for their poll, the oldest by {time}. Start another worker, or raise POLL_CONCURRENCY.',
  },
  directoryStale: 'This API process no longer follows the database; its statistics are missing. Look at its log.',
  openReports: { one: '{n} open report', other: '{n} open reports' },
  showFailed: 'Show failed jobs',
  polling: 'Polling',
  polls: {
    overdue: 'Overdue servers',
    lastHour: 'Servers polled in the last hour',
    answered: 'Polls answered, hour of {time}',
    neverAnswered: 'Never answered',
  },
  figures: 'Figures',
  stats: {
    users: 'Accounts',
    verified: 'with verified address',
    banned: 'banned',
    admins: { one: 'administrator', other: 'administrators' },
    lastDay: 'new in 24 hours',
    sessions: 'Sessions',
    apiKeys: 'API keys',
    usedLastDay: 'used in 24 hours',
    servers: 'Servers',
    online: 'online',
    hidden: 'hidden',
    unowned: 'without owner',
    featured: 'featured',
    claims: 'Pending claims',
  },
  playersDay: 'Players in the last 24 hours',
  noHours: 'No complete hour has been counted yet.',
  peak: 'Peak {n}',
  playersByGame: 'Players by game',
  playersByCountry: 'Players by country',
}
