// Requesting and confirming a password reset. No transaction is held while a password is hashed.
import type { Deps } from '../../deps.ts'
import { inTransaction } from '../../platform/db/pool.ts'
import { operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import { type Accounts, Message, ResetConfirmation, ResetRequest } from '../accounts/index.ts'
import { mail } from '../mail/index.ts'
import { revokeTeamsOf } from '../teams/index.ts'
import { revokeAccess } from './revoke-access.service.ts'

interface PasswordResetOptions extends Pick<Deps, 'pool' | 'jobs'> {
  accounts: Pick<Accounts, 'passwordReset'>
}

const common = { tag: 'Accounts', transaction: false } as const

export function passwordResetOperations({ pool, jobs, accounts: { passwordReset } }: PasswordResetOptions) {
  return [
    operation({
      ...common,
      method: 'post',
      path: '/auth/password-reset',
      operationId: 'requestPasswordReset',
      summary: 'Mail a token that sets a new password',
      description: 'The reply is the same whether there is an account or not. At most 3 mails an hour to an address.',
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
        'one-time codes, API keys, members of teams, the chat webhook and subscriptions; a mail lists it. Invitations and offers to hand a ' +
        'server over are withdrawn by every reset. Listed servers and votes stay. The second ' +
        'factor of an account whose address was verified stays as it is.',
      body: ResetConfirmation,
      returns: Success,
      codes: ['invalid_token'],
      errors: [403],
      async handle({ body, req }) {
        const reset = await passwordReset.prepare(body)
        const { userId } = reset
        await inTransaction(pool, async (tx) => {
          const before = await passwordReset.apply(tx, reset)
          const isFirstProof = !before.emailVerified
          const dropped = body.revokeAccess || isFirstProof ? await revokeAccess(tx, userId, before) : undefined
          // A person who had the account may have offered its servers to another account of theirs.
          if (!dropped) await revokeTeamsOf(tx, userId, { members: false })
          await jobs.enqueue(tx, mail, [{ kind: 'password-changed', userId, dropped }])
        })
        return new Reply(SUCCESS, { headers: [passwordReset.markDevice(reset, req.headers.cookie)] })
      },
    }),
  ]
}
