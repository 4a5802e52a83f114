// The mails of accounts. Tokens are derived when the mail is written, so that no queue ever stores one.
import type { Deps } from '../../../deps.ts'
import { createSecretCipher } from '../../../platform/config/secret-cipher.ts'
import { hashToken } from '../../../platform/hash-token.ts'
import { type AccessEvent, deriveMailToken, type Mail, type MailRequest, type RevokedAccess } from '../../mail/index.ts'
import { mailedLink } from '../pages.ts'
import { writeSecondFactorMail } from '../second-factor/second-factor.mails.ts'
import { findMailUser } from '../users.store.ts'
import { type MailedPurpose, replaceToken } from './email-tokens.sql.ts'

const LIFETIME_SECONDS: Record<MailedPurpose, number> = { verify: 24 * 3600, reset: 3600 }

export type AccountMailRequest = Extract<
  MailRequest,
  {
    kind:
      | 'verify-email'
      | 'reset-password'
      | 'password-changed'
      | 'account-deleted'
      | 'second-factor'
      | 'account-access'
  }
>

/**
 * Writes one mail; a token in it replaces the one of a mail of another job. Contains no text that users typed: an
 * account can be created with the address of another person, who must not receive such text.
 * @returns undefined if there is nothing to send: the account was deleted, banned or verified in the meantime
 */
export async function writeMail(
  { pool, settings }: Pick<Deps, 'pool' | 'settings'>,
  request: AccountMailRequest,
  jobId: string,
): Promise<Mail | undefined> {
  const base = settings.PUBLIC_BASE_URL
  if (request.kind === 'account-deleted')
    return { to: createSecretCipher(settings).decrypt('mail', request.to), ...accountDeleted(base) }
  const user = await findMailUser(pool, request.userId)
  if (!user?.email || user.bannedAt) return undefined
  const { id, email: to } = user
  // An address that is not verified may be another person's.
  if (request.kind === 'second-factor')
    return user.emailVerifiedAt ? { to, ...writeSecondFactorMail(base, request) } : undefined
  if (request.kind === 'account-access')
    return user.emailVerifiedAt ? { to, ...accessChanged(base, request.event) } : undefined
  const newToken = async (purpose: MailedPurpose) => {
    const boundTo = [to, user.passwordHash ?? '']
    const token = deriveMailToken(settings, { jobId, purpose, boundTo })
    const lifetimeSeconds = LIFETIME_SECONDS[purpose]
    await replaceToken(pool, { tokenHash: hashToken(token), userId: id, purpose, email: to, lifetimeSeconds })
    return token
  }

  if (request.kind === 'verify-email')
    return user.emailVerifiedAt ? undefined : { to, ...verification(base, await newToken('verify')) }
  if (request.kind === 'reset-password')
    return { to, ...reset(base, await newToken('reset'), { isFirstProof: !user.emailVerifiedAt }) }
  return { to, ...passwordChanged(base, request) }
}

// Lines of at most 76 characters where the address allows: longer ones are sent as quoted-printable, which breaks a
// line that is copied from the source (RFC 2045 §6.7).
const verification = (base: string, token: string) => ({
  subject: 'Confirm your e-mail address',
  text: `An account was created with this e-mail address at
${base}.

To confirm that the address is yours, open this page within 24 hours, in
the browser in which you registered or with your password:

${mailedLink(base, '/confirm', token)}

If it was not you, do nothing, or take the account over with a new
password: ${base}/password
`,
})

const reset = (base: string, token: string, { isFirstProof }: { isFirstProof: boolean }) => ({
  subject: 'Set a new password',
  text: `A new password was requested for your account at
${base}.

To set one, open this page within one hour:

${mailedLink(base, '/password', token)}

All your sessions end with that. ${isFirstProof ? FIRST_PROOF : ''}If it was not you, do nothing: your
password stays as it is.
`,
})

