// Users delete their own account.
import { operation } from '../../platform/http/operation.ts'
import { Reply } from '../../platform/http/reply-kinds.ts'
import { DONE, Success } from '../../platform/http/success.ts'
import { setCookies } from './accounts.operations.ts'
import { AccountDeletion } from './accounts.schema.ts'
import { createDeletion, type DeletionOptions } from './deletion.service.ts'
import type { CredentialsService } from './login/credentials.service.ts'
import type { CookieJar } from './login/session-cookie.ts'

interface Options extends DeletionOptions {
  jar: CookieJar
  credentials: Pick<CredentialsService, 'requirePassword'>
}

export function deletionOperations({ jar, credentials, ...options }: Options) {
  const deleteOwnAccount = createDeletion(options)
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
        'password is 401 `invalid_credentials`, and 429 after 5 of them in 15 minutes; an account without one sends `{}`. ' +
        '`administrator_account`: an administrator can’t delete their account.',
      access: 'session',
      body: AccountDeletion,
      returns: Success,
      codes: ['administrator_account'],
      changes: 'directory',
      before: ({ actor, body }) => credentials.requirePassword(actor.userId, body.password),
      async handle({ tx, actor }) {
        await deleteOwnAccount(tx, actor)
        return new Reply(DONE, { headers: setCookies([jar.clearSession()]) })
      },
    }),
  ]
}
