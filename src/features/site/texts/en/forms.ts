// English: parts of forms.
export const forms = {
  check: 'Check the marked fields.',
  saved: 'Saved.',
  save: 'Save',
  codes: {
    unauthenticated:
      'You are not logged in. Log in in another tab, then send this form again: it keeps what you entered.',
    no_connection: 'The directory can’t be reached. Check your connection and try again.',
    proof_expired: 'That took too long. Please vote again.',
    proof_invalid: 'Your browser’s answer was wrong. Please vote again.',
    proof_used: 'This vote was already sent. Reload the page.',
    proof_required: 'Your browser must run scripts to vote here.',
  },
  /** Texts of further codes, which only other languages have: in English, the API's message says more. */
  otherCodes: {} as Record<string, string>,
  /** What is wrong with a field, after its name. */
  problems: {
    required: 'is required',
    minLength: 'must have at least {1} characters',
    maxLength: 'must have at most {1} characters',
    maxItems: 'must have at most {1} entries',
    range: 'must be from {1} to {2}',
    min: 'must be at least {1}',
    max: 'must be at most {1}',
    whole: 'must be a whole number',
    number: 'must be a number',
    url: 'must be an address that begins with http:// or https://',
    email: 'must be an e-mail address',
    invisible: 'must not contain invisible characters',
    oneLine: 'must be on one line',
    choice: 'must be one of the choices',
    other: 'is not valid',
  },
}
