// Users delete their own account.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { SUCCESS, Success } from '../../platform/http/success.ts'
import {
  type Accounts,
  isAdministrator,
  refuseOldSession,
  requireActiveSession,
  requireUser,
} from '../accounts/index.ts'
import { recordAction } from '../audit/index.ts'
import { mail } from '../mail/index.ts'
import { AccountDeletion } from './account-deletion.schema.ts'
import { deleteAccount } from './account-deletion.service.ts'

interface DeletionOptions extends Pick<Deps, 'jobs' | 'settings'> {
  accounts: Pick<Accounts, 'requirePassword' | 'clearSession'>
}

export function accountDeletionOperations({ jobs, settings, accounts }: DeletionOptions) {
  const secretCipher = createSecretCipher(settings)
  return [
    operation({
      method: 'delete',
      path: '/user',
      operationId: 'deleteAccount',
      tag: 'User',
      summary: 'Delete your account; your servers stay listed without an owner, and unverified',
      description:
        'Deletes the profile, sessions, API keys, favorites, notifications, claims, webhooks, bids and ad placements of the account; a ' +
        'subscription is canceled within an hour. This can’t be undone. A verified e-mail address gets a mail. Clears the cookie. A wrong ' +
        'password is 401 `invalid_credentials`, and 429 after 5 of them in 15 minutes; an account without one sends `{}`, and ' +
        'if it has no second factor either, within ten minutes after a login (else 403 `confirmation_needed`). ' +
        '`administrator_account`: an administrator can’t delete their account.',
      access: 'session',
      stepUp: true,
      body: AccountDeletion,
      returns: Success,
      codes: ['administrator_account'],
      changes: 'directory',
      before: ({ actor, body }) => accounts.requirePassword(actor.userId, body.password),
      async handle({ tx, actor }) {
        const { userId } = actor
        // The password that `before` checked is still the same: a change ends every session.
        await requireActiveSession(tx, actor)
        await refuseOldSession(tx, actor, 'its deletion')
        const user = await requireUser(tx, userId)
        if (isAdministrator(user, settings))
          throw new ApiError(
            400,
            'administrator_account',
            'This account is an administrator. Before it can be deleted, another administrator must remove that right.',
          )
        const releasedServers = await deleteAccount(tx, { jobs }, userId)
        await recordAction(tx, {
          actorId: userId,
          action: 'user.delete',
          targetType: 'user',
          targetId: userId,
          details: { releasedServers },
        })
        if (user.email && user.emailVerified)
          await jobs.enqueue(tx, mail, [{ kind: 'account-deleted', to: secretCipher.encrypt('mail', user.email) }])
        return new Reply(SUCCESS, { headers: [accounts.clearSession()] })
      },
    }),
  ]
}
