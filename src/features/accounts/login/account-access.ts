// Access to an account besides its password. A password reset removes it on request, or if the reset verifies the
// address.
import type { Db } from '../../../platform/db/pool.ts'
import { recordAction } from '../../audit/index.ts'
import type { DroppedAccess } from '../../mail/index.ts'
import { deleteIdentities } from '../identities/identities.store.ts'

/** Access that other features grant. Each function is called in the transaction of the reset. */
export interface GrantedAccess {
  /** @returns how many keys it revoked */
  revokeApiKeys(tx: Db, userId: string): Promise<number>
  /** @returns whether there was one */
  deleteChatWebhook(tx: Db, userId: string): Promise<boolean>
  /** Deletes the subscriptions to servers and their unsent notifications. @returns how many subscriptions it ended */
  deleteSubscriptions(tx: Db, userId: string): Promise<number>
}

/**
 * Removes keys, identities and the chat webhook. If the reset verifies the address, also removes the subscriptions,
 * which the owner of the address did not order. Servers, votes and payments stay. Writes the audit log.
 * @param userId of a locked account
 * @param before the account as it was before any change, and how many of its sessions have ended
 * @returns what was removed, for the mail
 */
export async function dropAccess(
  tx: Db,
  granted: GrantedAccess,
  userId: string,
  before: { emailVerified: boolean; hasChat: boolean; hasGamePlatform: boolean; sessions: number },
): Promise<DroppedAccess> {
  const { hasChat, hasGamePlatform, emailVerified, sessions } = before
  await deleteIdentities(tx, userId)
  const dropped: DroppedAccess = {
    isFirstProof: !emailVerified,
    sessions,
    identities: [...(hasChat ? (['chat'] as const) : []), ...(hasGamePlatform ? (['gameplatform'] as const) : [])],
    apiKeys: await granted.revokeApiKeys(tx, userId),
    chatWebhook: await granted.deleteChatWebhook(tx, userId),
    subscriptions: emailVerified ? 0 : await granted.deleteSubscriptions(tx, userId),
  }
  await recordAction(tx, {
    actorId: userId,
    action: 'user.drop_access',
    targetType: 'user',
    targetId: userId,
    details: dropped,
  })
  return dropped
}
