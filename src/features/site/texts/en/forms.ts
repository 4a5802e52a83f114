// English: parts of forms.
export const forms = {
  check: 'Check the marked fields.',
  saved: 'Saved.',
  save: 'Save',
  codes: {
    unauthenticated:
      'You are not logged in. Log in in another tab, then send this form again: it keeps what you entered.',
    invalid_credentials: 'The e-mail address or the password is wrong.',
    email_taken: 'An account has this address already. Log in, or reset its password.',
    last_login_method: 'This is the only way left to log in to the account.',
    email_needed: 'The account has no e-mail address to log in with.',
    already_listed:
      'A server with this address and query port is already listed. If it is yours, claim it from its page; a hidden server has none.',
    too_many_alerts: 'There are already as many alerts as there may be, of yours or on this server.',
    too_many_listings: 'Your account has as many servers as it may have.',
    already_member: 'This account is a member already.',
    team_full: 'The team has as many members and open invitations as it may have.',
    already_verified: 'You have already proven that this server is yours.',
    already_subscribed: 'You have this subscription already.',
    no_pending_claim: 'There is nothing to check. Get a token first.',
    no_subscription: 'You have no subscription.',
    no_connection: 'The directory can’t be reached. Check your connection and try again.',
    rcon_not_verified: 'Prove first that this server is yours: on the page “Overview”.',
    rcon_not_configured: 'Access is not set up. Save the port and the password first.',
    billing_unavailable: 'Payments are switched off here, so nothing can be bought or changed at the moment.',
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
  /** Names of fields for the notice above a form, which leaves out a field without a name. */
  names: {
    username: 'Name',
    reason: 'Reason',
    details: 'Details',
    gamePlatformId: 'Player id',
  },
}
