// Deletes an account at its user's request.
import type { Deps } from '../../deps.ts'
import { createSecretCipher } from '../../platform/config/secret-cipher.ts'
import type { Db } from '../../platform/db/pool.ts'
import type { SessionActor } from '../../platform/http/actor.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { recordAction } from '../audit/index.ts'
import { mail } from '../mail/index.ts'
import { isAdministrator } from './administrators.ts'
import { requireLivingSession } from './login/sessions.ts'
import { requireUser } from './profile.ts'

/** Deletes a locked account with all that depends on it. @returns how many listed servers it owned */
export type DeleteAccount = (tx: Db, userId: string) => Promise<number>

export interface DeletionOptions extends Pick<Deps, 'jobs' | 'settings'> {
  deleteAccount: DeleteAccount
}

const administratorAccount = () =>
  new ApiError(
    400,
    'administrator_account',
    'This account is an administrator. Before it can be deleted, another administrator must remove that right.',
  )

export function createDeletion({ jobs, settings, deleteAccount }: DeletionOptions) {
  const secretCipher = createSecretCipher(settings)

  /**
   * The password was checked before the transaction. It is still the same: a change ends every session.
   * @throws ApiError 401 unauthenticated if the session has ended; 400 administrator_account
   */
  return async function deleteOwnAccount(tx: Db, actor: SessionActor): Promise<void> {
    const { userId } = actor
    await requireLivingSession(tx, actor)
    const user = await requireUser(tx, userId)
    if (isAdministrator(user, settings)) throw administratorAccount()
    const releasedServers = await deleteAccount(tx, userId)
    await recordAction(tx, {
      actorId: userId,
      action: 'user.delete',
      targetType: 'user',
      targetId: userId,
      details: { releasedServers },
    })
    if (user.email !== null && user.emailVerified)
      await jobs.enqueue(tx, mail, [{ kind: 'account-deleted', to: secretCipher.encrypt('mail', user.email) }])
  }
}
