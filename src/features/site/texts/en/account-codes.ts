// English: error codes that only forms of accounts, owners and administrators get.
export const accountCodes = {
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
  claim_stopped: 'The server’s owner stopped your claim. You can claim this server again 30 days after that.',
  rcon_not_verified: 'Prove first that this server is yours: on the page “Overview”.',
  rcon_not_configured: 'Access is not set up. Save the port and the password first.',
  billing_unavailable: 'Payments are switched off here, so nothing can be bought or changed at the moment.',
}
