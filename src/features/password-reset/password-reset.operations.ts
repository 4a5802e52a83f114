// Changing a password, and requesting and confirming a reset. No transaction is held while a password is hashed.
import type { Deps } from '../../deps.ts'
import { retryDeadlocks } from '../../platform/db/deadlock.ts'
import { type Db, inTransaction } from '../../platform/db/pool.ts'
import { operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { type Accounts, Message, PasswordChange, ResetConfirmation, ResetRequest } from '../accounts/index.ts'
import { mail } from '../mail/index.ts'
import { revokeTeamsOf } from '../teams/index.ts'
import { revokeAccess } from './revoke-access.service.ts'

interface PasswordResetOptions extends Pick<Deps, 'pool' | 'jobs'> {
  accounts: Pick<Accounts, 'passwordReset' | 'changePassword'>
}

const common = { tag: 'Accounts', transaction: false } as const

export function passwordResetOperations({ pool, jobs, accounts }: PasswordResetOptions) {
  const { passwordReset } = accounts

  /** A person who had the account may have offered its servers to another account of theirs. @returns how many */
  async function withdrawInvitations(tx: Db, userId: string): Promise<number> {
    const { invitations } = await revokeTeamsOf(tx, { jobs }, userId, { members: false })
    return invitations
  }

  return [
    operation({
      ...common,
      method: 'post',
      path: '/auth/password-reset',
      operationId: 'requestPasswordReset',
      summary: 'Mail a token that sets a new password',
      description:
        'The reply is the same whether there is an account or not. At most 3 mails an hour to an ' +
        'address; an address that is not verified shares them with other mails about accounts of its mailbox.',
      body: ResetRequest,
      returns: Message,
      errors: [403],
      async handle({ body, clientKey }) {
        await passwordReset.request(body.email, clientKey)
        return {
          success: true,
          message: 'If there is an account with this address, a mail is on its way to it.',
        }
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/auth/password-reset/confirm',
      operationId: 'confirmPasswordReset',
      summary: 'Set a new password with the token from the mail',
      description:
        'A token works once, for one hour. All sessions of the account end and none is opened: log in. If the address was not ' +
        'verified before, everything that gave access to the account or its notifications is removed: linked identities, passkeys and ' +
        'one-time codes, API keys, vote keys, members of teams, the chat webhook, push browsers, subscriptions and alerts; a mail lists it. Invitations and offers to hand a ' +
        'server over are withdrawn by every reset. Listed servers and votes stay. The second ' +
        'factor of an account whose address was verified stays as it is.',
      body: ResetConfirmation,
      returns: Success,
      codes: ['invalid_token'],
      errors: [403],
      async handle({ body, req }) {
        const reset = await passwordReset.prepare(body)
        const { userId } = reset
        const apply = async (tx: Db) => {
          const before = await passwordReset.apply(tx, reset)
          const isFirstProof = !before.emailVerified
          const outcome =
            body.revokeAccess || isFirstProof
              ? { dropped: await revokeAccess(tx, { jobs }, userId, before) }
              : { withdrawn: await withdrawInvitations(tx, userId) }
          await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId, ...outcome }])
        }
        await retryDeadlocks(() => inTransaction(pool, apply))
        return new Reply(SUCCESS, { headers: [passwordReset.markDevice(reset, req.headers.cookie)] })
      },
    }),
    operation({
      ...common,
      method: 'post',
      path: '/user/password',
      operationId: 'changePassword',
      summary: 'Change the password, or set the first one',
      description:
        'All other sessions of the account end; this one continues under a new cookie. Open invitations to your servers, and offers to ' +
        'hand one over, are withdrawn: another person may have made them. Members, API keys and linked platforms stay. A wrong current ' +
        'password is 401 `invalid_credentials`. `email_needed`: the account has no e-mail address to log in with. The first password of ' +
        'an account without a second factor needs a login of the last ten minutes (else 403 `confirmation_needed`).',
      access: 'session',
      stepUp: true,
      body: PasswordChange,
      returns: Success,
      codes: ['email_needed'],
      async handle({ actor, body, req }) {
        const headers = await accounts.changePassword(actor, body, {
          cookies: req.headers.cookie,
          withdrawInvitations: (tx) => withdrawInvitations(tx, actor.userId),
        })
        return new Reply(SUCCESS, { headers })
      },
    }),
  ]
}
