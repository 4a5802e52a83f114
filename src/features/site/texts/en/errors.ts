// English: pages that can't be shown.
export const errors = {
  home: 'To the server list',
  again: 'Try again',
  wrongValue: 'The address has a value that can’t be used:',
  parameters: { page: 'Page', q: 'Search', sortBy: 'Sort by', maxMultiplier: 'Rates', minMultiplier: 'Rates' },
  reference: 'Reference:',
  report: 'Report the failure',
  reportSubject: 'Failure {reference}',
  titles: {
    400: 'That can’t be shown',
    401: 'Log in first',
    403: 'Not allowed',
    404: 'Not found',
    413: 'Too large',
    429: 'Too many requests',
    500: 'Something went wrong',
    503: 'Not available at the moment',
  },
  hints: {
    401: 'Your session has ended. Log in in another tab, then reload this page: your browser sends the form again.',
    403: 'This is not allowed here, or not with your account.',
    404: 'The server may have been removed, or the address is misspelled.',
    413: 'Go back and choose a smaller file.',
    429: 'Wait a moment and try again.',
    500: 'The failure has been logged with the reference below.',
    503: 'The directory can’t answer at the moment. This page usually works again within a minute.',
  },
  /** Displayed when a request limit is reached. */
  retry: 'You can try again {when}.',
}
