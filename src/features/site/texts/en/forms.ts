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
    weak_password: 'This password is too easy to guess.',
    last_login_method: 'This is the only way left to log in to the account.',
    email_needed: 'The account has no e-mail address to log in with.',
    already_listed:
      'A server with this address and query port is already listed. If it is yours, claim it from its page.',
    too_many_listings: 'Your account has as many servers as it may have.',
    already_verified: 'You have already proven that this server is yours.',
    already_subscribed: 'You have this subscription already.',
    billing_unavailable: 'Payments are switched off here, so nothing can be bought or changed at the moment.',
  },
}