const FIRST_PROOF = `This address has not been confirmed yet,
so another person may have created the account. Linked platforms, passkeys
and one-time codes, API keys, vote keys, the chat webhook, push browsers,
subscriptions, alerts and the members of your servers’ teams are therefore
removed. Listed servers and votes stay.

`

const count = (n: number, one: string) => (n === 1 ? `1 ${one}` : `${n} ${one}s`)

/** The list of what was removed. Contains counts instead of names that users typed. */
function removed({
  isFirstProof,
  sessions,
  identities,
  apiKeys,
  voteKeys,
  chatWebhook,
  subscriptions,
  pushBrowsers,
  secondFactor,
  invitations,
  members,
}: RevokedAccess): string {
  const items = [
    sessions > 0 && count(sessions, 'session'),
    secondFactor && 'the passkeys, one-time codes and recovery codes',
    identities.includes('chat') && 'the link to an account of the chat platform',
    identities.includes('gameplatform') && 'the link to an account of the game platform',
    apiKeys > 0 && count(apiKeys, 'API key'),
    voteKeys > 0 && count(voteKeys, 'vote key'),
    chatWebhook && 'the chat webhook',
    pushBrowsers > 0 && `push messages to ${count(pushBrowsers, 'browser')}`,
    members > 0 && `${count(members, 'member')} of your servers’ teams`,
    invitations > 0 && `${count(invitations, 'invitation')} to your servers’ teams, or to own one`,
    subscriptions > 0 && count(subscriptions, 'subscription'),
  ].filter((item) => item !== false)
  const why = isFirstProof
    ? `This was the first proof that the address is yours. Everything that had
been set up on the account before was removed:`
    : 'As you requested, this was removed too:'
  return `
${why}

${(items.length ? items : ['nothing, since there was none']).map((item) => `  - ${item}\n`).join('')}
Listed servers, their webhooks, reward commands, RCON passwords and votes
stay. Please check them.
`
}

/** Where no other access was removed. */
function withdrawnAndKept(withdrawn: number): string {
  const sentence =
    withdrawn === 1
      ? '1 open invitation to your servers, or offer to hand one over, was\nwithdrawn: another person may have made it.'
      : `${withdrawn} open invitations to your servers, or offers to hand one over, were\nwithdrawn: another person may have made them.`
  return `
${withdrawn ? `${sentence}\n` : ''}Members of your teams, API keys, vote keys and linked platforms stay, and so
do reward commands and RCON passwords. Please check them.
`
}

const passwordChanged = (
  base: string,
  { dropped, withdrawn = 0 }: Extract<AccountMailRequest, { kind: 'password-changed' }>,
) => ({
  subject: 'Your password was changed',
  text: `The password of your account at
${base}
was changed, and all other sessions were ended.
${dropped ? removed(dropped) : withdrawnAndKept(withdrawn)}
If it was not you, ask for a new password at once:

${base}/password
`,
})

const ACCESS_CHANGES: Record<AccessEvent, string> = {
  'chat-linked': 'An account of the chat platform was linked to your account',
  'chat-unlinked': 'An account of the chat platform was unlinked from your account',
  'gameplatform-linked': 'An account of the game platform was linked to your account',
  'gameplatform-unlinked': 'An account of the game platform was unlinked from your account',
  'api-key-created': 'An API key was created for your account',
}

const accessChanged = (base: string, event: AccessEvent) => ({
  subject: ACCESS_CHANGES[event],
  text: `${ACCESS_CHANGES[event]} at
${base}.

If it was not you, another person has access to your account. Set a new
password, and revoke all other access with it:

${base}/password
`,
})

const accountDeleted = (base: string) => ({
  subject: 'Your account was deleted',
  text: `Your account at
${base}
was deleted, as you requested. Your servers stay listed without an owner.
Everything else that belonged to the account is gone, and a subscription is
canceled.

If it was not you, another person had access to the account. It can’t be
restored, but you can register again with this address and claim your
servers.
`,
})
